#include "tests/window/run_value.hpp"

#include "engine/core/element_index.hpp"
#include "engine/trace/derive/decision_field.hpp"
#include "engine/trace/derive/finite_difference.hpp"
#include "engine/trace/derive/tensor_statistics.hpp"
#include "tests/window/lesson_value.hpp"
#include "views/derive/step_reach.hpp"
#include "views/flow/gradient_flow_view.hpp"
#include "views/graph/graph_widget.hpp"
#include "views/overview/run_strips.hpp"
#include "views/plots/plot_view.hpp"
#include "views/regions/regions_view.hpp"
#include "views/runs/run_list.hpp"
#include "views/tensor/tensor_view.hpp"
#include "views/timeline/timeline_view.hpp"

#include <QRegularExpression>
#include <algorithm>
#include <cmath>

namespace gradus {

bool WrittenNumber::is(double exact) const {
    if (std::isnan(value)) return std::isnan(exact);
    if (std::isinf(value)) return exact == value;
    return std::abs(exact - value) <= half_unit * (1 + 1e-9) + std::abs(exact) * 1e-12;
}

namespace {

QString plain_of(const QString& text) {
    QString plain = text;
    plain.remove(QChar(0x2009)); // thin spaces between thousands
    return plain.replace(QChar(0x2212), '-');
}

const QRegularExpression& number_pattern() {
    static const QRegularExpression number(R"((?<![\w.])(NaN|-?inf|-?\d+(?:\.(\d+))?(?:e([+-]?\d+))?)(?:\s?([nµmkMGTP]?)([A-Za-z]+))?)");
    return number;
}

std::optional<WrittenNumber> number_of(const QRegularExpressionMatch& match, const QString& unit) {
    const QString digits = match.captured(1);
    if (digits == "NaN") return WrittenNumber{std::nan(""), 0};
    if (digits.endsWith("inf")) return WrittenNumber{digits.startsWith('-') ? -INFINITY : INFINITY, 0};
    double scale = 1;
    if (!unit.isEmpty()) {
        static const std::map<QString, double> prefixes{{"", 1}, {"n", 1e-9}, {"µ", 1e-6}, {"m", 1e-3}, {"k", 1e3}, {"M", 1e6}, {"G", 1e9}, {"T", 1e12}, {"P", 1e15}};
        const QString written = match.captured(4) + match.captured(5);
        if (!written.endsWith(unit)) return std::nullopt;
        const auto prefix = prefixes.find(written.chopped(unit.size()));
        if (prefix == prefixes.end()) return std::nullopt;
        scale = prefix->second;
    }
    const double last = std::pow(10.0, match.captured(3).toInt() - static_cast<int>(match.captured(2).size()));
    return WrittenNumber{digits.toDouble() * scale, 0.5 * last * scale};
}

} // namespace

std::optional<WrittenNumber> number_in(const QString& text, const QString& unit) {
    const auto match = number_pattern().match(plain_of(text));
    return match.hasMatch() ? number_of(match, unit) : std::nullopt;
}

std::vector<WrittenNumber> numbers_in(const QString& text) {
    std::vector<WrittenNumber> out;
    const QString plain = plain_of(text);
    for (auto at = number_pattern().globalMatch(plain); at.hasNext();) out.push_back(number_of(at.next(), {}).value());
    return out;
}

namespace {

/// One look at the Run for one item.
class Finder {
public:
    explicit Finder(MainWindow& window)
        : state_(window.state()), run_(window.presenter().run()), full_(window.presenter().frame().full),
          planned_(window.presenter().session().planned_steps()) {
        if (full_) tensors_ = full_->tensors_of(state_.cursor.iteration);
    }

