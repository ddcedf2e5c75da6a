// The whole window in Korean: nothing that it says is missing from the translations.
#include "app/window/lesson_driver.hpp"
#include "app/window/main_window.hpp"
#include "app/window/stage.hpp"
#include "app/window/translator.hpp"
#include "engine/core/error.hpp"
#include "engine/data/dataset.hpp"
#include "lessons/experiments/experiment.hpp"
#include "lessons/runtime/card.hpp"
#include "tests/support/show_active.hpp"
#include "views/derive/engine_words.hpp"
#include "views/story/story_view.hpp"

#include <QApplication>
#include <QMenu>
#include <QMouseEvent>
#include <QTest>
#include <QTimer>
#include <filesystem>

using namespace gradus;
using gradus::test::show_active;

namespace {

constexpr int patience_ms = 60'000;
constexpr StepIndex steps = 6;

bool has_hangul(const QString& text) {
    return std::any_of(text.begin(), text.end(), [](QChar c) { return c >= QChar(0xAC00) && c <= QChar(0xD7A3); });
}

/// What the experiment says to these parameters and, where it starts, to that edit; empty: it takes them.
std::string refusal(const char* experiment, const Parameters& parameters, const char* edit = nullptr) {
    try {
        const Experiment& asked = find_experiment(experiment);
        Setup setup;
        setup.parameters = asked.complete(parameters);
        setup.steps = 3;
        setup.device.threads = 1;
        setup.data = std::make_shared<DataStore>();
        const auto process = asked.start(setup);
        if (edit) process->apply(Edit::parse(edit), 0);
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

/// Moves the pointer over everything that the view shows, so that every card is painted.
void hover(View& view) {
    std::vector<ViewItem> items = view.items();
    const std::size_t stride = 1 + items.size() / 40;
    for (std::size_t i = 0; i < items.size(); i += stride) {
        const QPointF at = items[i].rect.center();
        QMouseEvent moved(QEvent::MouseMove, at, view.mapToGlobal(at), Qt::NoButton, Qt::NoButton, Qt::NoModifier);
        QCoreApplication::sendEvent(&view, &moved);
        view.grab();
    }
}

} // namespace

class TestKorean : public QObject {
    Q_OBJECT

private:
    std::shared_ptr<const Library> library_;

    void look(MainWindow& window) {
        QTRY_VERIFY_WITH_TIMEOUT((window.frame(), window.presenter().frame().full != nullptr), patience_ms);
        for (int i = 0; i < 6; ++i) { // workers hand their numbers in a frame or two later
            QTest::qWait(5);
            window.frame();
        }
        window.grab();
    }

private slots:
    void initTestCase() {
        QLocale::setDefault(QLocale(QLocale::Korean));
        library_ = std::make_shared<const Library>(load_library(GRADUS_SOURCE_FOLDER "/lessons"));
        QVERIFY(!library_->cards.empty());
    }

    void every_word_is_translated_data() {
        QTest::addColumn<QString>("card");
        for (const Card& card : library_->cards) QTest::newRow(card.id.c_str()) << QString::fromStdString(card.id);
    }

    void every_word_is_translated() {
        QFETCH(QString, card);
        AppState state;
        state.card = card.toStdString();
        state.language = Language::ko;
        state.speed = 0;
        MainWindow window(library_, state);
        window.findChild<QTimer*>()->stop(); // the frames here are the test's own
        window.resize(1280, 800);
        show_active(window);
        QVERIFY(window.translator());
        const StepIndex until = std::min(steps, library_->find(state.card)->steps);
        window.session().run_to(until);
        const auto head = [&] {
            window.frame();
            const Session::Status& status = window.presenter().status();
            return !status.failure.empty() || (!window.presenter().runs().empty() && window.presenter().run()->head() >= until && !status.playing);
        };
        QTRY_VERIFY_WITH_TIMEOUT(head(), patience_ms);
        if (const std::string& failure = window.presenter().status().failure; failure.find("dataset-fashion-mnist") != std::string::npos)
            QSKIP("dataset-fashion-mnist is not installed");
        else QVERIFY2(failure.empty(), failure.c_str());
        window.presenter().goTo(std::min<StepIndex>(1, until - 1));
        const std::vector<ViewKind> kinds = view_kinds();
        for (std::size_t i = 0; i < kinds.size(); i += Stage::most) { // three at a time
            std::vector<std::string> ids;
            for (std::size_t k = i; k < std::min(kinds.size(), i + Stage::most); ++k) {
                QVERIFY2(has_hangul(kinds[k].name), kinds[k].id);
                ids.push_back(kinds[k].id);
            }
            window.stage().arrange(ids);
            look(window);
            for (View* view : window.stage().views()) {
                QVERIFY2(has_hangul(view->accessibleName()), qPrintable(view->accessibleName()));
                for (const QWidget* child : view->findChildren<QWidget*>())
                    if (child->inherits("QCustomPlot")) QCOMPARE(child->locale(), QLocale::c()); // numbers are the same everywhere
                hover(*view);
            }
        }
        for (int level = 0; level < 4; ++level) {
            window.presenter().levelIn();
            look(window);
        }
        for (std::size_t part = 1; part < library_->find(state.card)->lesson.size(); ++part) {
            window.presenter().setCardStep(part);
            look(window);
        }
        window.lesson().commitParameter("seed", "none"); // an experiment refuses
        window.presenter().submit(Edit::parse("lr = 0.01")); // a branch, where there is a learning rate
        QTest::qWait(50);
        look(window);
        window.showKeys();
        window.grab();
        for (const KeyAction& action : window.actions()) {
            QVERIFY2(has_hangul(action.name) && has_hangul(action.group), qPrintable(action.name));
            if (action.keys.front() == QKeySequence(Qt::Key_F10)) action.act();
        }
        QCOMPARE(key_text(QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z)), QString("Ctrl+Shift+Z")); // as keyboards name them
        const auto* menu = window.findChild<QMenu*>();
        QVERIFY(menu);
        for (const QAction* action : menu->actions())
            QVERIFY2(action->isSeparator() || has_hangul(action->text()), qPrintable(action->text()));
        const QSet<QString>& missing = window.translator()->missing();
        QVERIFY2(missing.isEmpty(), qPrintable(QStringList(missing.begin(), missing.end()).join("; ")));
    }

    void a_word_that_is_not_there_is_remembered() {
        const Translator translator;
        QVERIFY(!translator.translate("gradus::Stage", "Tensor").isEmpty());
        QVERIFY(translator.missing().isEmpty());
        QVERIFY(translator.translate("gradus::Stage", "Teapot").isEmpty());
        QCOMPARE(translator.missing(), QSet<QString>{"gradus::Stage: Teapot"});
    }

    void the_engine_is_understood_data() {
        QTest::addColumn<QString>("said");
        const auto row = [](const char* name, const std::string& said) { QTest::newRow(name) << QString::fromStdString(said); };
        row("no number", refusal("train_mlp", {{"lr", "fast"}}));
        row("no whole number", refusal("linear_stack", {{"depth", "2.5"}}));
        row("no choice", refusal("train_mlp", {{"activation", "sine"}}));
        row("no widths", refusal("train_mlp", {{"layers", "784"}}));
        row("first width", refusal("train_mlp", {{"data", "spirals"}, {"layers", "3,2"}, {"batch", "4"}}));
        row("last width", refusal("train_mlp", {{"data", "spirals"}, {"layers", "2,1"}, {"loss", "softmax"}, {"batch", "4"}}));
        row("bce", refusal("train_mlp", {{"data", "xor"}, {"layers", "2,2"}, {"loss", "bce"}, {"batch", "4"}}));
        row("mse", refusal("train_mlp", {{"data", "xor"}, {"layers", "2,3"}, {"loss", "mse"}, {"batch", "4"}}));
        row("batch", refusal("train_mlp", {{"data", "xor"}, {"layers", "2,2"}, {"batch", "5"}}));
        row("no list", refusal("linear_stack", {{"after", "3,x"}}));
        row("bias", refusal("linear_stack", {{"bias", "1"}}));
        row("after", refusal("linear_stack", {{"depth", "2"}, {"between", "relu"}, {"after", "2"}}));
        row("label", refusal("logits", {{"classes", "3"}, {"label", "4"}}));
        row("fixed setting", refusal("train_mlp", {{"data", "xor"}, {"layers", "2,2"}, {"batch", "4"}}, "batch = 2"));
        row("fixed here", refusal("descend", {}, "batch = 2"));
        row("below zero", refusal("train_mlp", {{"data", "xor"}, {"layers", "2,2"}, {"batch", "4"}}, "lr = -1"));
        row("left out", refusal("train_mlp", {{"data", "xor"}, {"layers", "2,2"}, {"batch", "4"}, {"omit", "step"}}, "lr = 1"));
        row("sgd", refusal("train_mlp", {{"data", "xor"}, {"layers", "2,2"}, {"batch", "4"}}, "momentum = 0.5"));
        row("no point", refusal("descend", {}, "point 0 = 1, 2"));
        row("no parameter", refusal("train_mlp", {{"data", "xor"}, {"layers", "2,2"}, {"batch", "4"}}, "W9[0, 0] = 1"));
        row("outside", refusal("train_mlp", {{"data", "xor"}, {"layers", "2,2"}, {"batch", "4"}}, "W1[7, 7] = 1"));
        row("no edit", refusal("descend", {}, "hello"));
        row("no seed", "a seed is a whole number from 1");
    }

    void the_engine_is_understood() {
        QFETCH(QString, said);
        QVERIFY(!said.isEmpty());
        QCOMPARE(engine_words(said.toStdString()), said); // without a translator it is left as it is
        Translator translator;
        QCoreApplication::installTranslator(&translator);
        const QString korean = engine_words(said.toStdString()), other = engine_words("the teapot is empty");
        QCoreApplication::removeTranslator(&translator);
        QVERIFY2(has_hangul(korean), qPrintable(said));
        QVERIFY2(!korean.contains('%'), qPrintable(korean));
        QCOMPARE(other, QString("the teapot is empty"));
    }
};

QTEST_MAIN(TestKorean)
#include "test_korean.moc"
