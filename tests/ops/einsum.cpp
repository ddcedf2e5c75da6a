// einsum against a loop over all of its letters, forward and backward, and the nodes it is made of.
#include "engine/nn/einsum.hpp"

#include "engine/core/error.hpp"
#include "engine/ops/ops.hpp"
#include "tests/support/check.hpp"
#include "tests/support/tensors.hpp"

#include <map>
#include <set>

using namespace gradus;
using namespace gradus::test;

namespace {

using Numbers = std::vector<double>;

struct EinsumRow {
    const char* equation;
    std::vector<std::string> operands; ///< their letters
    std::string result;
    std::vector<std::string> nodes;    ///< the ops it becomes
};

const std::map<char, Dim> sizes{{'a', 2}, {'b', 3}, {'c', 4}, {'d', 5}, {'e', 1}, {'f', 2}, {'g', 3}, {'h', 2}, {'i', 4},
                                {'j', 3}, {'k', 5}, {'l', 2}, {'s', 6}, {'t', 4}, {'z', 0}};

const EinsumRow rows[] = {
    {"ij,jk->ik", {"ij", "jk"}, "ik", {"matmul"}},
    {"ij, kj -> ik", {"ij", "kj"}, "ik", {"matmul"}},
    {"ji,jk->ik", {"ji", "jk"}, "ik", {"matmul"}},
    {"ji,kj->ik", {"ji", "kj"}, "ik", {"matmul"}},
    {"ij,jk", {"ij", "jk"}, "ik", {"matmul"}},
    {"ij,jk->ki", {"ij", "jk"}, "ki", {"matmul", "permute"}},
    {"ij->ji", {"ij"}, "ji", {"permute"}},
    {"ij->ij", {"ij"}, "ij", {"reshape"}},
    {"ba", {"ba"}, "ab", {"permute"}},
    {"ij->j", {"ij"}, "j", {"sum"}},
    {"ij->", {"ij"}, "", {"sum"}},
    {"abcd->db", {"abcd"}, "db", {"sum", "permute"}},
    {"i,i->", {"i", "i"}, "", {"reshape", "reshape", "matmul", "reshape"}},
    {"i,i->i", {"i", "i"}, "i", {"multiply"}},
    {"ij,ji->ij", {"ij", "ji"}, "ij", {"permute", "multiply"}},
    {"ij,ij->", {"ij", "ij"}, "", {"reshape", "reshape", "matmul", "reshape"}},
    {"ij,ij->i", {"ij", "ij"}, "i", {"reshape", "reshape", "batched_matmul", "reshape"}},
    {"i,j->ij", {"i", "j"}, "ij", {"reshape", "reshape", "matmul"}},
    {"i,j->ji", {"i", "j"}, "ji", {"reshape", "reshape", "matmul", "permute"}},
    {"ij,j->i", {"ij", "j"}, "i", {"reshape", "matmul", "reshape"}},
    {"ij,i->ij", {"ij", "i"}, "ij", {"reshape", "reshape", "batched_matmul", "reshape"}},
    {",ij->ij", {"", "ij"}, "ij", {"reshape", "reshape", "matmul", "reshape"}},
    {"bij,bjk->bik", {"bij", "bjk"}, "bik", {"batched_matmul"}},
    {"bhtd,bhsd->bhts", {"bhtd", "bhsd"}, "bhts", {"batched_matmul"}},
    {"bhts,bhsd->bhtd", {"bhts", "bhsd"}, "bhtd", {"batched_matmul"}},
    {"bhts,bhsd->bthd", {"bhts", "bhsd"}, "bthd", {"batched_matmul", "permute"}},
    {"bthd,bshd->bhts", {"bthd", "bshd"}, "bhts", {"permute", "permute", "batched_matmul"}},
    {"btd,dhk->bthk", {"btd", "dhk"}, "bthk", {"reshape", "reshape", "matmul", "reshape"}},
    {"bthk,hkd->btd", {"bthk", "hkd"}, "btd", {"reshape", "reshape", "matmul", "reshape"}},
    {"abc,cbd->ad", {"abc", "cbd"}, "ad", {"reshape", "permute", "reshape", "matmul"}},
    {"ab,bc->c", {"ab", "bc"}, "c", {"sum", "reshape", "matmul", "reshape"}},
    {"ab,cd->", {"ab", "cd"}, "", {"sum", "sum", "multiply"}},
    {"abcdfg,abcdfg->abcdf", {"abcdfg", "abcdfg"}, "abcdf", {"reshape", "reshape", "batched_matmul", "reshape"}},
    {"aebd,ce->abdc", {"aebd", "ce"}, "abdc", {"permute", "reshape", "matmul", "reshape"}},
    {"iz,zj->ij", {"iz", "zj"}, "ij", {"matmul"}},
    {"zi,zj->zij", {"zi", "zj"}, "zij", {"reshape", "reshape", "batched_matmul"}},
};

Shape shape_of_letters(const std::string& letters) {
    Shape shape;
    for (const char letter : letters) shape.append({sizes.at(letter), {}});
    return shape;
}

/// Calls visit(position in the result, position in each operand) for every assignment of the letters.
template <class Visit> void over_letters(const EinsumRow& row, Visit&& visit) {
    std::string all = row.result;
    for (const std::string& operand : row.operands)
        for (const char letter : operand)
            if (all.find(letter) == std::string::npos) all += letter;
    Dim count = 1;
    for (const char letter : all) count *= sizes.at(letter);
    for (Dim flat = 0; flat < count; ++flat) {
        std::map<char, Dim> at;
        Dim rest = flat;
        for (const char letter : all) at[letter] = rest % sizes.at(letter), rest /= sizes.at(letter);
        const auto position = [&](const std::string& letters) {
            Dim out = 0;
            for (const char letter : letters) out = out * sizes.at(letter) + at[letter];
            return static_cast<std::size_t>(out);
        };
        visit(position(row.result), position(row.operands[0]), row.operands.size() > 1 ? position(row.operands[1]) : 0);
    }
}

} // namespace