    std::optional<RunValue> of(const GraphWidget& graph, const ViewItem& item) const {
        const GraphNode* node = graph.model()->find(item.id.toStdString());
        if (!node || !tensors_) return std::nullopt;
        if (const GraphItem* box = graph.geometryOfItems().find(item.id.toStdString()); box && !box->measured.isEmpty()) return costOf(*node, graph.geometryOfItems().ruler);
        if (const auto loss = run_->value_at("loss", state_.cursor.iteration); node->loss() && loss) return RunValue{*loss, Provenance::computed, {}, {}};
        const bool is_state = node->tensor.ordinal < 0 && !isUpdated(node->tensor.name);
        const RecordedTensor* tensor = is_state ? first(node->tensor.name) : tensors_->find(node->tensor.name);
        if (!tensor) return std::nullopt;
        return RunValue{tensor->tensor.elements() == 1 ? tensor->tensor.at(0) : norm(tensor->tensor), Provenance::computed, {}, {}};
    }
    /// What a ruler reads at a box: the costs of its ops, or how long they took in this step.
    std::optional<RunValue> costOf(const GraphNode& node, Ruler ruler) const {
        double cost = 0;
        const auto is_its = [&](const EventSite& site) { return std::any_of(node.ops.begin(), node.ops.end(), [&](const GraphOp& op) { return op.ordinal == site.ordinal; }); };
        if (ruler == Ruler::time) {
            for (const EventRecord& event : full_->events_of(state_.cursor.iteration))
                if (is_its(full_->sites()[static_cast<std::size_t>(event.site)])) cost += full_->manifest().clock.seconds(event.start, event.end);
            return RunValue{cost, Provenance::measured, "s", {}};
        }
        for (std::size_t i = 0; i < run_->sites().size(); ++i)
            if (const EventSite& site = run_->sites()[i]; is_its(site)) cost += ruler == Ruler::flops ? site.cost.flops : site.cost.bytes_read + site.cost.bytes_written;
        return RunValue{cost, Provenance::counted, ruler == Ruler::flops ? "FLOP" : "B", {}};
    }
    /// Whether the cursor stands inside the step, at or after the op that writes this parameter for the next one.
    bool isUpdated(const std::string& parameter) const {
        if (state_.cursor.level <= Level::iteration) return false;
        const std::int32_t last = reach_at(*run_, state_.cursor.ordinal).last;
        for (std::size_t i = 0; i < run_->sites().size(); ++i) {
            const EventSite& site = run_->sites()[i];
            if (site.phase != Phase::update || site.level != Level::op || site.ordinal > last) continue;
            for (const OutputInfo& out : site.outputs)
                if (out.name == parameter) return true;
        }
        return false;
    }
    std::optional<RunValue> of(const PlotView&, const ViewItem& item) const {
        const Series* series = run_->find_series(item.id.toStdString());
        const auto value = run_->value_at(item.id.toStdString(), state_.cursor.iteration);
        if (!series || !value) return std::nullopt;
        return RunValue{*value, series->info().provenance, {}, {}};
    }
    std::optional<RunValue> of(const TensorView& view, const ViewItem& item) const {
        const std::string name = view.shown()->model.recorded.name;
        const RecordedTensor* tensor = state_.selection.tensor.empty() || name == state_.selection.tensor ? state_or_last(name) : nullptr;
        if (!tensor) return std::nullopt;
        const auto statistics = [&] { return statistics_of(tensor->tensor); };
        if (item.id == "number") return RunValue{tensor->tensor.at(0), Provenance::computed, {}, {}};
        if (item.id.startsWith("cell/") || item.id == "pinned") {
            std::vector<Dim> index;
            if (item.id == "pinned") index = state_.selection.element;
            else
                for (const QString& at : item.id.mid(5).split(',')) index.push_back(at.toLongLong());
            return RunValue{tensor->tensor.at(place_of(tensor->tensor.shape(), index, name)), Provenance::computed, {}, {}};
        }
        if (item.id == "legend/upper") return RunValue{statistics().clip, Provenance::computed, {}, {}};
        if (item.id == "legend/lower") return RunValue{statistics().has_negative() ? -statistics().clip : 0, Provenance::computed, {}, {}};
        if (item.id == "histogram") return RunValue{static_cast<double>(tensor->tensor.elements()), Provenance::counted, {}, {}};
        if (item.id.startsWith("picture/")) {
            const RecordedTensor* labels = nullptr;
            for (const RecordedTensor& each : tensors_->tensors)
                if (each.role == Role::data && !is_floating(each.tensor.dtype()) && each.tensor.shape().rank() == 1) labels = &each;
            if (!labels) return std::nullopt;
            return RunValue{labels->tensor.at(item.id.mid(8).toLongLong()), Provenance::computed, {}, {}};
        }
        return std::nullopt; // shape, frame, slices: places, not numbers
    }
    std::optional<RunValue> of(const GradientFlowView&, const ViewItem& item) const {
        if (item.id == "check") {
            static const QRegularExpression place(R"((\S+)\[(.*)\]$)");
            const auto match = place.match(item.name);
            std::vector<Dim> index;
            for (const QString& at : match.captured(2).split(',')) index.push_back(at.trimmed().toLongLong());
            for (const GradientLayer& layer : gradient_layers(*run_))
                for (const GradientSite& site : layer.gradients)
                    if (!site.value.empty() && match.captured(1) == written(site.value) && static_cast<int>(index.size()) == site.shape.rank())
                        return RunValue{finite_difference(*full_, *run_, state_.cursor.iteration, site.value, index).difference, Provenance::computed, {}, {}};
            return std::nullopt;
        }
        if (item.id.endsWith(".update")) {
            const std::string name = item.id.chopped(7).toStdString();
            const RecordedTensor *before = first(name), *after = tensors_->find(name);
            double moved = 0;
            for (Dim i = 0; i < before->tensor.elements(); ++i) moved += std::pow(after->tensor.at(i) - before->tensor.at(i), 2);
            return RunValue{std::sqrt(moved) / norm(before->tensor), Provenance::computed, {}, {}};
        }
        const bool sizes = item.id.endsWith(".sizes");
        const RecordedTensor* gradient = tensors_->find((sizes ? item.id.chopped(6) : item.id).toStdString());
        if (!gradient) return std::nullopt;
        if (!sizes) return RunValue{norm(gradient->tensor), Provenance::computed, {}, {}};
        Dim zeros = 0;
        for (Dim i = 0; i < gradient->tensor.elements(); ++i) zeros += gradient->tensor.at(i) == 0;
        return RunValue{100.0 * static_cast<double>(zeros) / static_cast<double>(gradient->tensor.elements()), Provenance::counted, {}, {}};
    }
    std::optional<RunValue> of(const RegionsView&, const ViewItem& item) const {
        const auto inputs = forward_inputs(*full_, *run_, state_.cursor.iteration);
        DType dtype = DType::f32;
        for (const RecordedTensor& input : inputs)
            if (input.role == Role::parameter) dtype = input.tensor.dtype();
        ForwardPass pass(*full_, inputs, {dtype, 1, false});
        const DecisionRule rule = decision_rule(pass);
        const PlanePoints points = plane_points(*full_, *run_, state_.cursor.iteration);
        const auto predicted = [&](std::size_t i) { return rule.class_of(outputs_at(pass, std::span(points.x).subspan(2 * i, 2))); };
        if (item.id == "plane") {
            int wrong = 0;
            for (std::size_t i = 0; i < points.size(); ++i) wrong += predicted(i) != points.labels[i];
            return RunValue{static_cast<double>(wrong), Provenance::counted, {}, {}};
        }
        return RunValue{static_cast<double>(predicted(item.id.mid(6).toULongLong())), Provenance::computed, {}, {}};
    }
    std::optional<RunValue> of(const TimelineView& view, const ViewItem& item) const {
        if (view.model().again) return std::nullopt;
        if (item.id.startsWith("event ")) return seconds(item.id.mid(6).toInt(), -1);
        const int site = item.id.mid(3).toInt();
        if (site >= 0) return seconds(-1, site);
        double whole = 0, inside = 0; // the time between ops
        for (const EventRecord& event : full_->events_of(state_.cursor.iteration)) {
            const EventSite& at = site_of(event);
            const double took = full_->manifest().clock.seconds(event.start, event.end);
            if (at.level == Level::iteration) whole += took;
            else if ((at.level == Level::op && at.parent >= 0) || (at.level == Level::phase && at.ordinal < 0)) inside += at.ordinal < 0 ? 0 : took;
        }
        return RunValue{whole - inside, Provenance::measured, "s", {}};
    }
    std::optional<RunValue> of(const RunStrips&, const ViewItem& item, const std::vector<std::shared_ptr<const Run>>& runs) const {
        const QStringList words = item.id.split(' ');
        if (words[0] == "branch") return RunValue{static_cast<double>(runs[words[1].toULongLong()]->head()), Provenance::computed, {}, {}};
        if (words[0] != "band") return std::nullopt;
        const StepIndex iteration = words[1].toLongLong();
        std::shared_ptr<const Run> owner = run_;
        while (iteration < owner->first_iteration() && owner->parent()) owner = owner->parent();
        for (const EventRecord& event : owner->events_of(iteration))
            if (event.ordinal == words[2].toInt()) return RunValue{owner->manifest().clock.seconds(event.start, event.end), Provenance::measured, "s", {}};
        return std::nullopt;
    }
    std::optional<RunValue> of(const RunList&, const ViewItem& item, const std::vector<std::shared_ptr<const Run>>& runs) const {
        for (const auto& run : runs)
            if (QString::fromStdString(run->manifest().id) == item.id)
                return RunValue{run->value_at("loss", std::min(state_.cursor.iteration, run->head() - 1)).value(), Provenance::computed, {}, {}};
        return std::nullopt;
    }

private:
    static QString written(const std::string& name) {
        QString out;
        for (const char c : name) out += c >= '0' && c <= '9' ? QChar(0x2080 + (c - '0')) : QChar(c);
        return out;
    }
    const EventSite& site_of(const EventRecord& event) const { return full_->sites()[static_cast<std::size_t>(event.site)]; }
    std::optional<RunValue> seconds(int ordinal, int site) const {
        for (const EventRecord& event : run_->events_of(state_.cursor.iteration))
            if (site < 0 ? event.ordinal == ordinal : event.site == site)
                return RunValue{run_->manifest().clock.seconds(event.start, event.end), Provenance::measured, "s", {}};
        return std::nullopt;
    }
    const RecordedTensor* first(const std::string& name) const {
        for (const RecordedTensor& tensor : tensors_->tensors)
            if (tensor.name == name && tensor.tensor.defined()) return &tensor;
        return nullptr;
    }
    const RecordedTensor* state_or_last(const std::string& name) const {
        const RecordedTensor* found = first(name);
        const bool state = found && (found->role == Role::parameter || found->role == Role::optimizer_state);
        return state ? found : tensors_->find(name);
    }
    static double norm(const Tensor& tensor) {
        double sum = 0;
        for (Dim i = 0; i < tensor.elements(); ++i) sum += tensor.at(i) * tensor.at(i);
        return std::sqrt(sum);
    }

