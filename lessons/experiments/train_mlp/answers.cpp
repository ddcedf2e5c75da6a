#include "lessons/experiments/train_mlp/answers.hpp"

#include "engine/core/error.hpp"
#include "engine/core/text.hpp"
#include "lessons/experiments/train_mlp/process.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <limits>

namespace gradus::mlp {

std::unique_ptr<TrainProcess> trained_until(const Asked& asked, StepIndex iteration) {
    auto process = std::make_unique<TrainProcess>(asked.setup);
    for (StepIndex step = 0; step < iteration; ++step) {
        process->network().load_batch(step);
        process->network().step();
    }
    process->network().load_batch(iteration);
    return process;
}

bool same_run(const Asked& asked) {
    return asked.run && asked.run->manifest().parameters == asked.setup.parameters &&
           asked.run->manifest().seed == asked.setup.seed && !asked.run->parent() && asked.run->edits().empty();
}

namespace {

std::vector<Dim> widths_of(const Asked& asked) { return parse_widths(asked.setup.parameters.at("layers")); }

Dim weight_count(const std::vector<Dim>& widths) {
    Dim count = 0;
    for (std::size_t i = 1; i < widths.size(); ++i) count += widths[i - 1] * widths[i];
    return count;
}

Dim bias_count(const std::vector<Dim>& widths) {
    Dim count = 0;
    for (std::size_t i = 1; i < widths.size(); ++i) count += widths[i];
    return count;
}

Dim batch_size(const Asked& asked) {
    const auto batch = parse_integer(asked.setup.parameters.at("batch")).value_or(0);
    return batch > 0 ? batch : asked.setup.data->get(asked.setup.parameters.at("data"), asked.setup.seed)->size();
}

std::size_t widest_product(const std::vector<Dim>& widths) {
    std::size_t best = 1;
    for (std::size_t i = 2; i < widths.size(); ++i)
        if (widths[i - 1] * widths[i] > widths[best - 1] * widths[best]) best = i;
    return best;
}

Answer parameters(const Asked& asked) {
    return counted(static_cast<double>(weight_count(widths_of(asked)) + bias_count(widths_of(asked))));
}
Answer weights(const Asked& asked) { return counted(static_cast<double>(weight_count(widths_of(asked)))); }
Answer first_weight_matrix(const Asked& asked) {
    const auto widths = widths_of(asked);
    return counted(static_cast<double>(widths[0] * widths[1]));
}
Answer product_flops(const Asked& asked) {
    return counted(2.0 * static_cast<double>(batch_size(asked)) * static_cast<double>(weight_count(widths_of(asked))),
                   "FLOP");
}
Answer most_expensive_product(const Asked& asked) {
    const auto widths = widths_of(asked);
    Answer answer{fmt::format("layer{}", widest_product(widths)), "", Provenance::counted, {}, "FLOP"};
    for (std::size_t i = 1; i < widths.size(); ++i)
        answer.found[fmt::format("layer{}", i)] = 2.0 * static_cast<double>(batch_size(asked) * widths[i - 1] * widths[i]);
    return answer;
}
Answer product_share(const Asked& asked) {
    const auto widths = widths_of(asked);
    const std::size_t widest = widest_product(widths);
    return counted(100.0 * static_cast<double>(widths[widest - 1] * widths[widest]) /
                       static_cast<double>(weight_count(widths)),
                   "%");
}
Answer product_growth(const Asked& asked) {
    auto widths = widths_of(asked);
    const std::int64_t layer = asked.integer("layer", "2"), factor = asked.integer("factor", "2");
    if (layer < 1 || layer + 1 >= static_cast<std::int64_t>(widths.size()) || factor < 1 || factor > 1000)
        throw ArgumentError(fmt::format("product_growth: there is no hidden layer {} to make {} times as wide", layer,
                                        factor));
    const auto before = static_cast<double>(weight_count(widths));
    widths[static_cast<std::size_t>(layer)] *= factor;
    return counted(static_cast<double>(weight_count(widths)) / before);
}

// --- what a run gives ----------------------------------------------------------------------------------------

Answer final_loss(const Asked& asked) {
    if (same_run(asked) && asked.run->head() >= asked.setup.steps && asked.setup.steps > 0)
        return computed(*asked.run->value_at("loss", asked.setup.steps - 1));
    if (asked.setup.steps == 0) throw ArgumentError("final_loss: no step was planned");
    return computed(trained_until(asked, asked.setup.steps - 1)->network().forward());
}
Answer first_loss(const Asked& asked) {
    if (same_run(asked) && asked.run->head() > 0) return computed(*asked.run->value_at("loss", 0));
    return computed(trained_until(asked, 0)->network().forward());
}
Answer test_accuracy(const Asked& asked) {
    if (same_run(asked) && asked.setup.steps > 0)
        if (const auto value = asked.run->value_at("test_accuracy", asked.setup.steps - 1))
            return computed(100.0 * *value, "%");
    const auto process = trained_until(asked, asked.setup.steps);
    return computed(100.0 * Network::test_accuracy(process->network(), open_device(asked.setup)),
                    "%");
}

struct Element {
    std::string name;
    std::vector<Dim> index;
};
Element parse_element(const Asked& asked) {
    const std::string text = asked.argument("weight", "W1[0,1]");
    const Edit edit = Edit::parse(text + " = 0");
    if (edit.kind != Edit::Kind::element)
        throw ArgumentError(fmt::format("{}: weight must be written like W1[0,1], not '{}'", asked.question, text));
    return {edit.target, edit.index};
}

double gradient_at(const Asked& asked) {
    const Element element = parse_element(asked);
    const auto process = trained_until(asked, asked.integer("iteration", "0"));
    Network& network = process->network();
    network.element(element.name, element.index); // names what is wrong with it
    network.step();                               // the gradient of this iteration; the update comes after it
    const ValueIndex gradient = network.gradient_of(network.tape().find(element.name));
    if (gradient == no_value) throw ArgumentError(fmt::format("{}: {} has no gradient here", asked.question, element.name));
    return network.element(network.tape().value(gradient).name, element.index);
}

Answer gradient(const Asked& asked) { return computed(gradient_at(asked)); }
Answer gradient_sign(const Asked& asked) {
    const double value = gradient_at(asked);
    return {std::string(value > 0 ? "rises" : value < 0 ? "falls" : "stays"), "", Provenance::computed};
}
// In fp64, so that the difference of two nearly equal losses keeps its digits.
Answer nudge(const Asked& given) {
    Asked asked = given;
    asked.setup.parameters["dtype"] = "fp64";
    const Element element = parse_element(asked);
    const double delta = asked.number("delta", "0.01");
    const auto process = trained_until(asked, asked.integer("iteration", "0"));
    Network& network = process->network();
    const double before = network.forward();
    network.set_element(element.name, element.index, network.element(element.name, element.index) + delta);
    return computed(network.forward() - before);
}

// A unit is off when its bias is so low that its pre-activation is below zero on every example.
Answer zero_gradient_weights(const Asked& asked) {
    const std::int64_t layer = asked.integer("layer", "1"), unit = asked.integer("unit", "0");
    const auto widths = widths_of(asked);
    if (asked.setup.parameters.at("activation") != "relu")
        throw ArgumentError("zero_gradient_weights: only a ReLU can be switched off; activation must be relu");
    if (layer < 1 || layer + 1 >= static_cast<std::int64_t>(widths.size()) || unit < 0 ||
        unit >= widths[static_cast<std::size_t>(layer)])
        throw ArgumentError(fmt::format("zero_gradient_weights: there is no unit {} in hidden layer {}", unit, layer));
    // One example at a time: the gradients of a batch could cancel.
    Setup setup = asked.setup;
    const Dim examples = std::min<Dim>(batch_size(asked), 256);
    setup.parameters.insert_or_assign("batch", std::string(1, '1'));
    setup.parameters.insert_or_assign("omit", std::string("step"));
    TrainProcess process(setup);
    Network& network = process.network();
    network.set_element(fmt::format("b{}", layer), {unit}, -1e6);
    std::map<ValueIndex, std::vector<double>> largest; // gradient of each entry, without sign, over the examples
    for (Dim example = 0; example < examples; ++example) {
        network.load_batch(example);
        network.step();
        for (const ValueIndex parameter : network.parameters()) {
            const Tensor tensor = network.tape().tensor(network.gradient_of(parameter));
            auto& entries = largest[parameter];
            entries.resize(static_cast<std::size_t>(tensor.elements()));
            for (Dim i = 0; i < tensor.elements(); ++i) {
                double& entry = entries[static_cast<std::size_t>(i)];
                const double gradient = std::abs(tensor.at(i));
                if (!(gradient <= entry)) entry = std::isnan(gradient) ? std::numeric_limits<double>::infinity() : gradient;
            }
        }
    }
    Answer answer{std::vector<std::string>(), "", Provenance::computed};
    const auto tell = [&](const std::string& place, double gradient) {
        answer.found[place] = gradient;
        if (gradient == 0.0) std::get<std::vector<std::string>>(answer.value).push_back(place);
    };
    for (const ValueIndex parameter : network.parameters()) {
        if (network.gradient_of(parameter) == no_value) continue;
        const Shape& shape = network.tape().value(parameter).shape;
        const std::string& name = network.tape().value(parameter).name;
        const std::vector<double>& entries = largest[parameter];
        const bool is_vector = shape.rank() == 1;
        const Dim rows = shape[0], columns = is_vector ? 1 : shape[1];
        const auto of = [&](Dim row, Dim column) { return entries[static_cast<std::size_t>(row * columns + column)]; };
        std::vector<double> of_rows(static_cast<std::size_t>(rows)), of_columns(static_cast<std::size_t>(columns));
        for (Dim i = 0; i < rows; ++i)
            for (Dim j = 0; j < columns; ++j) {
                double &row = of_rows[static_cast<std::size_t>(i)], &column = of_columns[static_cast<std::size_t>(j)];
                row = std::max(row, of(i, j));
                column = std::max(column, of(i, j));
                if (!is_vector && rows * columns <= 1024) tell(fmt::format("{}[{},{}]", name, i, j), of(i, j));
            }
        for (Dim i = 0; i < rows; ++i) tell(fmt::format("{}[{}{}]", name, i, is_vector ? "" : ",:"), of_rows[static_cast<std::size_t>(i)]);
        for (Dim j = 0; j < columns; ++j)
            tell(is_vector ? name + "[:]" : fmt::format("{}[:,{}]", name, j), of_columns[static_cast<std::size_t>(j)]);
    }
    return answer;
}

Answer solved_share(const Asked& asked) {
    const std::int64_t seeds = asked.integer("seeds", "100");
    if (seeds < 1 || seeds > 100'000) throw ArgumentError("solved_share: seeds must be 1 to 100000");
    return computed(100.0 * sweep(asked.setup, static_cast<int>(seeds)).solved_share(), "%");
}

double undecided_loss(const Asked& asked, const std::string& loss) {
    const auto dataset = asked.setup.data->get(asked.setup.parameters.at("data"), asked.setup.seed);
    if (loss == "bce") return std::log(2.0);
    if (loss == "softmax") return std::log(static_cast<double>(widths_of(asked).back()));
    if (loss != "mse") throw ArgumentError(fmt::format("{}: loss must be bce, mse or softmax, not '{}'", asked.question, loss));
    return 0.25; // (½ - 0)² = (½ - 1)²
}
Answer uniform_loss(const Asked& asked) { return computed(undecided_loss(asked, asked.argument("loss", "bce"))); }
Answer log_start(const Asked& asked) {
    const double value = asked.number("value", "0.693");
    const double from_bce = std::abs(undecided_loss(asked, "bce") - value);
    const double from_mse = std::abs(undecided_loss(asked, "mse") - value);
    return {std::string(from_bce < from_mse ? "bce" : "mse"), "", Provenance::computed};
}

const std::vector<AnswerEntry>& entries() {
    static const std::vector<AnswerEntry> list{
        {{"parameters", "how many numbers are trained", false, false}, parameters},
        {{"weights", "of them weights, without biases", false, false}, weights},
        {{"first_weight_matrix", "of them in W1", false, false}, first_weight_matrix},
        {{"product_flops", "FLOP of all forward products of one batch", false, false}, product_flops},
        {{"most_expensive_product", "the layer whose forward product costs most", false, false}, most_expensive_product},
        {{"product_share", "its share of the products' FLOP", false, false}, product_share},
        {{"first_loss", "the loss at iteration 0", false, false}, first_loss},
        {{"final_loss", "the loss after training", true, false}, final_loss},
        {{"test_accuracy", "the share of test examples told right after training", true, false}, test_accuracy},
        {{"product_growth", "new/old FLOP when hidden layer `layer` becomes `factor` times as wide", false, true},
         product_growth},
        {{"gradient", "dL/dw of `weight` at `iteration`", false, true}, gradient},
        {{"gradient_sign", "what the loss does when `weight` is raised a little", false, true}, gradient_sign},
        {{"nudge", "loss after minus before `weight` is raised by `delta`", false, true}, nudge},
        {{"zero_gradient_weights", "parameters without gradient once `unit` of hidden layer `layer` is off", false, true},
         zero_gradient_weights},
        {{"solved_share", "share of `seeds` nets that tell every training point right", true, true}, solved_share},
        {{"uniform_loss", "the loss (`loss`) of an undecided prediction", false, true}, uniform_loss},
        {{"log_start", "which loss, bce or mse, an undecided net starts at near `value`", false, true}, log_start},
        {{"strongest_images", "the `count` of the test `images` that hidden `neuron` answers most strongly", true, true},
         strongest_images},
        {{"bias_effect", "what lowering the bias of `neuron` by `delta` does on `images`: weaker, some or all silent", true, true},
         bias_effect},
        {{"silent_images", "on how many of the first `images` test images `neuron` is silent then", true, true}, silent_images},
        {{"accumulated_norm", "gradient norm after `passes` without zero_grad, weights frozen, over that of one", false, true},
         accumulated_norm},
        {{"can_omit", "the line without which the loss still falls in the `first` steps", true, true}, can_omit},
        {{"without_barrier", "the loss after training with a kernel that lacks its `barrier`, beside that with its own: same, higher, lower or not_finite", true, true},
         without_barrier},
        {{"racing_threads", "whose threads race then in the watched product: same_warp, other_warps, other_blocks or none", false, true}, racing_threads},
    };
    return list;
}

} // namespace

const std::vector<QuestionInfo>& questions() {
    static const std::vector<QuestionInfo> list = questions_of(entries());
    return list;
}

Answer answer(const Experiment& experiment, std::string_view question, const Arguments& arguments, const Setup& setup,
              const Run* run) {
    std::vector<std::string> kept{"seeds"};
    if (question == "uniform_loss") kept.emplace_back("loss");
    return answer_from(entries(), experiment, question, arguments, setup, run, kept);
}

} // namespace gradus::mlp
