#include "engine/trace/derive/strongest_inputs.hpp"

#include "engine/core/error.hpp"
#include "tests/support/check.hpp"
#include "tests/trace/recorded.hpp"

#include <algorithm>
#include <cmath>

using namespace gradus;
using namespace gradus::test;

namespace {

/// The first tensor of a name: what the iteration's forward pass read.
Tensor read(const Recording& r, StepIndex iteration, const std::string& name) {
    const auto kept = r.run->tensors_of(iteration);
    for (const RecordedTensor& recorded : kept->tensors)
        if (recorded.name == name) return recorded.tensor;
    throw UnavailableError(name);
}

double activated(const std::string& activation, double z) {
    if (activation == "relu") return std::max(z, 0.0);
    if (activation == "tanh") return std::tanh(z);
    return 1 / (1 + std::exp(-z)); // sigmoid
}

} // namespace

TEST(answers_of_neurons_are_a_plain_double_product) {
    for (const char* activation : {"relu", "tanh", "sigmoid"})
        for (const char* dtype : {"fp32", "fp64"}) {
            const Row named(fmt::format("{} {}", activation, dtype));
            Recording r({{"data", "spirals"}, {"layers", "2,7,5,2"}, {"batch", "16"}, {"activation", activation}, {"dtype", dtype}});
            for (int i = 0; i < 20; ++i) r.iterate(i == 19);
            const auto data = r.setup.data->get("spirals", r.setup.seed);
            const NeuronAnswers answers = neuron_answers(*r.run, *r.run, 19, data->test_x, 100);
            CHECK_EQUAL(answers.layer.weight + answers.layer.bias + answers.layer.z + answers.layer.a, std::string("W1b1z1a1"));
            CHECK_EQUAL(answers.examples, Dim{100});
            CHECK_EQUAL(answers.neurons, Dim{7});
            const Tensor w = read(r, 19, "W1"), b = read(r, 19, "b1");
            const double tolerance = std::string(dtype) == "fp64" ? 1e-13 : 1e-5;
            for (Dim n = 0; n < 100; ++n)
                for (Dim i = 0; i < 7; ++i) {
                    double z = b.at(i);
                    for (Dim k = 0; k < 2; ++k) z += data->test_x.at(n, k) * w.at(k, i);
                    CHECK_ERROR(std::abs(answers.z_of(n, i) - z) / std::max(1.0, std::abs(z)), tolerance, "z");
                    CHECK_ERROR(std::abs(answers.a_of(n, i) - activated(activation, z)) / std::max(1.0, std::abs(z)), tolerance, "a");
                }
        }
}

TEST(a_batch_asked_again_has_the_bits_of_the_run) {
    Recording r({{"data", "xor"}, {"layers", "2,6,1"}, {"batch", "0"}});
    for (int i = 0; i < 5; ++i) r.iterate(i == 4);
    const Tensor x = read(r, 4, "x");
    const NeuronAnswers answers = neuron_answers(*r.run, *r.run, 4, x, 500);
    CHECK_EQUAL(answers.examples, Dim{4}); // there are no more
    const Tensor z = read(r, 4, "z1"), a = read(r, 4, "a1");
    for (Dim i = 0; i < z.elements(); ++i) {
        CHECK_EQUAL(answers.z[static_cast<std::size_t>(i)], z.at(i));
        CHECK_EQUAL(answers.a[static_cast<std::size_t>(i)], a.at(i));
    }
}

TEST(bytes_are_taken_as_a_batch_takes_them) {
    const auto pool = std::make_shared<BufferPool>();
    std::vector<std::uint8_t> bytes;
    for (int i = 0; i < 2 * 3; ++i) bytes.push_back(static_cast<std::uint8_t>(i * 51)); // 0, 51, …, 255
    const Tensor images = Tensor::from<std::uint8_t>(*pool, {{3, "N"}, {2, "pixel"}}, std::span<const std::uint8_t>(bytes));
    Recording r({{"data", "spirals"}, {"layers", "2,4,2"}, {"batch", "8"}, {"dtype", "fp64"}});
    r.iterate(true);
    const NeuronAnswers answers = neuron_answers(*r.run, *r.run, 0, images, 500);
    const Tensor w = read(r, 0, "W1"), b = read(r, 0, "b1");
    for (Dim n = 0; n < 3; ++n)
        for (Dim i = 0; i < 4; ++i)
            CHECK_ERROR(std::abs(answers.z_of(n, i) - (b.at(i) + images.at(n, 0) / 255 * w.at(0, i) + images.at(n, 1) / 255 * w.at(1, i))), 1e-14, "z");
}

TEST(the_strongest_come_first) {
    NeuronAnswers answers;
    answers.examples = 5;
    answers.neurons = 2;
    answers.z = {1, 9, NAN, 9, 3, -1, 3, NAN, -INFINITY, 2}; // of neuron 0: 1, NaN, 3, 3, -inf
    CHECK_EQUAL(strongest_inputs(answers, 0, 5), (std::vector<Dim>{2, 3, 0, 1, 4})); // of equals the earlier; NaN with the lowest
    CHECK_EQUAL(strongest_inputs(answers, 0, 2), (std::vector<Dim>{2, 3}));
    CHECK_EQUAL(strongest_inputs(answers, 1, 9).size(), std::size_t{5});
    CHECK_EQUAL(strongest_inputs(answers, 1, 2), (std::vector<Dim>{0, 1}));
    CHECK(strongest_inputs(answers, 2, 5).empty());
    CHECK(strongest_inputs(answers, -1, 5).empty());
}

TEST(what_has_no_neurons_is_refused) {
    Recording r({{"data", "spirals"}, {"layers", "2,4,2"}, {"batch", "8"}});
    r.iterate(true);
    const auto pool = std::make_shared<BufferPool>();
    const std::vector<double> numbers(6, 0.5);
    const Tensor wide = Tensor::from<double>(*pool, {{2, "N"}, {3, "in"}}, std::span<const double>(numbers));
    CHECK_THROWS(neuron_answers(*r.run, *r.run, 0, wide, 500), ShapeError);
    r.iterate(false);
    const auto data = r.setup.data->get("spirals", r.setup.seed);
    CHECK_THROWS(neuron_answers(*r.run, *r.run, 1, data->test_x, 500), UnavailableError); // not observed
    Recording shallow({{"data", "spirals"}, {"layers", "2,2"}, {"batch", "8"}});
    shallow.iterate(true);
    const NeuronAnswers logits = neuron_answers(*shallow.run, *shallow.run, 0, data->test_x, 10);
    CHECK(logits.a.empty() && logits.layer.a.empty()); // no activation follows
    CHECK_EQUAL(logits.z.size(), std::size_t{20});
}
