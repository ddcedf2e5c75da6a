#include "engine/nn/einsum.hpp"

#include "engine/core/error.hpp"
#include "engine/ops/ops.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace gradus {

namespace {

using Letters = std::string; // one per axis

std::string shown(const std::vector<Letters>& groups) {
    std::string out;
    for (const Letters& group : groups) out += group.size() == 1 ? group : "(" + group + ")";
    return out;
}

bool has(const Letters& letters, char letter) { return letters.find(letter) != Letters::npos; }

[[noreturn]] void refuse(std::string_view equation, const std::string& why) {
    throw ArgumentError(fmt::format("einsum does not take '{}': {}", equation, why));
}

struct Equation {
    std::vector<Letters> operands;
    Letters result;
};

Equation parsed(std::string_view text) {
    Equation out{{""}, ""};
    bool arrow = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        Letters& current = arrow ? out.result : out.operands.back();
        if (c == ' ') continue;
        if (c == ',' && !arrow) out.operands.emplace_back();
        else if (c == '-' && !arrow && i + 1 < text.size() && text[i + 1] == '>') arrow = true, ++i;
        else if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) {
            if (has(current, c))
                refuse(text, arrow ? fmt::format("the result has '{}' twice", c)
                                   : fmt::format("'{}' stands twice in one operand, and diagonals are not taken", c));
            current += c;
        } else refuse(text, fmt::format("'{}' is no letter, comma or arrow", c));
    }
    if (out.operands.size() > 2) refuse(text, "it has more than two operands");
    Letters once;
    for (const Letters& operand : out.operands)
        for (const char letter : operand) {
            if (has(once, letter)) once.erase(once.find(letter), 1);
            else once += letter;
        }
    std::sort(once.begin(), once.end());
    if (!arrow) out.result = once;
    for (const char letter : out.result)
        if (std::none_of(out.operands.begin(), out.operands.end(), [&](const Letters& o) { return has(o, letter); }))
            refuse(text, fmt::format("no operand has the result's '{}'", letter));
    return out;
}

/// What is to be put on the tape; operands of a step are numbers of values, the given ones first, then each step's result.
struct Step {
    const Op* op;
    std::vector<std::size_t> inputs;
    Attributes attributes;
    std::string axes; ///< of the result, merged ones in parentheses: "b(hd)"
};

/// A value on the way, with a letter for every axis.
struct Operand {
    std::size_t value;
    Letters letters;
};

class Plan {
public:
    Plan(std::size_t given, std::map<char, Dim> sizes) : sizes_(std::move(sizes)), next_(given) {}

    std::size_t add(const Op& op, std::vector<std::size_t> inputs, const Attributes& attributes, const std::string& axes) {
        steps_.push_back({&op, std::move(inputs), attributes, axes});
        return next_++;
    }
    void sum_over(Operand& x, const Letters& gone) {
        if (gone.empty()) return;
        Attributes attributes{static_cast<double>(gone.size())};
        Letters rest;
        std::size_t at = 2;
        for (std::size_t axis = 0; axis < x.letters.size(); ++axis)
            if (has(gone, x.letters[axis])) attributes[at++] = static_cast<double>(axis);
            else rest += x.letters[axis];
        x = {add(ops::sum(), {x.value}, attributes, rest), rest};
    }
    void permute(Operand& x, const Letters& wanted) {
        if (x.letters == wanted) return;
        Attributes attributes{static_cast<double>(wanted.size())};
        for (std::size_t axis = 0; axis < wanted.size(); ++axis)
            attributes[1 + axis] = static_cast<double>(x.letters.find(wanted[axis]));
        x = {add(ops::permute(), {x.value}, attributes, wanted), wanted};
    }
    /// One axis for each group of letters; the letters stay as they are.
    void reshape(Operand& x, const std::vector<Letters>& groups) {
        Attributes attributes{static_cast<double>(groups.size())};
        for (std::size_t i = 0; i < groups.size(); ++i) attributes[1 + i] = static_cast<double>(product_of(groups[i]));
        x.value = add(ops::reshape(), {x.value}, attributes, shown(groups));
    }
    const std::vector<Step>& steps() const { return steps_; }

private:
    Dim product_of(const Letters& letters) const {
        Dim product = 1;
        for (const char letter : letters) product *= sizes_.at(letter);
        return product;
    }

    std::map<char, Dim> sizes_;
    std::size_t next_;
    std::vector<Step> steps_;
};

Letters chosen(const Letters& from, const auto& condition) {
    Letters out;
    std::copy_if(from.begin(), from.end(), std::back_inserter(out), condition);
    return out;
}

constexpr std::size_t most_batch_axes = 4; // beside the two of a matrix

std::vector<Letters> each_alone(const Letters& letters) {
    std::vector<Letters> out;
    for (const char letter : letters) out.emplace_back(1, letter);
    return out;
}
/// The batch's axes as the product has them: one each, or all in one where they are too many.
std::vector<Letters> axes_of_batch(const Letters& batch) {
    return batch.size() > most_batch_axes ? std::vector{batch} : each_alone(batch);
}

