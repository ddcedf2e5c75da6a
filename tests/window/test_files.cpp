// What the window has to do with files: export, recording, and cards that are being written.
#include "app/window/export_panel.hpp"
#include "app/window/header_bar.hpp"
#include "app/window/lesson_driver.hpp"
#include "app/window/main_window.hpp"
#include "app/window/picture.hpp"
#include "app/window/quiet_line.hpp"
#include "app/window/recording.hpp"
#include "app/window/settle.hpp"
#include "app/window/stage.hpp"
#include "app/window/translator.hpp"
#include "app/window/window_files.hpp"
#include "engine/core/error.hpp"
#include "engine/trace/derive/diff.hpp"
#include "engine/io/export/export.hpp"
#include "engine/trace/file/reader.hpp"
#include "tests/support/show_active.hpp"
#include "tests/window/scratch.hpp"
#include "views/plots/plot_view.hpp"

#include <QComboBox>
#include <QLineEdit>
#include <QShortcut>
#include <QXmlStreamReader>

using namespace gradus;
using gradus::test::show_active;

namespace {

RunRequest request(StepIndex steps) {
    RunRequest r;
    r.parameters = {{"data", "spirals"}, {"layers", "2,16,16,2"}, {"batch", "32"}, {"lr", "0.1"}};
    r.steps = steps;
    r.device.threads = 1;
    return r;
}

template <class T> T* named(QWidget* in, const QString& name) {
    for (T* one : in->findChildren<T*>())
        if (one->accessibleName() == name) return one;
    return nullptr;
}

void choose(QComboBox* box, const QString& data) {
    const int at = box->findData(data);
    QVERIFY2(at >= 0, qPrintable(data));
    box->setCurrentIndex(at);
}

} // namespace

class TestFiles : public QObject {
    Q_OBJECT

    ScratchHome home;

    /// Played to its end as fast as it goes.
    std::unique_ptr<MainWindow> finished(StepIndex steps = 60) {
        auto window = std::make_unique<MainWindow>(request(steps));
        show_active(*window);
        window->presenter().setSpeed(0);
        [&] {
            QTRY_VERIFY_WITH_TIMEOUT(window->session().run(0) && window->session().run(0)->state() == RunState::finished, patience_ms);
            settle(*window, [&] { return !window->presenter().runs().empty() && window->presenter().frame().full && !window->presenter().playing(); });
        }();
        return window;
    }
    ExportPanel* opened(MainWindow& window, const QString& what, const QString& format) {
        window.files().openExport(what);
        ExportPanel* panel = window.files().panel();
        choose(named<QComboBox>(panel, "What"), what);
        choose(named<QComboBox>(panel, "Format"), format);
        return panel;
    }
    /// What the panel says once it is done.
    QString written(ExportPanel* panel, const QString& path) {
        auto* name = named<QLineEdit>(panel, "File");
        name->setFocus();
        name->selectAll();
        QTest::keyClicks(name, path);
        QTest::keyClick(name, Qt::Key_Return);
        [&] { QTRY_VERIFY_WITH_TIMEOUT(!panel->busy() && !panel->said().startsWith("Writing"), patience_ms); }();
        return panel->said();
    }
    void close(MainWindow& window) {
        QTest::keyClick(window.files().panel(), Qt::Key_Escape);
        QTRY_VERIFY(!window.files().panel());
    }

private slots:
    void views_and_the_window_are_written_as_pictures() {
        const auto window = finished();
        for (const char* what : {"window", "graph", "series"})
            for (const char* format : {"png", "svg", "pdf"}) {
                const QString path = home.path(QString("%1.%2").arg(what, format));
                QTest::keyClick(window.get(), Qt::Key_E, Qt::ControlModifier);
                QVERIFY(window->files().panel());
                choose(named<QComboBox>(window->files().panel(), "What"), what);
                choose(named<QComboBox>(window->files().panel(), "Format"), format);
                const QString said = written(window->files().panel(), path);
                QVERIFY2(said.startsWith("Written to " + path + " (") && said.endsWith("B)."), qPrintable(said));
                close(*window);
                const QByteArray bytes = contentsOf(path);
                const QWidget* widget = window.get();
                if (QString(what) != "window") widget = window->stage().views()[QString(what) == "graph" ? 0 : 1];
                if (QString(format) == "png") {
                    const QImage image = QImage::fromData(bytes, "PNG");
                    QCOMPARE(image.size(), widget->size());
                    const QImage now = const_cast<QWidget*>(widget)->grab().toImage().convertToFormat(image.format());
                    qint64 other = 0; // a ring round what has the keys, measured times: little, where the panel would be much
                    for (int y = 0; y < image.height(); ++y)
                        for (int x = 0; x < image.width(); ++x) other += image.pixel(x, y) != now.pixel(x, y);
                    QVERIFY2(other < qint64{image.width()} * image.height() / 100, qPrintable(QString::number(other)));
                } else if (QString(format) == "pdf") {
                    QVERIFY(bytes.startsWith("%PDF-") && bytes.contains("/Font"));
                } else {
                    QXmlStreamReader xml(bytes);
                    QString texts;
                    while (!xml.atEnd())
                        if (xml.readNext() == QXmlStreamReader::Characters) texts += xml.text();
                    QVERIFY2(!xml.hasError(), qPrintable(xml.errorString()));
                    if (QString(what) != "graph") QVERIFY(texts.contains("Loss")); // text stays text
                    QVERIFY(bytes.contains(QString("viewBox=\"0 0 %1 %2\"").arg(widget->width()).arg(widget->height()).toUtf8()));
                    QSet<QString> ids; // no two pieces share a name
                    QXmlStreamReader again(bytes);
                    while (!again.atEnd())
                        if (again.readNext() == QXmlStreamReader::StartElement)
                            if (const QString id = again.attributes().value("id").toString(); !id.isEmpty()) {
                                QVERIFY2(!ids.contains(id), qPrintable(id));
                                ids.insert(id);
                            }
                }
            }
    }

