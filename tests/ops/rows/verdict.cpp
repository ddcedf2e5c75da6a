#include "tests/ops/rows/verdict.hpp"

#include "engine/ops/ops.hpp"
#include "tests/ops/rows/inputs.hpp"
#include "tests/support/check.hpp"
#include "tests/support/tensors.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace gradus::test {

namespace {

double norm_of(const Tensor& tensor) {
    double sum = 0;
    for (Dim i = 0; i < tensor.elements(); ++i) sum += tensor.at(i) * tensor.at(i);
    return std::sqrt(sum);
}

/// A gradient that is 0 by construction: rounding may leave it at the type's bound of what came from above.
double check_near_zero(const OpRow& row, const Tensor& got, DType dtype) {
    double above = 1;
    for (std::size_t i = 0; i < row.outputs.size(); ++i)
        if (row.outputs[i].grad)
            for (const double g : upstream_of(row, i)) above += g * g;
    const double share = norm_of(got) / (bound_of(dtype).relative * std::sqrt(above));
    CHECK_ERROR(share, 1.0, "share of the bound that what should be 0 uses");
    return share;
}

/// The outputs of one node as fp64 has them, computed from the inputs the node had.
std::vector<Tensor> computed_in_fp64(const Tape& tape, const Node& node, DType dtype,
                                     const std::shared_ptr<Device>& device) {
    Tape one(device, std::make_shared<BufferPool>());
    std::vector<ValueIndex> inputs;
    for (const ValueIndex input : node.inputs) {
        const Tensor now = tape.tensor(input);
        const DType type = is_floating(now.dtype()) ? DType::f64 : now.dtype();
        const Tensor wide = laid_out(values_of(now), now.shape(), type, "contiguous");
        inputs.push_back(one.input("in" + std::to_string(inputs.size()), wide, Role::data));
    }
    Attributes attributes{};
    std::copy(std::begin(node.call.attributes), std::end(node.call.attributes), attributes.begin());
    // the attribute that names the output's type
    const int type_at = node.op == &ops::cast() ? 0 : node.op == &ops::gather() ? 1 : -1;
    if (type_at >= 0 && attributes[static_cast<std::size_t>(type_at)] == static_cast<double>(static_cast<int>(dtype)))
        attributes[static_cast<std::size_t>(type_at)] = static_cast<double>(static_cast<int>(DType::f64));
    std::vector<std::string> names;
    for (std::size_t i = 0; i < node.outputs.size(); ++i) names.push_back("out" + std::to_string(i));
    const NodeIndex made = one.apply(*node.op, node.phase, "row", inputs, names, attributes);
    one.execute(made);
    std::vector<Tensor> out;
    for (const ValueIndex output : one.node(made).outputs) out.push_back(one.tensor(output));
    return out;
}

} // namespace

Bound bound_of(DType dtype) {
    switch (dtype) {
    case DType::f32: return {1e-6};
    case DType::f64: return {1e-12};
    case DType::f16: return {0x1p-11, 0x1p-25};
    case DType::bf16: return {0x1p-8};
    default: return {0}; // integers are right or wrong
    }
}

double excess(const Tensor& got, const Tensor& wanted, Bound bound, Dim every) {
    double difference = 0, allowed = 0;
    for (Dim i = 0; i < got.elements(); ++i) {
        const double a = got.at(i);
        if (std::isnan(a)) return NAN;
        if (i % every != 0) continue;
        const double b = wanted.at(i / every);
        if (std::isinf(b)) {
            if (a != b) return INFINITY;
            continue;
        }
        difference += (a - b) * (a - b);
        const double one = b == 0 ? 0 : std::max(bound.relative * std::abs(b), bound.absolute);
        allowed += one * one;
    }
    return difference == 0 ? 0 : std::sqrt(difference / allowed);
}

Roundings check_every_node(const RowTape& row, DType dtype, const std::shared_ptr<Device>& device) {
    Roundings out;
    std::map<ValueIndex, std::set<ValueIndex>> hangs_on; // the rounded values a value is made of
    for (const Node& node : row.tape.nodes()) {
        std::set<ValueIndex> ancestors;
        for (const ValueIndex input : node.inputs) ancestors.insert(hangs_on[input].begin(), hangs_on[input].end());
        const std::vector<Tensor> exact =
            node.kernel ? computed_in_fp64(row.tape, node, dtype, device) : std::vector<Tensor>{};
        for (std::size_t i = 0; i < node.outputs.size(); ++i) {
            const ValueIndex output = node.outputs[i];
            std::set<ValueIndex> all = ancestors;
            if (node.kernel) {
                const Tensor got = row.tape.tensor(output);
                if (!CHECK(i < exact.size() && got.shape().same_sizes(exact[i].shape()), std::string(node.op->name)))
                    continue;
                const double share = excess(got, exact[i], bound_of(got.dtype()));
                CHECK_ERROR(share, 1.0,
                            fmt::format("share of one rounding that {} of {} uses", row.tape.value(output).name,
                                        node.op->name));
                if (share != 0 && is_half(got.dtype())) all.insert(output);
            }
            out.whole[output] = static_cast<int>(all.size());
            out.backward[output] = static_cast<int>(std::count_if(all.begin(), all.end(), [&](ValueIndex value) {
                return row.tape.node(row.tape.value(value).producer).phase == Phase::backward;
            }));
            hangs_on[output] = std::move(all);
        }
    }
    return out;
}

double check_against_golden(const OpRow& row, const RowTape& tape, DType dtype, const Roundings* roundings) {
    double worst = 0;
    for (const RowResult& result : results_of(row, tape, dtype)) {
        if (!CHECK(result.value != no_value, result.name + " is missing")) continue;
        const Tensor got = tape.tape.tensor(result.value);
        CHECK_EQUAL(name_of(got.dtype()), name_of(result.dtype));
        if (!CHECK(got.shape().same_sizes(result.shape),
                   fmt::format("{} has shape {}, not {}", result.name, got.shape().text(), result.shape.text())))
            continue;
        if (result.is_gradient && row.zero.contains(result.name)) {
            worst = std::max(worst, check_near_zero(row, got, dtype));
            continue;
        }
        const std::string own = fmt::format("{}.{}", result.name, name_of(dtype));
        const bool has_own = result.is_gradient && row.has(own);
        Bound bound = bound_of(result.dtype);
        if (roundings && is_half(result.dtype)) {
            const auto& counted = result.is_gradient && row.half_saved ? roundings->backward : roundings->whole;
            const auto found = counted.find(result.value);
            const int times = std::max(1, found == counted.end() ? 0 : found->second);
            bound = {times * bound.relative, times * bound.absolute};
        }
        const auto every = row.every.find(result.name);
        const double share =
            excess(got, row.wanted(has_own ? own : result.name), bound, every == row.every.end() ? 1 : every->second);
        CHECK_ERROR(share, 1.0, fmt::format("share of the bound {:.3g} that {} uses", bound.relative, result.name));
        worst = std::max(worst, share);
    }
    return worst;
}

} // namespace gradus::test
