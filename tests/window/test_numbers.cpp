#include "tests/window/test_numbers.hpp"

#include "app/window/stage.hpp"
#include "engine/core/element_index.hpp"
#include "engine/trace/derive/finite_difference.hpp"
#include "tests/window/lab.hpp"
#include "tests/window/run_value.hpp"
#include "views/access/press_item.hpp"
#include "views/folds/folds_view.hpp"
#include "views/graph/graph_widget.hpp"
#include "views/plots/plot_view.hpp"
#include "views/tensor/tensor_view.hpp"

#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QRegularExpression>
#include <QTest>
#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>
#include <zip.h>

using namespace gradus;

namespace {

struct OnScreen {
    QWidget* widget;
    ViewItem item;
};

/// Everything on screen that has a value, in a random order, the kinds taking turns: a tensor's cells are many.
std::vector<OnScreen> numbers_on_screen(MainWindow& window, std::mt19937& random) {
    std::map<QString, std::vector<OnScreen>> kinds;
    for (QWidget* widget : window.findChildren<QWidget*>()) {
        const auto* source = dynamic_cast<const HasItems*>(widget);
        if (!source || !widget->isVisible()) continue;
        for (const ViewItem& item : source->items())
            if (!item.value.isEmpty()) { // a graph's ids are names of tensors and ops, all of a kind
                const bool graph = qobject_cast<GraphWidget*>(widget);
                QString kind = item.id.contains('.') ? item.id.section('.', 1) : item.id.section(QRegularExpression("[/ ]"), 0, 0);
                if (kind.startsWith("line")) kind = "line"; // of a listing, all of a kind
                kinds[widget->metaObject()->className() + (graph ? QString() : kind)].push_back({widget, item});
            }
    }
    std::vector<OnScreen> out;
    for (auto& [name, all] : kinds) std::shuffle(all.begin(), all.end(), random);
    for (std::size_t i = 0; i < 400; ++i) {
        std::vector<OnScreen> round;
        for (const auto& [name, all] : kinds)
            if (i < all.size()) round.push_back(all[i]);
        std::shuffle(round.begin(), round.end(), random);
        out.insert(out.end(), round.begin(), round.end());
    }
    return out;
}

/// The .npy arrays of an archive as numbers, whatever their type.
std::map<std::string, std::vector<double>> arrays_in(const QString& path) {
    std::map<std::string, std::vector<double>> out;
    zip_t* archive = zip_open(path.toUtf8().constData(), ZIP_RDONLY, nullptr);
    if (!archive) return out;
    for (zip_int64_t i = 0; i < zip_get_num_entries(archive, 0); ++i) {
        zip_stat_t stat;
        zip_stat_index(archive, static_cast<zip_uint64_t>(i), 0, &stat);
        std::string bytes(stat.size, '\0');
        zip_file_t* file = zip_fopen_index(archive, static_cast<zip_uint64_t>(i), 0);
        zip_fread(file, bytes.data(), bytes.size());
        zip_fclose(file);
        const std::size_t begin = 10 + static_cast<unsigned char>(bytes[8]) + 256u * static_cast<unsigned char>(bytes[9]);
        const std::string head = bytes.substr(10, begin - 10);
        std::vector<double>& numbers = out[stat.name];
        const auto read = [&]<class T>(T) {
            for (std::size_t at = begin; at + sizeof(T) <= bytes.size(); at += sizeof(T)) {
                T value;
                std::memcpy(&value, bytes.data() + at, sizeof(T));
                numbers.push_back(static_cast<double>(value));
            }
        };
        if (head.find("'<f4'") != std::string::npos) read(float{});
        else if (head.find("'<f8'") != std::string::npos) read(double{});
        else if (head.find("'<i4'") != std::string::npos) read(std::int32_t{});
        else if (head.find("'<i8'") != std::string::npos) read(std::int64_t{});
    }
    zip_discard(archive);
    return out;
}

/// Whether every view says in its header that its numbers are of this step; one that is slower says of which they still are.
bool all_show(MainWindow& window, StepIndex step) {
    static const QRegularExpression said(QStringLiteral("step (\\d+)"));
    return std::all_of(window.stage().views().begin(), window.stage().views().end(), [&](const View* view) {
        const QRegularExpressionMatch match = said.match(view->note());
        return !match.hasMatch() || match.captured(1) == QString::number(step);
    });
}

QByteArray gradus_says(const QStringList& words) {
    QProcess process;
    process.start(GRADUS_PROGRAM, words);
    process.waitForFinished(300'000);
    return process.exitStatus() == QProcess::NormalExit && process.exitCode() == 0 ? process.readAllStandardOutput() : QByteArray();
}

} // namespace

void TestNumbers::a_hundred_numbers_picked_at_random_are_in_the_run() {
    const auto given = qEnvironmentVariableIntValue("GRADUS_NUMBERS_SEED");
    const unsigned seed = given > 0 ? static_cast<unsigned>(given) : std::random_device()() % 1'000'000;
    qInfo("GRADUS_NUMBERS_SEED=%u", seed);
    std::mt19937 random(seed);
    LabInUse lab({}, {1600, 1000});
    struct Place {
        std::string card;
        StepIndex last = 0;
        std::vector<std::string> views = {}; ///< none: those of the lesson's first part
    };
    const std::vector<Place> places{
        {"forward-pass-as-matmuls", 7}, {"xor-network", 61}, {"chain-rule-backprop", 3}, {"training-step-anatomy", 5},
        {"neuron-and-activation", 2}, {"gradient-descent-step", 6}, {"softmax-cross-entropy", 4}, {"why-nonlinearity", 3, {"folds", "graph", "tensor"}},
        {"xor-network", 40, {"folds", "regions", "activation"}}, {"neuron-and-activation", 2, {"activation", "neuron", "tensor"}}};
    int found = 0, unknown = 0, asked = 0;
    std::map<QString, int> kinds;
    for (const auto& [card, last, views] : places) {
        QVERIFY(lab.openAt(card, last));
        lab.window().chooseViews(views);
        QVERIFY(lab.settle());
        for (View* view : lab.window().stage().views())
            if (qobject_cast<FoldsView*>(view)) // what folds is asked for
                for (const ViewItem& item : view->items())
                    if (item.id == "fold") press_item(*view, item.rect.center());
        for (int visit = 0; visit < 2; ++visit) {
            if (visit == 1) { // another step, a fork, and something pinned
                lab.presenter().goTo(static_cast<StepIndex>(random() % static_cast<unsigned>(last)));
                lab.settle([&] { return lab.presenter().frame().full != nullptr; });
                const auto& tensors = lab.presenter().frame().full->tensors_of(lab.window().state().cursor.iteration)->tensors;
                std::vector<const RecordedTensor*> floating;
                for (const RecordedTensor& tensor : tensors)
                    if (tensor.tensor.defined() && is_floating(tensor.tensor.dtype()) && tensor.tensor.elements() > 0) floating.push_back(&tensor);
                const RecordedTensor& chosen = *floating[random() % floating.size()];
                const Dim flat = static_cast<Dim>(random() % static_cast<unsigned>(chosen.tensor.elements()));
                lab.presenter().select({chosen.name, index_of(chosen.tensor.shape(), flat)});
            }
            QVERIFY(lab.settle([&] { return lab.presenter().frame().full != nullptr && all_show(lab.window(), lab.window().state().cursor.iteration); }));
            int here = 0;
            for (const OnScreen& at : numbers_on_screen(lab.window(), random)) {
                if (here == 12) break;
                bool known = true;
                const auto value = value_in_run(lab.window(), *at.widget, at.item, known);
                ++asked;
                if (!known) {
                    ++unknown;
                    qInfo("not looked up: %s %s", at.widget->metaObject()->className(), qPrintable(at.item.id));
                }
                if (!value) continue;
                const QString text = at.item.id.startsWith("op ") ? at.item.value.section(", ", 1) : at.item.value;
                const auto written = number_in(text, value->unit);
                const QString where = QStringLiteral("%1 step %2, %3 %4 '%5': on screen %6 (%7), in the Run %8 (%9)")
                    .arg(QString::fromStdString(card)).arg(lab.window().state().cursor.iteration).arg(at.widget->metaObject()->className(), at.item.id, at.item.name,
                         at.item.value, QString::fromLatin1(name_of(at.item.provenance).data())).arg(value->value, 0, 'g', 12).arg(QString::fromLatin1(name_of(value->provenance).data()));
                QVERIFY2(written, qPrintable(where));
                QVERIFY2(written->is(value->value), qPrintable(where));
                const auto all = value->then.empty() ? std::vector<WrittenNumber>() : numbers_in(text);
                QVERIFY2(value->then.empty() || all.size() == value->then.size() + 1, qPrintable(where));
                for (std::size_t i = 0; i < value->then.size(); ++i)
                    QVERIFY2(all[i + 1].is(value->then[i]), qPrintable(where + QStringLiteral(", then %1").arg(value->then[i], 0, 'g', 12)));
                QVERIFY2(at.item.provenance == value->provenance, qPrintable(where));
                ++kinds[at.widget->metaObject()->className()];
                ++found;
                ++here;
            }
        }
    }
    for (const auto& [name, count] : kinds) qInfo("%s: %d", qPrintable(name), count);
    QVERIFY2(found >= 100, qPrintable(QString("%1 found of %2 asked").arg(found).arg(asked)));
    QVERIFY2(kinds.size() >= 6, "numbers of most views were among them");
}

void TestNumbers::the_last_step_is_in_what_the_commands_write() {
    const QTemporaryDir folder;
    const QString record = folder.filePath("run.gradus"), arrays = folder.filePath("run.npz");
    for (const std::string card : {"forward-pass-as-matmuls", "xor-network"}) {
        QFile::remove(record);
        const QJsonObject said = QJsonDocument::fromJson(gradus_says({"run", QString::fromStdString(card), "--record", record, "--json"})).object();
        QVERIFY2(!said.isEmpty(), card.c_str());
        gradus_says({"export", record, "--to", "npz", "-o", arrays});
        const auto exported = arrays_in(arrays);
        QVERIFY2(exported.size() > 4, card.c_str());

        AppState state;
        state.speed = 0;
        LabInUse lab(state);
        lab.window().openCard(QString::fromStdString(card));
        const StepIndex last = lab.presenter().session().planned_steps() - 1;
        lab.window().chooseViews({"graph", "tensor", "series"}); // whatever the part is about
        QVERIFY(lab.goTo(last));
        const QJsonObject scalars = said["scalars"].toObject();
        QCOMPARE(static_cast<StepIndex>(scalars["steps"].toObject()["value"].toDouble()), last + 1);
        int compared = 0;
        for (View* view : lab.window().stage().views()) {
            for (const ViewItem& item : view->items()) {
                const auto written = number_in(item.value);
                if (!written) continue;
                const bool plot = qobject_cast<PlotView*>(view);
                const auto* graph = qobject_cast<GraphWidget*>(view);
                const auto* tensor = qobject_cast<TensorView*>(view);
                const GraphNode* node = graph ? graph->model()->find(item.id.toStdString()) : nullptr;
                if (plot || (node && node->loss())) {
                    const QJsonObject scalar = scalars[plot ? item.id : QStringLiteral("loss")].toObject();
                    if (scalar.isEmpty()) continue; // some series are no scalar of the run
                    QVERIFY2(written->is(scalar["value"].toDouble()), qPrintable(item.id + item.value));
                    QCOMPARE(scalar["provenance"].toString(), QString::fromLatin1(name_of(item.provenance).data()));
                    ++compared;
                    continue;
                }
                const std::string name = node ? node->tensor.name : tensor && tensor->shown() ? tensor->shown()->model.recorded.name : "";
                const auto found = exported.find(QStringLiteral("iter_%1/%2.npy").arg(last, 6, 10, QChar('0')).arg(QString::fromStdString(name)).toStdString());
                if (found == exported.end()) continue;
                if (node && node->tensor.role == Role::gradient) {
                    double sum = 0;
                    for (const double value : found->second) sum += value * value;
                    const double shown = found->second.size() == 1 ? found->second[0] : std::sqrt(sum);
                    QVERIFY2(written->is(shown), qPrintable(item.id + ": " + item.value));
                    ++compared;
                }
                if (tensor && item.id.startsWith("cell/") && tensor->shown()->model.recorded.role != Role::parameter) {
                    std::vector<Dim> index;
                    for (const QString& at : item.id.mid(5).split(',')) index.push_back(at.toLongLong());
                    QVERIFY(written->is(found->second[static_cast<std::size_t>(place_of(tensor->shown()->model.tensor().shape(), index, name))]));
                    ++compared;
                }
            }
        }
        QVERIFY2(compared >= 5, qPrintable(QString("%1: %2 compared").arg(QString::fromStdString(card)).arg(compared)));
    }
}

void TestNumbers::written_numbers_are_read() {
    QVERIFY(number_in("0.693")->is(0.69349) && number_in("0.693")->is(0.6925) && !number_in("0.693")->is(0.6936));
    QVERIFY(number_in("1.23e-5")->is(1.2345e-5) && !number_in("1.23e-5")->is(1.24e-5));
    QVERIFY(number_in("12.3 µs", "s")->is(12.34e-6) && !number_in("12.3 µs", "s")->is(12.3));
    QVERIFY(number_in("45 100 352 values")->is(45));
    QVERIFY(number_in(QStringLiteral("100\u2009352 values"))->is(100352));
    QVERIFY(number_in(QStringLiteral("✕ NaN"))->is(std::nan("")) && !number_in("NaN")->is(1));
    QVERIFY(number_in("-inf")->is(-INFINITY) && !number_in("-inf")->is(INFINITY));
    QVERIFY(!number_in("none") && !number_in("12 x", "s"));
    const auto several = numbers_in(QStringLiteral("w₁ = −0.25, f(w₁, w₂) = 1.5e−3, one 256×64 matrix"));
    QCOMPARE(several.size(), std::size_t{4});
    QVERIFY(several[0].is(-0.25) && several[1].is(1.5e-3) && several[2].is(256) && several[3].is(64));
}
