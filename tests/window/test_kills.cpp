// A lab that is killed in mid-lesson opens where it was, and goes on to the same bits. The lab that is killed is this very
// program with --child: it opens the window as gradus does and works in it at random.
#include <QObject> // first: see presenter.hpp

#include "app/window/lab.hpp"
#include "app/window/lesson_driver.hpp"
#include "app/window/quiet_line.hpp"
#include "app/window/stage.hpp"
#include "app/window/state_file.hpp"
#include "app/window/window_files.hpp"
#include "app/window/window_main.hpp"
#include "engine/trace/derive/diff.hpp"
#include "engine/trace/file/reader.hpp"
#include "tests/support/show_active.hpp"
#include "tests/support/slowed.hpp"
#include "tests/window/scratch.hpp"

#include <QApplication>
#include <QProcess>
#include <QRandomGenerator>
#include <cstdio>

using namespace gradus;
using gradus::test::show_active;

namespace {

constexpr const char* lesson = "xor-network";

Library lessons() { return load_library(std::filesystem::path(GRADUS_SOURCE_FOLDER) / "lessons"); }

/// One thing that somebody might do.
void act(MainWindow& window, QRandomGenerator& random) {
    Presenter& presenter = window.presenter();
    if (presenter.runs().empty() || presenter.resuming()) return;
    if (window.files().offering() && random.bounded(6) == 0) {
        random.bounded(4) == 0 ? window.files().startAnew() : window.files().goOn();
        return;
    }
    const StepIndex head = presenter.run()->head();
    switch (random.bounded(10)) {
    case 0: presenter.playOrPause(); break;
    case 1: presenter.setSpeed(random.bounded(2) ? 0 : 300); break;
    case 2:
    case 3:
        if (head < 3 || presenter.runs().size() > 6) break;
        presenter.goTo(random.bounded(static_cast<int>(head)));
        presenter.submit(Edit::parse(random.bounded(2) ? "lr = 0.3" : "W1[0, 1] = 0.5"));
        break;
    case 4: presenter.toggleBookmark(); break;
    case 5: presenter.setCardStep(static_cast<std::size_t>(random.bounded(6))); break;
    case 6: presenter.change("theme", [&](AppState& s) { s.theme = random.bounded(2) ? ThemeMode::dark : ThemeMode::light; }); break;
    case 8: { // the second check, whose key trains no nets: it is asked beside the last part
        const Card& card = *window.lesson().card();
        presenter.setCardStep(card.lesson.size() - 1);
        window.lesson().goToCheck(1);
        window.lesson().answer(QString::fromStdString(card.checks[1].id), "9");
        break;
    }
    case 7: presenter.selectRun(static_cast<std::size_t>(random.bounded(static_cast<int>(presenter.runs().size())))); break;
    default: window.chooseViews(random.bounded(2) ? std::vector<std::string>{"graph", "timeline"} : std::vector<std::string>{}); break;
    }
}

/// Works in the window until it is killed; with GRADUS_TEST_QUIT it is closed by itself.
void work_at_random() {
    if (!qEnvironmentVariableIsSet("GRADUS_TEST_SEED")) return;
    auto* timer = new QTimer(QCoreApplication::instance());
    auto random = std::make_shared<QRandomGenerator>(qEnvironmentVariableIntValue("GRADUS_TEST_SEED"));
    QObject::connect(timer, &QTimer::timeout, [random] {
        for (QWidget* widget : QApplication::topLevelWidgets())
            if (auto* window = qobject_cast<MainWindow*>(widget)) act(*window, *random);
    });
    timer->start(70);
    QTimer::singleShot(0, timer, [] { // every answer that was said to be kept is written down here, too
        for (QWidget* widget : QApplication::topLevelWidgets())
            if (auto* window = qobject_cast<MainWindow*>(widget))
                QObject::connect(&window->lesson(), &LessonDriver::progressed, window, [] {
                    QFile file(qEnvironmentVariable("HOME") + "/answered");
                    if (file.open(QIODevice::Append)) file.write("x");
                });
    });
    if (const int ms = qEnvironmentVariableIntValue("GRADUS_TEST_QUIT"))
        QTimer::singleShot(ms, QCoreApplication::instance(), [] { QApplication::quit(); });
}
Q_COREAPP_STARTUP_FUNCTION(work_at_random)

} // namespace

