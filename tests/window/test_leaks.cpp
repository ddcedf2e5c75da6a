// While a question is open nothing on stage has its number: at no level, at no ruler, wherever in the step one stands.
#include "app/window/lesson_driver.hpp"
#include "app/window/main_window.hpp"
#include "app/window/stage.hpp"
#include "lessons/experiments/experiment.hpp"
#include "lessons/runtime/card.hpp"
#include "tests/support/show_active.hpp"
#include "tests/window/small_lesson.hpp"
#include "views/overview/run_strips.hpp"
#include "views/theme/numbers.hpp"

#include <QRegularExpression>
#include <QTest>
#include <algorithm>

using namespace gradus;
using namespace gradus::test;

namespace {

/// The numbers that would answer it, as views write them: what an option is told to be, and the answer itself. One of
/// less than three digits may stand on stage for anything, and what is given (slope_f = 3) is there to be read.
QStringList secrets_of(const Key& key, const Parameters& given) {
    QStringList out;
    for (const auto& [option, number] : key.found)
        out << (key.unit.empty() ? three_digits(number) : with_prefix(number, QString::fromStdString(key.unit)));
    if (key.answer.is_number()) out << three_digits(key.answer.number());
    const auto short_one = [](const QString& text) { return text.count(QRegularExpression(QStringLiteral("\\d"))) < 3; };
    const auto given_one = [&](const QString& text) {
        return std::any_of(given.begin(), given.end(), [&](const auto& parameter) {
            bool number = false;
            const double value = QString::fromStdString(parameter.second).toDouble(&number);
            return number && three_digits(value) == text;
        });
    };
    out.erase(std::remove_if(out.begin(), out.end(), [&](const QString& text) { return short_one(text) || given_one(text); }), out.end());
    return out;
}

/// The parameters that a question asks of: elsewhere the stage shows another experiment, and nothing is covered.
Parameters asked_of(const Card& card, std::size_t check) {
    const Parameters& asked = card.checks[check].arguments;
    Parameters out;
    for (const ParameterInfo& info : find_experiment(card.experiment).parameters())
        if (const auto at = asked.find(info.name); at != asked.end()) out.insert(*at);
    return out;
}

/// What a person can read: "id: value" of each item that tells one of these numbers. Among a matrix's many cells one has
/// the digits of a ratio by chance: they count where the question is about a tensor. A time has
/// them by chance, too, another one in each run: none counts.
QStringList told(MainWindow& window, const QStringList& secrets, bool cells) {
    QStringList out;
    const auto look = [&](const std::vector<ViewItem>& items) {
        for (const ViewItem& item : items) {
            if (!cells && item.id.startsWith("cell/")) continue;
            for (const QString& secret : secrets) {
                const QRegularExpression whole(QStringLiteral("(?<![\\d.])") + QRegularExpression::escape(secret) + QStringLiteral("(?![\\d.e]|\\s[nµm]?s\\b)"));
                if (item.value.contains(whole)) out << item.id + ": " + item.value;
            }
        }
    };
    for (View* view : window.stage().views()) look(view->readable());
    if (const auto* strips = window.findChild<RunStrips*>()) look(strips->items());
    return out;
}

} // namespace

class TestLeaks : public QObject {
    Q_OBJECT

private slots:
    void no_item_has_the_answer_data();
    void no_item_has_the_answer();
};

void TestLeaks::no_item_has_the_answer_data() {
    QTest::addColumn<QString>("card");
    QTest::addColumn<int>("check");
    for (const Card& card : load_library(GRADUS_SOURCE_FOLDER "/lessons").cards)
        for (std::size_t i = 0; i < card.checks.size(); ++i)
            if (!card.checks[i].veil.empty()) // else the stage computes something other than what is asked
                QTest::addRow("%s, question %zu", card.id.c_str(), i + 1) << QString::fromStdString(card.id) << static_cast<int>(i);
}

void TestLeaks::no_item_has_the_answer() {
    QFETCH(QString, card);
    QFETCH(int, check);
    auto library = std::make_shared<Library>(load_library(GRADUS_SOURCE_FOLDER "/lessons"));
    AppState state;
    state.card = card.toStdString();
    state.parameters = asked_of(*library->find(state.card), static_cast<std::size_t>(check));
    state.speed = 0;
    state.reduce_motion = true;
    MainWindow window(library, state);
    window.resize(1280, 800);
    show_active(window);
    Presenter& p = window.presenter();
    QTRY_VERIFY_WITH_TIMEOUT((window.frame(), p.session().run(0) && p.session().run(0)->state() == RunState::finished), 4 * patience_ms);
    const Card& asked = *library->find(state.card);
    p.setCardStep(asked.lesson.size() - 1);
    window.frame();
    window.lesson().goToCheck(static_cast<std::size_t>(check));
    QTRY_VERIFY_WITH_TIMEOUT((window.frame(), !window.lesson().veil().empty()), patience_ms);
    const QStringList secrets = secrets_of(key_of(asked, asked.checks[static_cast<std::size_t>(check)], p.session().setup(), p.runs()[0].get()), p.session().setup().parameters);
    if (secrets.isEmpty()) return; // its answer is no number
    const Run& run = *p.runs()[0];
    const std::vector<std::string>& veil = asked.checks[static_cast<std::size_t>(check)].veil;
    const bool cells = std::any_of(veil.begin(), veil.end(), [](const std::string& item) { return item.starts_with("tensor:"); });
    int looked = 0;
    const auto look = [&](const char* place) {
        for (int i = 0; i < 3; ++i) {
            window.frame();
            QTest::qWait(2);
        }
        const QStringList found = told(window, secrets, cells);
        ++looked;
        const QString where = QStringLiteral("%1, ruler %2: ").arg(place).arg(static_cast<int>(p.state().ruler));
        return found.isEmpty() ? QString() : where + found.join("; ");
    };
    std::vector<std::string> modules;
    std::vector<EventSite> sites;
    for (std::size_t i = 0; i < run.sites().size(); ++i) sites.push_back(run.sites()[i]);
    for (const EventSite& site : sites)
        if (site.level == Level::module) modules.push_back(site.module);
    const StepIndex prepared = asked.lesson.back().iteration.value_or(0);
    for (const StepIndex iteration : {prepared, static_cast<StepIndex>(run.head()) - 1})
        for (const bool opened : {false, true})
            for (const Ruler ruler : {Ruler::none, Ruler::flops, Ruler::bytes, Ruler::time}) {
                p.goTo(iteration);
                while (p.state().cursor.level > Level::iteration) p.levelOut();
                p.change("ruler", [&](AppState& now) {
                    now.ruler = ruler;
                    now.open_modules = opened ? modules : std::vector<std::string>{};
                });
                QTest::qWait(50); // numbers of another step come a little later
                const QString whole = look("the step");
                QVERIFY2(whole.isEmpty(), qPrintable(whole));
                for (const EventSite& site : sites) { // phases, modules and ops
                    if (site.ordinal < 0 || site.level <= Level::iteration) continue;
                    p.chooseEvent(site.ordinal);
                    QVERIFY2(!window.lesson().veil().empty(), site.path.c_str()); // the stage still shows what is asked for
                    QCOMPARE(p.state().ruler, ruler);
                    const QString found = look(site.path.c_str());
                    QVERIFY2(found.isEmpty(), qPrintable(found));
                }
            }
    QVERIFY(looked > 16);
}

QTEST_MAIN(TestLeaks)
#include "test_leaks.moc"
