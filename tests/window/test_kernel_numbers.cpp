// What the kernel theatre says of a rung is what `gradus kernel --json` counts of it: each line's requests, their sum, and the levels below. Every
// rung of every ladder where GRADUS_ALL_RUNGS is set.
#include "engine/kernels/ladder.hpp"
#include "engine/trace/derive/event_tree.hpp"
#include "engine/trace/derive/line_counters.hpp"
#include "lessons/runtime/session.hpp"
#include "views/theatre/theatre_view.hpp"
#include "views/theatre/theatre_words.hpp"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTest>
#include <map>
#include <set>
#include <tuple>

using namespace gradus;

namespace {

using Place = std::tuple<QString, int, QString, QString, QString>; // file, line, what is done, space, buffer

struct Counted {
    std::int64_t steps = 0, transfers = 0, ideal = 0;
    bool operator==(const Counted&) const = default;
};

QString name_of_op(simt::Op op) { return QString::fromUtf8(simt::name_of(op).data()); }
QString name_of_space(simt::Space space) { return QString::fromUtf8(simt::name_of(space).data()); }

/// By line, of one launch, from the program's own report.
std::map<Place, Counted> told(const QJsonObject& launch) {
    std::map<Place, Counted> out;
    for (const QJsonValue& each : launch["counters"]["lines"].toArray()) {
        const QJsonObject line = each.toObject();
        const QString space = line["space"].toString();
        if (space != QLatin1String("global") && space != QLatin1String("shared")) continue;
        const QString unit = space == QLatin1String("global") ? QStringLiteral("sectors") : QStringLiteral("wavefronts");
        Counted& at = out[{line["file"].toString().section('/', -1), line["line"].toInt(), line["op"].toString(), space, line["buffer"].toString()}];
        at.steps += line["steps"].toInteger();
        at.transfers += line[unit].toInteger();
        at.ideal += line[unit + "_ideal"].toInteger();
    }
    return out;
}

std::map<Place, Counted> shown(const TheatreModel& model, const QString& file) {
    std::map<Place, Counted> out;
    for (std::size_t line = 0; line < model.code.size(); ++line)
        for (const auto* accesses : {&model.code[line].sectors, &model.code[line].wavefronts})
            for (const LineAccess& access : *accesses) {
                Counted& at = out[{file, static_cast<int>(line) + 1, name_of_op(access.op), name_of_space(access.space), QString::fromStdString(access.buffer)}];
                at.steps += access.steps, at.transfers += access.transfers, at.ideal += access.ideal;
            }
    return out;
}

QString words_of(const std::map<Place, Counted>& all) {
    QStringList out;
    for (const auto& [place, count] : all)
        out << QStringLiteral("%1, line %2 %3 %4 %5: %6 requests, %7 transfers, ideal %8")
                   .arg(std::get<0>(place)).arg(std::get<1>(place)).arg(std::get<2>(place), std::get<3>(place), std::get<4>(place)).arg(count.steps).arg(count.transfers).arg(count.ideal);
    return out.join('\n');
}

} // namespace

class TestKernelNumbers : public QObject {
    Q_OBJECT

private slots:
    void the_theatre_says_what_the_program_counts_data();
    void the_theatre_says_what_the_program_counts();
};

void TestKernelNumbers::the_theatre_says_what_the_program_counts_data() {
    QTest::addColumn<QString>("name");
    const QStringList few{"transpose/1_naive", "matmul/3_shared", "attention/2_tiled", "histogram/2_shared", "softmax/3_warp"};
    const bool all = qEnvironmentVariableIsSet("GRADUS_ALL_RUNGS");
    for (const Ladder& ladder : all_ladders())
        for (const Rung& rung : ladder.rungs) {
            const QString name = QString::fromStdString(ladder.id + "/" + rung.id);
            if (all || few.contains(name)) QTest::newRow(qPrintable(name)) << name;
        }
}