TEST(einsum_is_what_its_letters_say) {
    std::uint64_t seed = 1;
    for (const EinsumRow& row : rows)
        for (const std::string& isa : isa_paths()) {
            const Row named(fmt::format("{} {}", row.equation, isa));
            Tape tape(cpu(isa), std::make_shared<BufferPool>());
            std::vector<ValueIndex> operands;
            std::vector<Numbers> numbers;
            for (const std::string& letters : row.operands) {
                const Tensor x = random_tensor(shape_of_letters(letters), DType::f64, ++seed);
                operands.push_back(tape.input(operands.empty() ? "x" : "y", x, Role::parameter, true));
                numbers.push_back(values_of(x));
            }
            const ValueIndex result = einsum(tape, "m", row.equation, operands, "z");
            CHECK_EQUAL(tape.value(result).name, std::string("z"));
            REQUIRE(tape.value(result).shape.same_sizes(shape_of_letters(row.result)), tape.value(result).shape.text());
            std::vector<std::string> made; // but for the copies that strides ask for
            for (const Node& node : tape.nodes())
                if (node.op != &ops::contiguous()) made.emplace_back(node.op->name);
            CHECK_EQUAL(made, row.nodes);

            const Tensor upstream = random_tensor(tape.value(result).shape, DType::f64, ++seed);
            const ValueIndex g = tape.input("g", upstream, Role::data);
            const auto last = [&](const Op& op, std::vector<ValueIndex> inputs, const char* name) {
                return tape.node(tape.apply(op, Phase::forward, "loss", std::move(inputs), {name})).outputs[0];
            };
            tape.backward(last(ops::sum(), {last(ops::multiply(), {result, g}, "zg")}, "loss"));
            for (NodeIndex node = 0; node < static_cast<NodeIndex>(tape.nodes().size()); ++node) tape.execute(node);

            const Numbers dz = values_of(upstream);
            Numbers z(dz.size());
            std::vector<Numbers> gradients;
            for (const Numbers& x : numbers) gradients.emplace_back(x.size());
            over_letters(row, [&](std::size_t c, std::size_t a, std::size_t b) {
                const bool two = numbers.size() > 1;
                z[c] += numbers[0][a] * (two ? numbers[1][b] : 1);
                gradients[0][a] += dz[c] * (two ? numbers[1][b] : 1);
                if (two) gradients[1][b] += dz[c] * numbers[0][a];
            });
            CHECK_ERROR(relative_error(tape.tensor(result), z), 1e-14, "z");
            for (std::size_t i = 0; i < operands.size(); ++i) {
                REQUIRE(tape.value(operands[i]).gradient != no_value);
                CHECK_ERROR(relative_error(tape.tensor(tape.value(operands[i]).gradient), gradients[i]), 1e-14,
                            fmt::format("gradient {}", i));
            }
        }
}

TEST(einsum_names_what_it_makes) {
    Tape tape(cpu(), std::make_shared<BufferPool>());
    const ValueIndex x = tape.input("x", random_tensor(shape_of({2, 3, 4}), DType::f32, 1), Role::data);
    const ValueIndex w = tape.input("W", random_tensor(shape_of({4, 2, 5}), DType::f32, 2), Role::parameter, true);
    einsum(tape, "heads", "btd,dhk->bhtk", {x, w}, "q");
    std::vector<std::string> names;
    for (const Node& node : tape.nodes()) names.push_back(tape.value(node.outputs[0]).name);
    CHECK_EQUAL(names, (std::vector<std::string>{"x (bt)d", "W d(hk)", "q (bt)(hk)", "q bthk", "q"}));
    CHECK_EQUAL(tape.node(0).module, std::string("heads"));
}

TEST(einsum_refuses) {
    Tape tape(cpu(), std::make_shared<BufferPool>());
    const ValueIndex x = tape.input("x", random_tensor(shape_of({3, 3}), DType::f64, 1), Role::data);
    const ValueIndex y = tape.input("y", random_tensor(shape_of({4, 3}), DType::f64, 1), Role::data);
    const auto call = [&](const char* equation, std::vector<ValueIndex> operands) {
        return einsum(tape, "m", equation, operands, "z");
    };
    CHECK_THROWS(call("ii->i", {x}), ArgumentError, "ii->i", "'i' stands twice", "diagonals");
    CHECK_THROWS(call("ij->jj", {x}), ArgumentError, "the result has 'j' twice");
    CHECK_THROWS(call("ij->ik", {x}), ArgumentError, "no operand has the result's 'k'");
    CHECK_THROWS(call("...j->j", {x}), ArgumentError, "'.' is no letter");
    CHECK_THROWS(call("ij,jk,kl->il", {x, x, x}), ArgumentError, "more than two");
    CHECK_THROWS(call("ij,jk->ik", {x}), ArgumentError, "2 operands, but 1");
    CHECK_THROWS(call("ijk->i", {x}), ShapeError, "3 axes of x", "3×3");
    CHECK_THROWS(call("ij,jk->ik", {x, y}), ShapeError, "sizes 3 and 4", "'j'");
    CHECK_EQUAL(tape.nodes().size(), 0u);
}