/// Brings an operand to (batch, rows, columns), or (batch, columns, rows) where it lies so; returns whether it is transposed.
bool as_matrices(Plan& plan, Operand& x, const Letters& batch, const Letters& rows, const Letters& columns) {
    const bool transposed = x.letters == batch + columns + rows && x.letters != batch + rows + columns;
    if (!transposed) plan.permute(x, batch + rows + columns);
    if (rows.size() == 1 && columns.size() == 1 && batch.size() <= most_batch_axes) return transposed;
    std::vector<Letters> groups = axes_of_batch(batch);
    groups.push_back(transposed ? columns : rows);
    groups.push_back(transposed ? rows : columns);
    plan.reshape(x, groups);
    return transposed;
}

/// Letters in both operands and in the result are the batch; in both and not in the result, they are contracted; the others are
/// free.
Operand product_of(Plan& plan, Operand a, Operand b, const Letters& result) {
    const Letters batch = chosen(result, [&](char c) { return has(a.letters, c) && has(b.letters, c); });
    const Letters contracted = chosen(a.letters, [&](char c) { return has(b.letters, c) && !has(result, c); });
    const Letters free_a = chosen(result, [&](char c) { return has(a.letters, c) && !has(b.letters, c); });
    const Letters free_b = chosen(result, [&](char c) { return has(b.letters, c) && !has(a.letters, c); });
    if (contracted.empty() && free_a.empty() && free_b.empty()) {
        plan.permute(a, result);
        plan.permute(b, result);
        return {plan.add(ops::multiply(), {a.value, b.value}, {}, result), result};
    }
    const bool transpose_a = as_matrices(plan, a, batch, free_a, contracted);
    const bool transpose_b = as_matrices(plan, b, batch, contracted, free_b);
    const Op& op = batch.empty() ? ops::matmul() : ops::batched_matmul();
    Operand c{0, batch + free_a + free_b};
    std::vector<Letters> axes = axes_of_batch(batch);
    axes.insert(axes.end(), {free_a, free_b});
    c.value = plan.add(op, {a.value, b.value}, {transpose_a ? 1.0 : 0.0, transpose_b ? 1.0 : 0.0}, shown(axes));
    if (free_a.size() != 1 || free_b.size() != 1 || batch.size() > most_batch_axes) plan.reshape(c, each_alone(c.letters));
    return c;
}

std::map<char, Dim> sizes_of(const Tape& tape, std::string_view text, const Equation& equation,
                             const std::vector<ValueIndex>& operands) {
    std::map<char, Dim> sizes;
    for (std::size_t i = 0; i < operands.size(); ++i) {
        const Value& value = tape.value(operands[i]);
        if (static_cast<std::size_t>(value.shape.rank()) != equation.operands[i].size())
            throw ShapeError(fmt::format("einsum '{}' names {} axes of {}, which has shape {}", text, equation.operands[i].size(),
                                         value.name, value.shape.text()));
        for (int axis = 0; axis < value.shape.rank(); ++axis) {
            const char letter = equation.operands[i][static_cast<std::size_t>(axis)];
            const auto [at, added] = sizes.emplace(letter, value.shape[axis]);
            if (!added && at->second != value.shape[axis])
                throw ShapeError(fmt::format("einsum '{}' has axes of sizes {} and {} under '{}'", text, at->second,
                                             value.shape[axis], letter));
        }
    }
    return sizes;
}

} // namespace

ValueIndex einsum(Tape& tape, const std::string& module, std::string_view equation, const std::vector<ValueIndex>& operands,
                  const std::string& name) {
    const Equation wanted = parsed(equation);
    if (wanted.operands.size() != operands.size())
        refuse(equation, fmt::format("it names {} operands, but {} came", wanted.operands.size(), operands.size()));
    if (wanted.result.size() > static_cast<std::size_t>(Shape::max_rank)) refuse(equation, "its result has more than 6 axes");
    Plan plan(operands.size(), sizes_of(tape, equation, wanted, operands));
    std::vector<Operand> given;
    for (std::size_t i = 0; i < operands.size(); ++i) {
        given.push_back({i, wanted.operands[i]});
        plan.sum_over(given[i], chosen(wanted.operands[i], [&](char c) {
            return !has(wanted.result, c) && (operands.size() == 1 || !has(wanted.operands[1 - i], c));
        }));
    }
    Operand result = operands.size() == 1 ? given[0] : product_of(plan, given[0], given[1], wanted.result);
    plan.permute(result, wanted.result);
    if (plan.steps().empty()) plan.reshape(result, each_alone(wanted.result)); // the operand itself, under its new name
    std::vector<ValueIndex> values = operands;
    std::vector<std::string> roots; // what each value is made of: an operand's name, or the product's
    for (const ValueIndex operand : operands) roots.push_back(tape.value(operand).name);
    for (const Step& step : plan.steps()) {
        std::vector<ValueIndex> inputs;
        for (const std::size_t input : step.inputs) inputs.push_back(values[input]);
        const bool last = &step == &plan.steps().back();
        roots.push_back(step.inputs.size() == 1 ? roots[step.inputs[0]] : name);
        const NodeIndex node = tape.apply(*step.op, Phase::forward, module, std::move(inputs),
                                          {last ? name : fmt::format("{} {}", roots.back(), step.axes)}, step.attributes);
        values.push_back(tape.node(node).outputs[0]);
    }
    return values.back();
}

} // namespace gradus