class TestKills : public QObject {
    Q_OBJECT

    ScratchHome home;

    /// Runs the lab for so long; killed, or closed where `quit`.
    void live(int seed, int milliseconds, bool quit) {
        QProcess child;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("GRADUS_TEST_SEED", QString::number(seed));
        environment.insert("QT_QPA_PLATFORM", "offscreen");
        if (quit) environment.insert("GRADUS_TEST_QUIT", QString::number(milliseconds));
        child.setProcessEnvironment(environment);
        child.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        child.start(QCoreApplication::applicationFilePath(), {"--child"});
        QVERIFY(child.waitForStarted());
        if (!quit) {
            QVERIFY(!child.waitForFinished(milliseconds)); // it does not end by itself
            child.kill();
        }
        QVERIFY(child.waitForFinished(patience_ms));
        QCOMPARE(child.exitStatus(), quit ? QProcess::NormalExit : QProcess::CrashExit);
    }

    struct Seen {
        bool offered = false;
        std::size_t runs = 0;
        StepIndex steps = 0;
    };
    /// The next start: everything is where it was, and goes on to the same bits.
    Seen look() {
        Seen seen;
        [&] {
            const auto last = LastSession::read(LastSession::standard_path());
            if (!last) return; // killed within its first second
            std::error_code error;
            std::optional<RunFile> recorded;
            if (!last->recording.empty() && std::filesystem::exists(last->recording, error)) recorded = read_run_file(last->recording);
            LastTime before = LastTime::read(lesson, "en");
            before.state.speed = 1; // the new run shall not overtake the old one
            Lab lab(lessons(), before);
            MainWindow& window = lab.window();
            show_active(window);
            QCOMPARE(window.state().card, last->state.card);
            QCOMPARE(window.state().card_step, last->state.card_step);
            QCOMPARE(window.state().bookmarks, last->state.bookmarks);
            QCOMPARE(window.state().views, last->state.views);
            if (!recorded || recorded->runs.empty() || recorded->runs[0]->head() <= 1) return;
            QTRY_VERIFY_WITH_TIMEOUT(window.files().offering(), patience_ms);
            window.frame();
            const auto* line = window.findChild<QuietLine*>("offer");
            QVERIFY(line->isVisible() && line->buttons().size() == 2);
            const std::size_t run = std::min(last->state.run, recorded->runs.size() - 1);
            const StepIndex end = recorded->runs[run]->head() - 1;
            const StepIndex step = last->state.cursor.at_head ? end : std::min(last->state.cursor.iteration, end);
            QVERIFY2(line->buttons()[0]->text().contains(QString("step %1").arg(step)), qPrintable(line->buttons()[0]->text()));
            QTest::keyClick(&window, Qt::Key_G, Qt::ControlModifier);
            QTRY_VERIFY_WITH_TIMEOUT(!window.presenter().resuming(), patience_ms);
            window.frame();
            QVERIFY2(window.presenter().status().refusals == 0, window.presenter().status().refusal.c_str());
            QCOMPARE(window.session().runs().size(), recorded->runs.size());
            for (std::size_t i = 0; i < recorded->runs.size(); ++i) {
                const auto again = window.session().run(i);
                QCOMPARE(again->head(), recorded->runs[i]->head());
                const DiffResult result = diff_runs(*recorded->runs[i], *again);
                QVERIFY2(!result.first, result.first ? result.first->sentence().c_str() : "");
            }
            QCOMPARE(window.state().run, run);
            QCOMPARE(window.state().cursor.iteration, step);
            QTRY_VERIFY_WITH_TIMEOUT(!std::filesystem::exists(last->recording), patience_ms); // the new recording has it all
            const auto answers = Progress(Progress::standard_path()).answers(lesson);
            QVERIFY(answers.size() >= static_cast<std::size_t>(contentsOf(home.path("answered")).size()));
            seen = {true, recorded->runs.size(), recorded->runs[0]->head()};
        }();
        return seen;
    }

private slots:
    void initTestCase() { QCoreApplication::setApplicationName("gradus"); }