    const AppState& state_;
    std::shared_ptr<const Run> run_, full_;
    StepIndex planned_;
    std::shared_ptr<const IterationTensors> tensors_;
};

} // namespace

std::optional<RunValue> value_in_run(MainWindow& window, const QWidget& widget, const ViewItem& item, bool& known) {
    const Finder finder(window);
    const auto& runs = window.presenter().runs();
    known = true;
    if (const auto* view = qobject_cast<const GraphWidget*>(&widget)) return finder.of(*view, item);
    if (const auto* view = qobject_cast<const PlotView*>(&widget)) return finder.of(*view, item);
    if (const auto* view = qobject_cast<const TensorView*>(&widget)) return finder.of(*view, item);
    if (const auto* view = qobject_cast<const GradientFlowView*>(&widget)) return finder.of(*view, item);
    if (const auto* view = qobject_cast<const RegionsView*>(&widget)) return finder.of(*view, item);
    if (const auto* view = qobject_cast<const TimelineView*>(&widget)) return finder.of(*view, item);
    if (const auto* view = qobject_cast<const RunStrips*>(&widget)) return finder.of(*view, item, runs);
    if (const auto* view = qobject_cast<const RunList*>(&widget)) return finder.of(*view, item, runs);
    return value_in_lesson(window, widget, item, known);
}

} // namespace gradus