void TestKernelNumbers::the_theatre_says_what_the_program_counts() {
    QFETCH(QString, name);
    QProcess program;
    program.start(QStringLiteral(GRADUS_PROGRAM), {"kernel", name, "--json"});
    QVERIFY(program.waitForFinished(120'000));
    const QByteArray said = program.readAllStandardOutput();
    const QJsonObject report = QJsonDocument::fromJson(said).object();
    QVERIFY2(report.contains("launches"), said + program.readAllStandardError());
    const QJsonArray launches = report["launches"].toArray();

    RunRequest request;
    request.experiment = "run_kernel";
    request.parameters = {{"ladder", name.section('/', 0, 0).toStdString()}, {"rung", name.section('/', 1).toStdString()}};
    request.steps = 1;
    Session session(request);
    session.play();
    session.wait();
    QVERIFY2(session.status().failure.empty(), session.status().failure.c_str());
    const std::vector<std::shared_ptr<const Run>> runs = session.runs();
    const EventTree tree(*runs[0], 0);
    const std::shared_ptr<const KernelEvents> kernels = tree.kernels();
    QVERIFY(kernels);
    const KernelTrace& trace = kernels->trace();
    QCOMPARE(static_cast<qsizetype>(trace.launches.size()), launches.size());

    AppState state;
    state.cursor.iteration = 0;
    TheatreView view(load_theme(ThemeMode::light), nullptr);
    view.resize(1500, 1400);
    view.show();
    for (std::size_t i = 0; i < trace.launches.size(); ++i) {
        const QJsonObject counters = launches[static_cast<qsizetype>(i)]["counters"].toObject();
        const TheatreModel& model = view.picture().model;
        const auto stand = [&](Level level, std::int32_t ordinal) {
            state.cursor.level = level;
            state.cursor.ordinal = ordinal;
            Look look{runs, state, runs[0], 1, 1};
            look.kernels = kernels;
            view.present(look);
        };
        const auto wanted = told(launches[static_cast<qsizetype>(i)].toObject());
        std::map<Place, Counted> found;
        std::set<std::int32_t> files;
        for (const KernelTrace::Line& line : trace.lines)
            if (line.launch == i && line.place.file >= 0) files.insert(line.place.file);
        // The file that is open at a launch is its first; any other opens where one stands in it.
        for (const std::int32_t file : files) {
            std::size_t step = 0;
            while (step < trace.steps() && (trace.log.blocks[trace.block_of(step)].launch != i || trace.sites[trace.log.site[step]].place.file != file || !trace.is_shown(step))) ++step;
            if (step < trace.steps()) stand(Level::warp_instruction, kernels->of_step(step));
            else if (files.size() == 1) stand(Level::kernel, kernels->of_launch(i));
            else continue; // of a launch of which nothing is recorded
            QCOMPARE(model.launch, i);
            found.merge(shown(model, QString::fromStdString(trace.files[static_cast<std::size_t>(file)]).section('/', -1)));
        }
        stand(Level::kernel, kernels->of_launch(i));
        QCOMPARE(model.launch, i);
        QVERIFY2(wanted == found, qPrintable(QStringLiteral("the program:\n%1\nthe theatre:\n%2").arg(words_of(wanted), words_of(found))));
        // The lines come to the whole, whoever asks.
        for (const simt::Space space : {simt::Space::global, simt::Space::shared}) {
            const QString unit = space == simt::Space::global ? QStringLiteral("sectors") : QStringLiteral("wavefronts");
            std::int64_t sum = 0, ideal = 0;
            for (const auto& [place, count] : found)
                if (std::get<3>(place) == name_of_space(space)) sum += count.transfers, ideal += count.ideal;
            QCOMPARE(sum, static_cast<std::int64_t>(counters[unit].toInteger()));
            QCOMPARE(ideal, static_cast<std::int64_t>(counters[unit + "_ideal"].toInteger()));
            QCOMPARE(launch_total(trace, i, space).transfers, sum);
            // So do the steps, where all blocks are recorded.
            if (!trace.launches[i].whole) continue;
            std::int64_t stepped = 0;
            for (std::size_t step = 0; step < trace.steps(); ++step) {
                if (trace.log.blocks[trace.block_of(step)].launch != i) continue;
                const KernelTrace::Accesses accesses = trace.accesses(step);
                if (accesses.count && trace.ranges[accesses.of[0].range].space == space) stepped += trace.transfers(step);
            }
            QCOMPARE(stepped, sum);
        }
        // What stands beside a line is said in those numbers.
        for (const ViewItem& item : view.items()) {
            if (!item.id.startsWith(QLatin1String("counters")) || !item.id.contains('.')) continue;
            const int line = item.id.mid(8).section('.', 0, 0).toInt();
            const bool shared = item.id.endsWith(QLatin1String("wavefronts"));
            const QStringList words = item.value.split('\n');
            QStringList wants;
            const TheatreLine& code = model.code[static_cast<std::size_t>(line) - 1];
            for (const LineAccess& access : shared ? code.wavefronts : code.sectors) wants << counter_words(access);
            QCOMPARE(words, wants);
        }
    }
    // A block is the sum of its steps.
    for (std::size_t block = 0; block < trace.log.blocks.size() && block < 4; ++block) {
        if (trace.cut() || trace.warps != ~0u) continue;
        const auto [begin, end] = trace.steps_of_block(block);
        if (end - begin > 5000) continue;
        double read = 0, written = 0;
        for (std::size_t step = begin; step < end; ++step) {
            const EventSite* site = kernels->find(kernels->of_step(step));
            QVERIFY(site);
            read += site->cost.bytes_read, written += site->cost.bytes_written;
        }
        const EventSite* whole = kernels->find(kernels->of_block(block));
        QVERIFY(whole);
        QCOMPARE(whole->cost.bytes_read, read);
        QCOMPARE(whole->cost.bytes_written, written);
    }
}

QTEST_MAIN(TestKernelNumbers)
#include "test_kernel_numbers.moc"
