#include "engine/trace/derive/folded_matrix.hpp"

#include "lessons/experiments/linear_stack/process.hpp"
#include "tests/support/check.hpp"
#include "tests/trace/recorded.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

/// A stack with one recorded iteration.
struct Stack {
    Setup setup;
    std::unique_ptr<stack::StackProcess> process;
    std::shared_ptr<Run> run;

    explicit Stack(Parameters given) {
        given.try_emplace("width", "8");
        given.try_emplace("inputs", "20");
        setup.parameters = find_experiment("linear_stack").complete(given);
        setup.device.threads = 1;
        process = std::make_unique<stack::StackProcess>(setup);
        run = std::make_shared<Run>(Manifest{}, process->series(), nullptr);
        RunWriter writer(run);
        process->begin(writer, true);
        process->iterate(writer, 0, true);
    }
};

} // namespace

TEST(a_stack_is_a_chain) {
    const Stack one({{"depth", "3"}, {"between", "relu"}, {"after", "2"}, {"bias", "1"}});
    const auto chain = chain_of(*one.run);
    using Kind = ChainStep::Kind;
    const struct {
        Kind kind;
        const char *operand, *output;
    } rows[] = {{Kind::matrix, "W1", "z1"}, {Kind::matrix, "W2", "z2"}, {Kind::bias, "b", "z2 + b"}, {Kind::nonlinear, "", "a2"}, {Kind::matrix, "W3", "y"}};
    REQUIRE(chain.size() == std::size(rows));
    for (std::size_t i = 0; i < chain.size(); ++i) {
        const Row named(rows[i].output);
        CHECK(chain[i].kind == rows[i].kind);
        CHECK_EQUAL(chain[i].operand, std::string(rows[i].operand));
        CHECK_EQUAL(chain[i].output, std::string(rows[i].output));
        CHECK_EQUAL(chain[i].input, i == 0 ? std::string("x") : chain[i - 1].output);
    }
    CHECK(chain_of(*Stack({{"depth", "2"}, {"between", "scale"}}).run).at(1).kind == Kind::scale);
    CHECK(chain_of(*Stack({{"depth", "2"}, {"between", "shuffle"}}).run).at(1).kind == Kind::shuffle);
}

// The view counts from the recorded tensors, the experiment from its own: they must say the same.
TEST(legal_folds_are_as_many_as_the_experiment_says) {
    struct {
        Parameters parameters;
        std::size_t left;
        std::vector<std::size_t> sizes; // matrices in each group
    } const rows[] = {
        {{{"depth", "3"}}, 1, {3}},
        {{{"depth", "1"}}, 1, {1}},
        {{{"depth", "5"}, {"between", "scale"}}, 1, {5}},
        {{{"depth", "5"}, {"between", "shuffle"}, {"after", "2,4"}, {"bias", "3"}}, 1, {5}},
        {{{"depth", "5"}, {"between", "relu"}}, 5, {1, 1, 1, 1, 1}},
        {{{"depth", "16"}, {"between", "relu"}, {"after", "5"}}, 2, {5, 11}},
        {{{"depth", "16"}, {"between", "relu"}, {"after", "5"}, {"bias", "100"}}, 1, {16}},
        {{{"depth", "16"}, {"between", "relu"}, {"after", "9,3,5"}}, 4, {3, 2, 4, 7}},
        {{{"depth", "16"}, {"between", "tanh"}, {"after", "15"}, {"bias", "100"}}, 2, {15, 1}},
    };
    for (const auto& row : rows) {
        const Stack one(row.parameters);
        const Row named(one.setup.parameters.at("between") + " after " + one.setup.parameters.at("after"));
        const auto folds = legal_folds(chain_of(*one.run), *one.run, 0);
        REQUIRE(folds.has_value());
        CHECK_EQUAL(folds->matrices_left(), row.left);
        CHECK_EQUAL(static_cast<int>(folds->matrices_left()), one.process->matrices_left());
        CHECK_EQUAL(find_experiment("linear_stack").answer("matrices_left", {}, one.setup, nullptr).number(), static_cast<double>(row.left));
        std::vector<std::size_t> sizes;
        for (const FoldGroup& group : folds->groups) {
            sizes.push_back(group.matrices);
            CHECK(group.rows == 8 && group.columns == 8);
        }
        CHECK_EQUAL(sizes, row.sizes);
        CHECK_EQUAL(folds->matrices(), static_cast<std::size_t>(std::stoi(one.setup.parameters.at("depth"))));
    }
}

