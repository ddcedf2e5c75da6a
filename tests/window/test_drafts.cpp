#include "app/window/kernel_drafts.hpp"
#include "engine/kernels/ladder.hpp"
#include "engine/simt/kernel_run.hpp"

#include <QElapsedTimer>
#include <QFile>
#include <QSignalSpy>
#include <QTest>

using namespace gradus;
using State = KernelDraft::State;

/// What learners write by mistake: each is answered with one sentence, and the window goes on meanwhile.
class TestDrafts : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void wrong_programs_get_one_answer_each_data();
    void wrong_programs_get_one_answer_each();
    void what_is_newer_replaces_what_is_tried();
    void a_right_text_becomes_the_kernel();

private:
    std::shared_ptr<const KernelDraft> tried(const QString& text, bool run, int most_ms = 20'000);
    QString with(const char* from, const QString& to) const { return QString(text_).replace(QString::fromLatin1(from), to); }

    Setup setup_;
    QString text_;
    KernelDrafts drafts_{nullptr};
    double longest_ms_ = 0; ///< that asking took: what the window would have stood still
};

void TestDrafts::initTestCase() {
    const Experiment& experiment = find_experiment("run_kernel");
    setup_.parameters = experiment.complete({{"ladder", "vector_add"}, {"rung", "1_naive"}, {"sizes", "n=1000"}});
    const auto [ladder, rung] = simt::find_rung("vector_add/1_naive");
    QFile file(QString::fromStdString(simt::file_of(*ladder, *rung)));
    QVERIFY(file.open(QIODevice::ReadOnly));
    text_ = QString::fromUtf8(file.readAll());
    QVERIFY2(text_.contains(QLatin1String("y[i] =")) || text_.contains(QLatin1String("[i] =")), qPrintable(text_));
}

std::shared_ptr<const KernelDraft> TestDrafts::tried(const QString& text, bool run, int most_ms) {
    QElapsedTimer timer;
    timer.start();
    drafts_.want(setup_, text, run);
    std::shared_ptr<const KernelDraft> draft;
    const auto open = [](const KernelDraft& d) { return d.state == State::compiling || d.state == State::running; };
    longest_ms_ = std::max(longest_ms_, static_cast<double>(timer.nsecsElapsed()) / 1e6);
    do {
        QElapsedTimer look;
        look.start();
        draft = drafts_.look();
        longest_ms_ = std::max(longest_ms_, static_cast<double>(look.nsecsElapsed()) / 1e6);
        QTest::qWait(5);
    } while (draft && open(*draft) && timer.elapsed() < most_ms);
    return draft;
}

void TestDrafts::wrong_programs_get_one_answer_each_data() {
    QTest::addColumn<QString>("in_body"); // stands before the guard's line
    QTest::addColumn<QString>("state");
    QTest::addColumn<QString>("words");
    const auto row = [](const char* name, const char* body, const char* state, const char* words) { QTest::newRow(name) << QString::fromLatin1(body) << QString::fromLatin1(state) << QString::fromLatin1(words); };
    row("syntax", "int q = ;", "refused", "expected");
    row("types", "float* p = 3.0f;", "refused", "cannot convert");
    row("missing header", "\n#include \"nowhere.h\"\n", "refused", "nowhere.h");
    row("endless loop", "volatile int z = 0; while (true) z = z + 1;", "failed", "is still at work");
    row("race", "__shared__ int s; s = threadIdx.x; if (s == -5) return;", "ran", "");
    row("out of bounds", "if (threadIdx.x == 3) c[100000000] = 1;", "ran", "");
    row("abort", "__trap();", "ran", "");
    row("huge allocation", "char* p = (char*)malloc(100000000000ull); if (p) p[0] = 1;", "failed|ran", "");
    row("system()", "system(\"touch /tmp/gradus_was_here\");", "failed", "start a process");
    row("printf", "for (int k = 0; k < 5000; ++k) printf(\"%d of many\\n\", k);", "ran", "");
}

void TestDrafts::wrong_programs_get_one_answer_each() {
    QFETCH(QString, in_body);
    QFETCH(QString, state);
    QFETCH(QString, words);
    const qsizetype brace = text_.indexOf('{', text_.indexOf(QLatin1String("__global__")));
    QVERIFY(brace > 0);
    QString text = text_;
    text.insert(brace + 1, '\n' + in_body + '\n');
    QFile::remove(QStringLiteral("/tmp/gradus_was_here"));
    const auto draft = tried(text, true);
    QVERIFY(draft);
    const char* names[] = {"compiling", "compiles", "refused", "running", "failed", "ran"};
    const QString found = QString::fromLatin1(names[static_cast<int>(draft->state)]);
    QVERIFY2(state.split('|').contains(found), qPrintable(found + ": " + draft->sentence));
    if (draft->state == State::refused) {
        QVERIFY(!draft->messages.empty());
        QVERIFY2(draft->messages.front().text.contains(words), qPrintable(draft->messages.front().text));
        QVERIFY(draft->messages.front().line > 0); // at its place
    } else if (draft->state == State::failed) {
        QVERIFY2(draft->sentence.contains(words), qPrintable(draft->sentence));
        QVERIFY(!draft->sentence.isEmpty() && !draft->sentence.contains('\n'));
    }
    const bool prints = in_body.contains(QLatin1String("printf"));
    QCOMPARE(draft->printed.startsWith(QLatin1String("0 of many\n1 of many\n")), prints);
    QCOMPARE(draft->printed_more > 0, prints); // its beginning is kept, in whole lines
    QVERIFY(draft->printed.size() <= 16'384 && (!prints || draft->printed.endsWith(QLatin1String("of many\n"))));
    QVERIFY(!QFile::exists(QStringLiteral("/tmp/gradus_was_here")));
    QVERIFY2(longest_ms_ < 50, qPrintable(QString::number(longest_ms_)));
}

void TestDrafts::what_is_newer_replaces_what_is_tried() {
    const qsizetype brace = text_.indexOf('{', text_.indexOf(QLatin1String("__global__")));
    QString endless = text_;
    endless.insert(brace + 1, QStringLiteral("volatile int z = 0; while (true) z = z + 1;"));
    drafts_.want(setup_, endless, true);
    QTest::qWait(800);
    QElapsedTimer timer;
    timer.start();
    const auto draft = tried(text_, false);
    QVERIFY(draft && draft->state == State::compiles);
    QVERIFY2(timer.elapsed() < 4000, "the endless one was given up");
    drafts_.drop();
    QVERIFY(!drafts_.look());
}

void TestDrafts::a_right_text_becomes_the_kernel() {
    QSignalSpy ran(&drafts_, &KernelDrafts::ran);
    const auto draft = tried(text_ + "// mine\n", true);
    QVERIFY(draft && draft->state == State::ran);
    QCOMPARE(ran.count(), 1);
    QVERIFY(ran.first().first().toString().endsWith(QLatin1String("// mine\n")));
    drafts_.look();
    QCOMPARE(ran.count(), 1); // once
}

QTEST_MAIN(TestDrafts)
#include "test_drafts.moc"