    // A card that is read again brings other views under the open panel.
    void a_view_that_left_the_stage_is_said() {
        const auto window = finished();
        ExportPanel* panel = opened(*window, "series", "png");
        window->presenter().change("views", [](AppState& state) { state.views = {"graph"}; });
        QTRY_VERIFY((window->frame(), window->findChildren<PlotView*>().isEmpty()));
        const QString path = home.path("gone.png"), said = written(panel, path);
        QVERIFY2(said.endsWith(" is no longer on stage."), qPrintable(said));
        QVERIFY(!QFile::exists(path) && panel->isVisible());
        choose(named<QComboBox>(panel, "What"), "window"); // another choice goes on
        QVERIFY(written(panel, path).startsWith("Written to "));
    }

    void a_run_or_a_part_of_it_is_written_in_every_format() {
        const auto window = finished();
        window->presenter().goTo(7);
        window->presenter().toggleBookmark();
        ExportPanel* panel = opened(*window, "run", "csv");
        QVERIFY(written(panel, home.path("all.csv")).startsWith("Written to"));
        QCOMPARE(contentsOf(home.path("all.csv")).count('\n'), 61);
        named<QLineEdit>(panel, "First step")->setText("5");
        named<QLineEdit>(panel, "Last step")->setText("9");
        QVERIFY(written(panel, home.path("part.csv")).startsWith("Written to"));
        const QList<QByteArray> rows = contentsOf(home.path("part.csv")).split('\n');
        QCOMPARE(rows.size(), 7); // the names, five rows, and nothing after the last end
        QVERIFY(rows[1].startsWith("5,") && rows[5].startsWith("9,") && rows[0].endsWith(",bookmark\r"));
        QVERIFY(rows[3].endsWith(",1\r") && rows[4].endsWith(",\r"));
        choose(named<QComboBox>(panel, "Format"), "perfetto");
        QVERIFY(written(panel, home.path("run.json.gz")).startsWith("Written to"));
        QVERIFY(contentsOf(home.path("run.json.gz")).startsWith("\x1f\x8b"));
        choose(named<QComboBox>(panel, "Format"), "npz");
        QVERIFY(written(panel, home.path("run.npz")).startsWith("Written to"));
        QVERIFY(contentsOf(home.path("run.npz")).contains("iter_000005"));
        QVERIFY(!contentsOf(home.path("run.npz")).contains("iter_000010"));
        choose(named<QComboBox>(panel, "Format"), "gradus");
        QVERIFY(!named<QLineEdit>(panel, "First step")->isEnabled());
        QVERIFY(written(panel, home.path("run.gradus")).startsWith("Written to"));
        close(*window);
        const RunFile file = read_run_file(home.file("run.gradus"));
        QVERIFY(file.whole && file.runs.size() == 1);
        QVERIFY(!diff_runs(*window->session().run(0), *file.runs[0]).first);
    }