    void a_killed_lab_goes_on_to_the_same_bits() {
        const int kills = qEnvironmentVariableIsSet("GRADUS_TEST_KILLS") ? qEnvironmentVariableIntValue("GRADUS_TEST_KILLS") : 10;
        QRandomGenerator random(2026);
        int offered = 0;
        std::size_t most_runs = 0;
        for (int i = 0; i < kills; ++i) {
            const int milliseconds = test::slowed * (300 + random.bounded(4200));
            live(i, milliseconds, false);
            const Seen seen = look();
            if (QTest::currentTestFailed()) {
                qWarning("kill %d after %d ms", i, milliseconds);
                return;
            }
            offered += seen.offered;
            most_runs = std::max(most_runs, seen.runs);
            qInfo("killed after %d ms: %s, %zu runs, %lld steps", milliseconds, seen.offered ? "goes on" : "nothing to go on with",
                  seen.runs, static_cast<long long>(seen.steps));
        }
        QVERIFY2(offered > kills / 2, qPrintable(QString::number(offered)));
        QVERIFY2(most_runs > 1, "no fork was made"); // else the test would show little
        QVERIFY2(!contentsOf(home.path("answered")).isEmpty(), "nothing was answered");
    }

    void a_clean_end_offers_the_same() {
        live(77, 2500, true);
        QVERIFY(look().offered);
    }

    void to_start_anew_gives_the_old_run_up() {
        live(78, 2500, true);
        const auto last = LastSession::read(LastSession::standard_path());
        QVERIFY(last && std::filesystem::exists(last->recording));
        {
            LastTime before = LastTime::read(lesson, "en");
            before.state.speed = 1;
            Lab lab(lessons(), before);
            show_active(lab.window());
            QTRY_VERIFY_WITH_TIMEOUT(lab.window().files().offering(), patience_ms);
            QTest::keyClick(&lab.window(), Qt::Key_N, Qt::ControlModifier);
            QVERIFY(!lab.window().files().offering());
            QTRY_VERIFY_WITH_TIMEOUT(!std::filesystem::exists(last->recording), patience_ms);
            QTRY_VERIFY_WITH_TIMEOUT(lab.window().session().run(0) && lab.window().session().run(0)->head() > 2, patience_ms);
        }
        const auto next = LastSession::read(LastSession::standard_path());
        QVERIFY(next && next->recording != last->recording && std::filesystem::exists(next->recording));
    }

    void a_damaged_recording_or_state_is_said_and_nothing_is_lost() {
        live(80, 2500, true);
        auto last = LastSession::read(LastSession::standard_path());
        QVERIFY(last && std::filesystem::exists(last->recording));
        replaceFile(QString::fromStdString(last->recording.string()), "this is no recording");
        {
            Lab lab(lessons(), LastTime::read(lesson, "en"));
            show_active(lab.window());
            const auto* line = lab.window().findChild<QuietLine*>("offer");
            QTRY_VERIFY_WITH_TIMEOUT(line->sentence().startsWith("The last run cannot be read: "), patience_ms);
            QVERIFY(!lab.window().files().offering());
        }
        replaceFile(QString::fromStdString(LastSession::standard_path().string()), "{broken");
        QVERIFY(!LastSession::read(LastSession::standard_path()));
        Lab lab(lessons(), LastTime::read(lesson, "en"));
        show_active(lab.window());
        QTRY_VERIFY_WITH_TIMEOUT(lab.window().session().run(0) && lab.window().session().run(0)->head() > 1, patience_ms);
    }
};

int main(int argc, char** argv) {
    if (argc > 1 && QByteArray(argv[1]) == "--child") {
        argc = 1;
        return run_window(argc, argv, [] { return Lessons{lessons(), lesson}; }, "en");
    }
    QApplication application(argc, argv);
    TestKills test;
    return QTest::qExec(&test, argc, argv);
}
#include "test_kills.moc"