TEST(a_relu_tells_how_many_numbers_it_changed) {
    const Stack one({{"depth", "2"}, {"between", "relu"}});
    const auto folds = legal_folds(chain_of(*one.run), *one.run, 0);
    REQUIRE(folds && folds->barriers.size() == 1);
    const Tensor& z = one.run->tensors_of(0)->find("z1")->tensor;
    Dim negative = 0;
    for (Dim i = 0; i < z.elements(); ++i) negative += z.at(i) < 0;
    CHECK_EQUAL(folds->barriers[0].changed, negative);
    CHECK_EQUAL(folds->barriers[0].elements, Dim{160});
    CHECK(negative > 0 && negative < 160);
    const Stack lifted({{"depth", "2"}, {"between", "relu"}, {"after", "1"}, {"bias", "100"}});
    const auto none = legal_folds(chain_of(*lifted.run), *lifted.run, 0);
    REQUIRE(none && none->barriers.size() == 1);
    CHECK_EQUAL(none->barriers[0].changed, Dim{0});
    CHECK(none->groups.at(0).bias);
    CHECK(!legal_folds(chain_of(*one.run), *one.run, 7).has_value(), "a step that was not kept");
}

TEST(a_nets_layers_are_a_chain_too) {
    Recording r({{"data", "blobs"}, {"layers", "2,5,4,3"}, {"batch", "16"}});
    r.iterate(true);
    const auto chain = chain_of(*r.run);
    REQUIRE(!chain.empty());
    CHECK_EQUAL(chain.front().operand, std::string("W1"));
    const auto folds = legal_folds(chain, *r.run, 0);
    REQUIRE(folds.has_value());
    CHECK_EQUAL(folds->matrices(), std::size_t{3});
    CHECK_EQUAL(folds->barriers.size(), std::size_t{2});
}

// The experiment folds with the engine's ops on its own tape. What the view shows must be that very matrix, and its distance from the
// layers the number that the text says.
TEST(a_folded_stack_has_the_experiments_bits) {
    struct {
        Parameters parameters;
        const char* folded; // name of the last matrix that the experiment folds
        const char* bias;
    } const rows[] = {
        {{{"depth", "3"}}, "W1…W3", ""},
        {{{"depth", "1"}}, "W1", ""},
        {{{"depth", "3"}, {"dtype", "fp64"}}, "W1…W3", ""},
        {{{"depth", "3"}, {"between", "scale"}}, "W1…W3", ""},
        {{{"depth", "4"}, {"between", "shuffle"}}, "W1…W4", ""},
        {{{"depth", "3"}, {"between", "shuffle"}, {"after", "1,2"}, {"bias", "2"}}, "W1…W3", "b…W3"},
        {{{"depth", "3"}, {"between", "relu"}, {"after", "1"}, {"bias", "100"}}, "W1…W3", "b…W3"},
    };
    for (const auto& row : rows) {
        const Stack one(row.parameters);
        const Row named(one.setup.parameters.at("between") + " " + one.setup.parameters.at("dtype") + " " + row.folded);
        const auto chain = chain_of(*one.run);
        const auto folds = legal_folds(chain, *one.run, 0);
        REQUIRE(folds && folds->groups.size() == 1);
        const auto matrices = folded_matrices(chain, *folds, *one.run, *one.run, 0);
        REQUIRE(matrices.size() == 1 && matrices[0]);
        const RecordedTensor* matrix = one.run->tensors_of(0)->find(row.folded);
        REQUIRE(matrix != nullptr);
        bool same = matrices[0]->matrix.elements() == matrix->tensor.elements();
        for (Dim i = 0; same && i < matrix->tensor.elements(); ++i) same = matrices[0]->matrix.at(i) == matrix->tensor.at(i);
        CHECK(same, "the matrix");
        CHECK_EQUAL(matrices[0]->bias.defined(), *row.bias != '\0');
        if (const RecordedTensor* bias = *row.bias ? one.run->tensors_of(0)->find(row.bias) : nullptr)
            for (Dim i = 0; i < 8; ++i) CHECK_EQUAL(matrices[0]->bias.at(i), bias->tensor.at(i));
        CHECK_EQUAL(matrices[0]->largest_difference, one.run->value_at("largest_difference", 0).value());
    }
}

TEST(what_a_relu_parts_folds_on_both_sides) {
    const Stack one({{"depth", "5"}, {"between", "relu"}, {"after", "2"}});
    const auto chain = chain_of(*one.run);
    const auto folds = legal_folds(chain, *one.run, 0);
    REQUIRE(folds && folds->groups.size() == 2);
    const auto matrices = folded_matrices(chain, *folds, *one.run, *one.run, 0);
    REQUIRE(matrices.size() == 2 && matrices[0] && matrices[1]);
    for (const auto& matrix : matrices) {
        CHECK(matrix->matrix.shape()[0] == 8 && matrix->matrix.shape()[1] == 8);
        CHECK(matrix->largest_difference > 0 && matrix->largest_difference < 1e-4, "rounding");
    }
    CHECK(one.run->value_at("largest_difference", 0).value() > 0.1, "folding across it is something else");
    const std::atomic<bool> outdated = true;
    CHECK(folded_matrices(chain, *folds, *one.run, *one.run, 0, &outdated).empty());
    CHECK(!folded_matrices(chain, *folds, *one.run, *one.run, 7).at(0).has_value(), "a step that was not kept");
}