    void what_cannot_be_is_said_in_one_sentence() {
        const auto window = finished();
        ExportPanel* panel = opened(*window, "run", "csv");
        for (const auto& [from, to] : {std::pair{"9", "5"}, {"-1", "5"}, {"0", "60"}, {"a", "5"}}) {
            named<QLineEdit>(panel, "First step")->setText(from);
            named<QLineEdit>(panel, "Last step")->setText(to);
            QCOMPARE(written(panel, home.path("no.csv")), QString("Steps are whole numbers from 0 to 59."));
        }
        QVERIFY(!QFile::exists(home.path("no.csv")));
        named<QLineEdit>(panel, "First step")->setText("0");
        named<QLineEdit>(panel, "Last step")->setText("5");
        QVERIFY(written(panel, "/proc/nonexistent/a.csv").contains("there is no folder /proc/nonexistent"));
        QVERIFY(written(panel, "/proc/a.csv").startsWith("✕ /proc/a.csv cannot be written: "));
        QVERIFY(written(panel, "/").contains("needs a name"));
        choose(named<QComboBox>(panel, "What"), "window");
        QVERIFY(written(panel, "/proc/nonexistent/a.png").contains("there is no folder"));
        QVERIFY(!panel->said().contains('\n'));
        close(*window);
    }

    void a_file_that_is_there_is_replaced_only_when_asked_again() {
        const auto window = finished();
        const QString path = home.path("mine.csv");
        replaceFile(path, "mine");
        ExportPanel* panel = opened(*window, "run", "csv");
        QCOMPARE(written(panel, path), path + " is there already.");
        QCOMPARE(contentsOf(path), QByteArray("mine"));
        QTest::keyClick(panel, Qt::Key_Return);
        QTRY_VERIFY(panel->said().startsWith("Written to"));
        QVERIFY(contentsOf(path).startsWith("iteration,"));
        close(*window);
    }

    void keys_rest_while_the_panel_is_open() {
        const auto window = finished();
        window->presenter().goTo(20);
        ExportPanel* panel = opened(*window, "run", "csv");
        auto* name = named<QLineEdit>(panel, "File");
        name->setFocus();
        name->clear();
        QTest::keyClicks(name, "b c");
        QTest::keyClick(name, Qt::Key_Home);
        QCOMPARE(name->text(), QString("b c"));
        QCOMPARE(window->state().cursor.iteration, StepIndex{20});
        QVERIFY(window->state().bookmarks.empty());
        close(*window);
        QTest::keyClick(window.get(), Qt::Key_B);
        QCOMPARE(window->state().bookmarks.size(), std::size_t{1});
    }

    void an_export_is_stopped_by_escape() {
        const auto window = finished();
        ExportChoices choices;
        choices.run = window->presenter().run();
        choices.run_name = choices.run_stem = "run";
        std::atomic<bool> begun{false};
        choices.save = [&](const std::filesystem::path&) {
            begun = true;
            QTest::qSleep(300);
            throw StoppedError("the export was stopped");
        };
        auto* panel = new ExportPanel(window->theme(), choices, "recording", window.get());
        named<QLineEdit>(panel, "File")->setText(home.path("never.gradus"));
        QTest::keyClick(panel, Qt::Key_Return);
        QTRY_VERIFY(begun);
        QVERIFY(panel->busy());
        QTest::keyClick(panel, Qt::Key_Escape);
        QTRY_COMPARE(panel->said(), QString("Stopped; nothing was written."));
        QVERIFY(!QFile::exists(home.path("never.gradus")));
        QTest::keyClick(panel, Qt::Key_Escape);
    }

