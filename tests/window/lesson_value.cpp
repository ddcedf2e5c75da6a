#include "tests/window/lesson_value.hpp"

#include "engine/core/element_index.hpp"
#include "engine/trace/derive/legal_folds.hpp"
#include "engine/trace/derive/objective_curve.hpp"
#include "engine/trace/derive/strongest_inputs.hpp"
#include "views/activation/activation_view.hpp"
#include "views/folds/folds_view.hpp"
#include "views/listing/listing_view.hpp"
#include "views/neuron/neuron_view.hpp"
#include "views/probabilities/probabilities_view.hpp"
#include "views/valley/valley_view.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace gradus {

namespace {

/// A text's numbers, one after the other.
RunValue computed(const std::vector<double>& numbers, Provenance provenance = Provenance::computed) {
    return {numbers[0], provenance, {}, {}, {numbers.begin() + 1, numbers.end()}};
}

struct Slope {
    double y = 0, slope = 0;
};

/// An activation by its formula, in double precision.
std::optional<Slope> activation_at(const std::string& op, double z) {
    const double s = 1 / (1 + std::exp(-z)), t = std::tanh(z);
    const double below = 0.5 * std::erfc(-z / std::numbers::sqrt2), density = std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi);
    if (op == "step") return Slope{z > 0 ? 1.0 : 0.0, 0};
    if (op == "sigmoid") return Slope{s, s * (1 - s)};
    if (op == "tanh") return Slope{t, 1 - t * t};
    if (op == "relu") return Slope{std::max(z, 0.0), z > 0 ? 1.0 : 0.0};
    if (op == "gelu") return Slope{z * below, below + z * density};
    if (op == "silu") return Slope{z * s, s * (1 + z * (1 - s))};
    return std::nullopt;
}

class LessonFinder {
public:
    explicit LessonFinder(MainWindow& window)
        : window_(window), state_(window.state()), run_(window.presenter().run()), full_(window.presenter().frame().full) {
        if (full_) tensors_ = full_->tensors_of(state_.cursor.iteration);
    }
    bool ready() const { return tensors_ != nullptr; }

