// What one neuron of the first hidden layer answers to examples of the test set, after training.
#include "engine/core/error.hpp"
#include "engine/core/text.hpp"
#include "lessons/experiments/train_mlp/answers.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace gradus::mlp {

namespace {

/// The trained parameters, from the finished run where it is the one that is asked about.
std::vector<Tensor> trained_parameters(const Asked& asked, TrainProcess& fresh) {
    Network& network = fresh.network();
    std::vector<Tensor> out;
    if (same_run(asked) && asked.run->head() >= asked.setup.steps) {
        const auto checkpoint = asked.run->checkpoint_before(asked.run->head());
        if (checkpoint && checkpoint->iteration == asked.run->head())
            for (const ValueIndex parameter : network.parameters())
                for (const auto& [name, tensor] : checkpoint->tensors)
                    if (name == network.tape().value(parameter).name) out.push_back(tensor);
    }
    if (out.size() == network.parameters().size()) return out;
    out.clear();
    const auto trained = trained_until(asked, asked.setup.steps);
    for (const ValueIndex parameter : trained->network().parameters()) out.push_back(trained->network().tape().tensor(parameter));
    return out;
}

std::int64_t neuron_of(const Asked& asked) {
    const auto widths = parse_widths(asked.setup.parameters.at("layers"));
    const std::int64_t neuron = asked.integer("neuron", "0");
    if (widths.size() < 3) throw ArgumentError(fmt::format("{}: layers {} have no hidden neuron", asked.question, widths_text(widths)));
    if (neuron < 0 || neuron >= widths[1])
        throw ArgumentError(fmt::format("{}: neuron must be 0 to {}, not {}", asked.question, widths[1] - 1, neuron));
    return neuron;
}

/// Activations of the neuron on these rows of the test set, its bias lowered by each of `deltas` in turn.
std::vector<std::vector<double>> activations(const Asked& asked, const std::vector<Dim>& rows, const std::vector<double>& deltas) {
    const std::int64_t neuron = neuron_of(asked);
    TrainProcess fresh(asked.setup);
    const std::vector<Tensor> parameters = trained_parameters(asked, fresh);
    std::shared_ptr<const Dataset> dataset;
    Settings settings = settings_of(asked.setup, dataset);
    const Dim available = dataset->test_x.shape()[0];
    for (const Dim row : rows)
        if (row < 0 || row >= available)
            throw ArgumentError(fmt::format("{}: there is no test example {}; there are {}", asked.question, row, available));
    const bool images = dataset->test_x.dtype() == DType::u8; // points are not gathered: all of them are one batch
    settings.batch = images ? static_cast<Dim>(rows.size()) : available;
    Network tester(open_device(asked.setup), std::make_shared<BufferPool>(), settings, dataset, asked.setup.seed, false);
    for (std::size_t i = 0; i < parameters.size(); ++i) tester.tape().set(tester.parameters()[i], parameters[i]);
    if (images) {
        auto* index = static_cast<std::int32_t*>(tester.tape().writable(tester.fed().at(0)));
        for (std::size_t i = 0; i < rows.size(); ++i) index[i] = static_cast<std::int32_t>(rows[i]);
    }
    const double bias = tester.element("b1", {neuron});
    std::vector<std::vector<double>> out;
    for (const double delta : deltas) {
        tester.set_element("b1", {neuron}, bias - delta);
        tester.forward();
        const Tensor a = tester.tape().tensor(tester.tape().find("a1"));
        out.emplace_back();
        for (std::size_t i = 0; i < rows.size(); ++i) out.back().push_back(a.at(images ? static_cast<Dim>(i) : rows[i], neuron));
    }
    return out;
}

std::vector<Dim> first_images(const Asked& asked) {
    const std::int64_t count = asked.integer("images", "500");
    const auto dataset = asked.setup.data->get(asked.setup.parameters.at("data"), asked.setup.seed);
    if (count < 1) throw ArgumentError(fmt::format("{}: images must be 1 or more, not {}", asked.question, count));
    std::vector<Dim> rows;
    for (Dim i = 0; i < std::min<Dim>(count, dataset->test_x.shape()[0]); ++i) rows.push_back(i);
    return rows;
}

std::size_t silent(const std::vector<double>& answers) { return static_cast<std::size_t>(std::count(answers.begin(), answers.end(), 0.0)); }

} // namespace

Answer strongest_images(const Asked& asked) {
    std::vector<Dim> rows;
    const std::string listed = asked.argument("images", "0,1,2");
    for (const std::string_view part : split(listed, ',')) {
        const auto row = parse_integer(trimmed(part));
        if (!row) throw ArgumentError(fmt::format("strongest_images: images must be numbers with commas between, not '{}'", listed));
        rows.push_back(*row);
    }
    const std::int64_t count = asked.integer("count", "2");
    if (count < 1 || count >= static_cast<std::int64_t>(rows.size()))
        throw ArgumentError(fmt::format("strongest_images: count must be 1 to {}, not {}", rows.size() - 1, count));
    const std::vector<double> answers = activations(asked, rows, {0}).at(0);
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < rows.size(); ++i) order.push_back(i);
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return answers[a] > answers[b]; });
    std::vector<std::string> names;
    std::map<std::string, double> found;
    for (const std::size_t i : order) {
        names.push_back(fmt::format("image{}", rows[i]));
        found[names.back()] = answers[i];
    }
    names.resize(static_cast<std::size_t>(count));
    return {names, "", Provenance::computed, found};
}

Answer bias_effect(const Asked& asked) {
    const auto answers = activations(asked, first_images(asked), {0, asked.number("delta", "0.5")});
    const std::size_t before = silent(answers[0]), after = silent(answers[1]);
    return computed_word(after == answers[1].size() ? "all" : after > before ? "some" : "weaker");
}

Answer silent_images(const Asked& asked) {
    const auto answers = activations(asked, first_images(asked), {asked.number("delta", "0.5")});
    return counted(static_cast<double>(silent(answers[0])), "images");
}

} // namespace gradus::mlp