    void what_runs_is_recorded_and_the_pill_says_how_much() {
        const std::filesystem::path folder = home.file("state/gradus");
        auto library = std::make_shared<const Library>(load_library(home.lessons()));
        std::filesystem::path file;
        {
            Recording recording(folder, {});
            AppState state;
            state.card = "xor-network";
            state.speed = 0;
            MainWindow window(library, state, nullptr, &recording);
            show_active(window);
            const auto pill = [&]() -> QLabel* {
                for (QLabel* one : window.header().findChildren<QLabel*>())
                    if (one->text().startsWith("REC")) return one;
                return nullptr;
            };
            QTRY_VERIFY_WITH_TIMEOUT(pill() && pill()->isVisible() && pill()->text().endsWith("B"), patience_ms);
            QTRY_VERIFY_WITH_TIMEOUT(window.session().run(0) && window.session().run(0)->head() > 500, patience_ms);
            file = recording.file();
            QVERIFY(std::filesystem::exists(file));
            window.session().pause();
            QTRY_VERIFY(!window.session().status().playing && !window.session().status().busy);
            window.frame();
            window.presenter().goTo(100);
            window.presenter().submit(Edit::parse("lr = 0.3"));
            QTRY_VERIFY_WITH_TIMEOUT(window.session().runs().size() == 2 && window.session().run(1)->head() > 100, patience_ms);
            QTest::keyClick(&window, Qt::Key_R, Qt::ControlModifier); // off
            QVERIFY(!recording.on());
            QTRY_VERIFY(!pill() || !pill()->isVisible());
            QTRY_VERIFY(!std::filesystem::exists(file));
            QTest::keyClick(&window, Qt::Key_R, Qt::ControlModifier); // and on again: from the beginning
            QTRY_VERIFY_WITH_TIMEOUT(!recording.file().empty() && recording.bytes() > 0, patience_ms);
            file = recording.file();
            // "Save the run as …" copies what is being written.
            QTest::keyClick(&window, Qt::Key_S, Qt::ControlModifier);
            QVERIFY(window.files().panel());
            QCOMPARE(named<QComboBox>(window.files().panel(), "Format")->currentData().toString(), QString("gradus"));
            QTest::qWait(300);
            QVERIFY(written(window.files().panel(), home.path("kept.gradus")).startsWith("Written to"));
            close(window);
            QCOMPARE(read_run_file(home.file("kept.gradus")).runs.size(), std::size_t{2});
            // Another lesson is recorded into a file of its own; the one before goes.
            window.openCard("lines-and-composition");
            QTRY_VERIFY_WITH_TIMEOUT(!recording.file().empty() && recording.file() != file, patience_ms);
            QVERIFY(std::filesystem::exists(file)); // until the start after a crash would find the new one
            recording.dropFormer();
            QTRY_VERIFY(!std::filesystem::exists(file));
            file = recording.file();
        }
        const RunFile read = read_run_file(file); // a clean end
        QVERIFY(!std::filesystem::exists(file.string() + "-wal"));
        QCOMPARE(QString::fromStdString(read.runs.at(0)->manifest().card), QString("lines-and-composition"));
        const std::filesystem::path mine = folder / "mine.gradus", dead = folder / "run-999999999-1.gradus";
        for (const auto& path : {mine, dead}) std::filesystem::copy_file(file, path);
        const Recording next(folder, file); // the next start: what nobody needs is removed
        QVERIFY(std::filesystem::exists(file) && std::filesystem::exists(mine) && !std::filesystem::exists(dead));
    }

    void a_folder_that_cannot_be_written_is_said_and_the_lesson_goes_on() {
        Recording recording("/proc/nowhere", {});
        AppState state;
        state.card = "xor-network";
        MainWindow window(std::make_shared<const Library>(load_library(home.lessons())), state, nullptr, &recording);
        show_active(window);
        QTRY_VERIFY_WITH_TIMEOUT(window.session().run(0) && window.session().run(0)->head() > 3, patience_ms);
        const auto said = [&] {
            for (QuietLine* line : window.findChildren<QuietLine*>())
                if (line->sentence().startsWith("Nothing more is recorded: ")) return true;
            return false;
        };
        QTRY_VERIFY(said());
    }