    /// Of a line: what its events took themselves, without what happened in them, and what its ops counted. A line has what
    /// no other line with a longer name has; what the engine counts beside the step, as an accuracy, is no line's.
    std::optional<RunValue> of(const ListingView& view, const ViewItem& item) const {
        const std::string name = item.parts.isEmpty() ? std::string() : item.parts[0].toStdString();
        if (name.empty()) return std::nullopt;
        std::vector<std::string> longer;
        for (const ViewItem& other : view.items())
            if (const std::string at = other.parts.isEmpty() ? std::string() : other.parts[0].toStdString(); at.size() > name.size() && lies_in(at, name)) longer.push_back(at);
        const auto mine = [&](const EventSite& site) {
            const bool beside = !site.outputs.empty() && site.outputs[0].role == Role::metric;
            return !beside && lies_in(site.path, name) && std::none_of(longer.begin(), longer.end(), [&](const std::string& each) { return lies_in(site.path, each); });
        };
        if (item.id.endsWith(".work")) {
            double flops = 0;
            for (std::size_t i = 0; i < run_->sites().size(); ++i)
                if (const EventSite& site = run_->sites()[i]; site.level == Level::op && site.ordinal >= 0 && mine(site)) flops += site.cost.flops;
            return RunValue{flops, Provenance::counted, "FLOP", {}};
        }
        std::shared_ptr<const Run> owner = run_;
        while (state_.cursor.iteration < owner->first_iteration() && owner->parent()) owner = owner->parent();
        if (owner->events_of(state_.cursor.iteration).empty()) owner = full_;
        const std::vector<EventRecord> events = owner->events_of(state_.cursor.iteration);
        const auto site_of = [&](const EventRecord& event) -> const EventSite& { return owner->sites()[static_cast<std::size_t>(event.site)]; };
        const auto took = [&](const EventRecord& event) { return owner->manifest().clock.seconds(event.start, event.end); };
        double seconds = 0;
        for (const EventRecord& event : events) {
            if (!mine(site_of(event))) continue;
            seconds += took(event);
            for (const EventRecord& inner : events)
                if (event.ordinal >= 0 && site_of(inner).parent == event.ordinal) seconds -= took(inner);
        }
        return RunValue{seconds, Provenance::measured, "s", {}};
    }
    std::optional<RunValue> of(const ValleyView&, const ViewItem& item) const {
        const RecordedTensor* w = first("w");
        const bool line = w == nullptr;
        if (item.id.startsWith("point ")) {
            const ObjectiveConstants constants = objective_constants(*full_, *run_, state_.cursor.iteration);
            const std::size_t i = item.id.mid(6).toULongLong();
            return computed({constants.x.at(i), constants.y.at(i)});
        }
        std::vector<double> before, slope, step;
        for (const std::string& name : line ? std::vector<std::string>{"m", "b"} : std::vector<std::string>{"w"}) {
            const RecordedTensor *from = first(name), *to = tensors_->find(name), *gradient = tensors_->find("d" + name);
            if (!from || !to || !gradient) return std::nullopt;
            for (Dim i = 0; i < from->tensor.elements(); ++i) {
                before.push_back(from->tensor.at(i));
                slope.push_back(gradient->tensor.at(i));
                step.push_back(to->tensor.at(i) - from->tensor.at(i));
            }
        }
        if (item.id == "slope") return computed(slope);
        if (item.id == "step") return computed(step);
        if (item.id != "point" && item.id != "line") return std::nullopt;
        before.push_back(tensors_->find("loss")->tensor.at(0));
        return computed(before);
    }
    std::optional<RunValue> of(const ProbabilitiesView&, const ViewItem& item) const {
        if (item.id == "loss") return computed({tensors_->find("loss")->tensor.at(0)});
        if (item.id == "point") return row_of(tensors_->find("p"));
        if (item.id == "arrow") return row_of(tensors_->find("dz"));
        if (item.id == "step") return row_of(tensors_->find("dz"), -std::stod(run_->manifest().parameters.at("lr")));
        const QString tensor = item.id.section('/', 0, 0);
        if (!item.id.contains('/') || tensor == "corner") return std::nullopt; // a whole row; a class
        const RecordedTensor* recorded = tensor == "z" ? first("z") : tensors_->find(tensor.toStdString());
        if (!recorded) return std::nullopt;
        return computed({recorded->tensor.at(Dim{0}, item.id.section('/', 1).toLongLong())});
    }
    /// z by a sum in double precision must agree with what the net's own ops make of the same numbers.
    std::optional<RunValue> of(const NeuronView&, const ViewItem& item) const {
        const auto data = window_.presenter().data();
        const auto layer = first_layer(*run_);
        if (!data || !layer) return std::nullopt;
        const Tensor &weight = first(layer->weight)->tensor, &bias = first(layer->bias)->tensor, &x = data->test_x;
        const Dim chosen = std::max<Dim>(neuron_of(state_.selection, *layer), 0);
        if (item.id == "weights") {
            double largest = 0;
            for (Dim i = 0; i < weight.shape()[0]; ++i) largest = std::max(largest, std::abs(weight.at(i, chosen)));
            return computed({-largest, largest});
        }
        const NeuronAnswers answers = neuron_answers(*full_, *run_, state_.cursor.iteration, x, neuron_images);
        const auto said = [&](Dim example, Dim neuron) {
            double z = bias.at(neuron), size = std::abs(z);
            for (Dim i = 0; i < weight.shape()[0]; ++i) {
                const double term = x.at(example, i) / (is_floating(x.dtype()) ? 1 : 255) * weight.at(i, neuron);
                z += term;
                size += std::abs(term);
            }
            std::vector<double> out{std::abs(answers.z_of(example, neuron) - z) <= 1e-5 * size ? answers.z_of(example, neuron) : std::nan("")};
            if (!answers.a.empty()) out.push_back(answers.a_of(example, neuron));
            return out;
        };
        std::vector<Dim> order(static_cast<std::size_t>(answers.examples));
        for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<Dim>(i);
        std::stable_sort(order.begin(), order.end(), [&](Dim a, Dim b) { return answers.z_of(a, chosen) > answers.z_of(b, chosen); });
        if (item.id.startsWith("image ")) {
            const Dim example = order.at(item.id.mid(6).toULongLong());
            std::vector<double> out{static_cast<double>(example), data->test_y.at(example)};
            for (const double number : said(example, chosen)) out.push_back(number);
            return computed(out);
        }
        if (!item.id.startsWith("neuron ")) return std::nullopt; // a heading
        return computed(said(state_.example >= 0 && state_.example < answers.examples ? static_cast<Dim>(state_.example) : order.front(), item.id.mid(7).toLongLong()));
    }
    std::optional<RunValue> of(const ActivationView&, const ViewItem& item) const {
        if (item.id != "point") { // a curve says what it is at 1
            const auto there = activation_at(item.id.toStdString(), 1);
            return there ? std::optional(computed({1, there->y, there->slope})) : std::nullopt;
        }
        const std::vector<ActivationUse> uses = activation_uses(*run_);
        const ActivationChoice choice = activation_choice(*run_, uses, state_.selection);
        const ActivationUse& use = uses.at(choice.use);
        const RecordedTensor *z = tensors_->find(use.z), *a = tensors_->find(use.a);
        const auto place = z && a ? place_of(z->tensor.shape(), choice.index) : std::nullopt;
        if (!place) return std::nullopt;
        const auto there = activation_at(std::string(activation_ops()[use.op]), z->tensor.at(*place));
        return computed({z->tensor.at(*place), a->tensor.at(*place), there.value().slope});
    }
    std::optional<RunValue> of(const FoldsView&, const ViewItem& item) const {
        const std::vector<ChainStep> chain = chain_of(*run_);
        struct Part {
            double rows = 0, columns = 0;
            bool empty = true;
        };
        std::vector<Part> parts(1);
        int matrices = 0, barriers = 0, stops = 0;
        std::vector<double> only;
        for (std::size_t i = 0; i < chain.size(); ++i) {
            if (chain[i].kind == ChainStep::Kind::matrix) {
                ++matrices;
                if (parts.back().empty) parts.back().rows = static_cast<double>(chain[i].shape[0]);
                parts.back().columns = static_cast<double>(chain[i].shape[1]);
                parts.back().empty = false;
            }
            if (chain[i].is_linear()) continue;
            const RecordedTensor *in = tensors_->find(chain[i].input), *out = tensors_->find(chain[i].output);
            if (!in || !out) return std::nullopt;
            const bool reduces = in->tensor.elements() != out->tensor.elements(); // as a loss does: no number stays
            Dim changed = 0;
            for (Dim k = 0; k < in->tensor.elements(); ++k) changed += reduces || in->tensor.at(k) != out->tensor.at(k);
            only = {static_cast<double>(changed), static_cast<double>(in->tensor.elements())};
            if (item.id == QStringLiteral("step %1").arg(i)) return computed(only, Provenance::counted);
            ++barriers;
            if (changed == 0) continue;
            ++stops;
            parts.emplace_back();
        }
        std::erase_if(parts, [](const Part& part) { return part.empty; });
        if (item.id == "matrices_left") return computed({static_cast<double>(parts.size()), static_cast<double>(matrices)}, Provenance::counted);
        if (item.id.startsWith("group ")) {
            const Part& part = parts.at(item.id.mid(6).toULongLong());
            return computed({part.rows, part.columns}, Provenance::counted);
        }
        if (item.id == "input" || item.id == "output") {
            const RecordedTensor* data = tensors_->find(item.id == "input" ? chain.front().input : chain.back().output);
            if (!data || data->tensor.shape().rank() != 2) return std::nullopt;
            return computed({static_cast<double>(data->tensor.shape()[0]), static_cast<double>(data->tensor.shape()[1])}, Provenance::counted);
        }
        if (item.id.startsWith("result ")) { // where all of it folds the experiment did the same
            const auto difference = parts.size() == 1 ? run_->value_at("largest_difference", state_.cursor.iteration) : std::nullopt;
            return difference ? std::optional(computed({*difference})) : std::nullopt;
        }
        if (item.id != "why" || barriers == 0) return std::nullopt; // a sentence without a number
        if (barriers == 1) return computed(stops == 0 ? std::vector{only[1]} : only, Provenance::counted);
        return computed(stops == 0 ? std::vector{1.0 * barriers} : std::vector{1.0 * barriers, 1.0 * stops}, Provenance::counted);
    }

private:
    static bool lies_in(const std::string& path, const std::string& name) {
        return path == name || path.starts_with(name + '/') || path.starts_with(name + ' ');
    }
    static std::optional<RunValue> row_of(const RecordedTensor* recorded, double factor = 1) {
        if (!recorded) return std::nullopt;
        std::vector<double> numbers;
        for (Dim i = 0; i < recorded->tensor.shape()[1]; ++i) numbers.push_back(factor * recorded->tensor.at(Dim{0}, i));
        return computed(numbers);
    }
    const RecordedTensor* first(const std::string& name) const {
        for (const RecordedTensor& tensor : tensors_->tensors)
            if (tensor.name == name && tensor.tensor.defined()) return &tensor;
        return nullptr;
    }

    MainWindow& window_;
    const AppState& state_;
    std::shared_ptr<const Run> run_, full_;
    std::shared_ptr<const IterationTensors> tensors_;
};

} // namespace

std::optional<RunValue> value_in_lesson(MainWindow& window, const QWidget& widget, const ViewItem& item, bool& known) {
    const LessonFinder finder(window);
    known = true;
    const auto found = [&]<class V>(const V* view) { return finder.ready() ? finder.of(*view, item) : std::nullopt; };
    if (const auto* view = qobject_cast<const ListingView*>(&widget)) return found(view);
    if (const auto* view = qobject_cast<const ValleyView*>(&widget)) return found(view);
    if (const auto* view = qobject_cast<const ProbabilitiesView*>(&widget)) return found(view);
    if (const auto* view = qobject_cast<const NeuronView*>(&widget)) return found(view);
    if (const auto* view = qobject_cast<const ActivationView*>(&widget)) return found(view);
    if (const auto* view = qobject_cast<const FoldsView*>(&widget)) return found(view);
    known = false;
    return std::nullopt;
}

} // namespace gradus