    void a_card_is_read_again_when_it_is_saved() {
        const std::filesystem::path lessons = home.lessons();
        AppState state;
        state.card = "xor-network";
        state.speed = 0;
        MainWindow window(std::make_shared<const Library>(load_library(lessons)), state);
        show_active(window);
        QTRY_VERIFY_WITH_TIMEOUT(!window.presenter().runs().empty() && window.presenter().run()->head() > 300, patience_ms);
        window.presenter().setCardStep(2);
        window.presenter().goTo(123);
        window.frame();
        QCOMPARE(window.state().cursor.iteration, StepIndex{123});
        const Run* before = window.presenter().run().get();
        const QString folder = QString::fromStdString((lessons / "cards/xor-network").string());
        const QByteArray card = contentsOf(folder + "/card.toml"), english = contentsOf(folder + "/en.md");
        const auto title = [&] { return QString::fromStdString(window.lesson().card()->title.en); };
        const auto problem = [&]() -> QString {
            for (QuietLine* line : window.findChildren<QuietLine*>())
                if (line->isVisible() && line->sentence().contains("xor-network")) return line->sentence();
            return {};
        };
        for (int i = 1; i <= 3; ++i) { // each time another file takes the name
            const QByteArray words = "Title " + QByteArray::number(i);
            replaceFile(folder + "/card.toml", QByteArray(card).replace("XOR: the smallest network that needs a hidden layer", words));
            QTRY_COMPARE_WITH_TIMEOUT(title(), QString(words), patience_ms);
        }
        replaceFile(folder + "/en.md", QByteArray(english).replace("## fold\n", "## fold\nA new sentence.\n"));
        QTRY_VERIFY_WITH_TIMEOUT(window.lesson().look().text.contains("A new sentence."), patience_ms);
        QCOMPARE(window.state().card_step, std::size_t{2});
        QCOMPARE(window.state().cursor.iteration, StepIndex{123});
        QCOMPARE(window.presenter().run().get(), before); // the same Run goes on

        replaceFile(folder + "/card.toml", QByteArray(card).replace("minutes = 15", "minutes = soon"));
        QTRY_VERIFY_WITH_TIMEOUT(problem().contains("card.toml:6"), patience_ms);
        QCOMPARE(title(), QString("Title 3")); // the last good card stays
        QVERIFY(!problem().contains('\n'));
        {
            QFile in_place(folder + "/card.toml"); // written into, not replaced
            QVERIFY(in_place.open(QIODevice::WriteOnly));
            in_place.write(card);
        }
        QTRY_VERIFY_WITH_TIMEOUT(problem().isEmpty() && title().startsWith("XOR"), patience_ms);
        QFile::remove(folder + "/ko.md");
        QTRY_VERIFY_WITH_TIMEOUT(problem().contains("ko.md"), patience_ms);
        replaceFile(folder + "/ko.md", contentsOf(QString(GRADUS_SOURCE_FOLDER) + "/lessons/cards/xor-network/ko.md"));
        QTRY_VERIFY_WITH_TIMEOUT(problem().isEmpty(), patience_ms);

        replaceFile(folder + "/card.toml", QByteArray(card).replace("lr = 0.1", "lr = 0.2")); // another experiment starts anew
        QTRY_VERIFY_WITH_TIMEOUT(window.session().setup().parameters.at("lr") == "0.2", patience_ms);
        QTRY_COMPARE_WITH_TIMEOUT(window.state().cursor.iteration, StepIndex{123}, patience_ms);
        QCOMPARE(window.state().card_step, std::size_t{2});
    }

    void the_panel_speaks_korean() {
        AppState state;
        state.card = "xor-network";
        state.language = Language::ko;
        state.speed = 0;
        MainWindow window(std::make_shared<const Library>(load_library(home.lessons())), state);
        show_active(window);
        QTRY_VERIFY_WITH_TIMEOUT(!window.presenter().runs().empty() && window.presenter().run()->head() > 20, patience_ms);
        window.files().openExport("run");
        ExportPanel* panel = window.files().panel();
        const auto boxes = panel->findChildren<QComboBox*>();
        QCOMPARE(boxes.size(), 2);
        for (int what = 0; what < boxes[0]->count(); ++what) {
            boxes[0]->setCurrentIndex(what);
            for (int format = 0; format < boxes[1]->count(); ++format) boxes[1]->setCurrentIndex(format);
        }
        boxes[1]->setCurrentIndex(boxes[1]->findData("csv"));
        auto* name = panel->findChildren<QLineEdit*>().back();
        for (const char* path : {"", "/proc/nonexistent/a.csv", "one.csv", "one.csv"}) {
            name->setText(*path ? (QString(path).startsWith("one") ? home.path(path) : path) : "");
            QMetaObject::invokeMethod(panel, "go");
            QTRY_VERIFY(!panel->busy() && !panel->said().isEmpty());
        }
        close(window);
        const QSet<QString>& missing = window.translator()->missing();
        QVERIFY2(missing.isEmpty(), qPrintable(QStringList(missing.begin(), missing.end()).join("; ")));
    }

    void pictures_refuse_other_endings() {
        QVERIFY_EXCEPTION_THROWN(picture_format("a.bmp"), ArgumentError);
        QVERIFY_EXCEPTION_THROWN(picture_format("png"), ArgumentError);
        QCOMPARE(size_text(950), QString("950 B"));
        QCOMPARE(size_text(38'200'000), QString("38 MB"));
        QCOMPARE(size_text(1'230'000), QString("1.2 MB"));
    }
};

QTEST_MAIN(TestFiles)
#include "test_files.moc"
