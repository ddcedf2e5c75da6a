// The simt device beside the cpu: the rows of the parity table whose op has a rung, and calls for the ops that the table has not. Rungs
// marked exact give the cpu's bits, the others stay within the bound that their binding states.
#include "engine/backend/simt/bindings.hpp"
#include "engine/core/error.hpp"
#include "engine/simt/kernel_run.hpp"
#include "tests/ops/simt_calls.hpp"
#include "tests/support/check.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <set>

using namespace gradus;
using namespace gradus::test;

namespace {

/// Null where there is no compiler.
std::shared_ptr<Device> simt_device(int threads, const std::string& rungs = "") {
    static std::map<std::pair<int, std::string>, std::shared_ptr<Device>> opened;
    auto& device = opened[{threads, rungs}];
    if (!device) device = std::make_shared<Device>(DeviceOptions{"simt", "", threads, rungs});
    return device;
}

void need_compiler() {
    try {
        simt_device(1);
    } catch (const UnavailableError& error) {
        throw Skipped(error.what());
    }
}

/// Exact rungs round a multiply-add once, as the paths do that have an instruction for it.
bool fused() { return isa_paths().back() != "baseline"; }

/// The binding and the rung that a device finds for a call; nothing where it has none.
struct Found {
    const simt::Binding* binding = nullptr;
    const Rung* rung = nullptr;
    std::string name;
};
std::optional<Found> found_by(const Device& device, const Call& call) {
    GradusCall c{};
    const auto array = [](const Shape& shape, const auto& stride, DType dtype) {
        GradusArray a{};
        a.rank = shape.rank();
        a.dtype = static_cast<std::int32_t>(dtype);
        for (int axis = 0; axis < a.rank; ++axis) a.sizes[axis] = shape[axis], a.strides[axis] = stride(axis);
        return a;
    };
    for (const Tensor& input : call.inputs)
        c.inputs[c.input_count++] = array(
            input.shape(), [&](int axis) { return input.stride(axis); }, input.dtype());
    for (const auto& [shape, dtype] : call.outputs)
        c.outputs[c.output_count++] = array(
            shape, [layout = contiguous_layout(shape)](int axis) { return layout.strides[static_cast<std::size_t>(axis)]; }, dtype);
    std::copy(call.attributes.begin(), call.attributes.end(), c.attributes);
    const auto found = device.look_for(call.op.c_str(), c);
    if (!found) {
        if (const std::string why = device.trouble(); !why.empty()) CHECK(false, why);
        return std::nullopt;
    }
    const auto [ladder, rung] = simt::find_rung(found->implementation);
    for (const simt::Binding& binding : simt::bindings())
        if (call.op == binding.op && ladder->id == binding.ladder && call.inputs.size() == binding.inputs.size()) return Found{&binding, rung, found->implementation};
    CHECK(false, call.op + " runs on " + found->implementation + ", which no binding names");
    return std::nullopt;
}

/// Compares with the cpu; returns the worst error.
double check_call(const Call& call, const Found& found, const Device& device) {
    const std::vector<Tensor> wanted = call_kernel(*cpu(), call.op.c_str(), call.inputs, call.outputs, call.attributes);
    const std::vector<Tensor> got = call_kernel(device, call.op.c_str(), call.inputs, call.outputs, call.attributes);
    double worst = 0;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        const double error = relative_error(got[i], wanted[i]);
        if (!(error <= worst)) worst = error;
        if (found.rung->exact && fused())
            CHECK(same_bits(got[i], wanted[i]),
                  fmt::format("{}: output {} is off by {:.3g}, but the rung is marked exact", found.name, i, error));
        else
            CHECK_ERROR(error, call.looser * (found.rung->exact ? 2e-6 : found.binding->bound),
                        fmt::format("{}: output {}", found.name, i));
    }
    return worst;
}

std::string text_of(const Call& call) {
    std::string out = call.op;
    for (const Tensor& input : call.inputs) out += " " + input.shape().text();
    return out;
}

} // namespace

TEST(parity_rows_on_simt) {
    need_compiler();
    int ran = 0;
    std::set<std::string> refused;
    std::map<std::string, double> worst;
    const std::vector<Call> calls = table_calls(parity_sizes());
    for (const Call& call : calls) {
        const Row named(text_of(call));
        const auto found = found_by(*simt_device(1), call);
        if (!found) {
            refused.insert(call.op);
            CHECK_THROWS(call_kernel(*simt_device(1), call.op.c_str(), call.inputs, call.outputs, call.attributes), UnavailableError,
                         "the simt device has no kernel for " + call.op, "fp32", "there is one on cpu");
            continue;
        }
        ++ran;
        double& most = worst[found->name];
        most = std::max(most, check_call(call, *found, *simt_device(1)));
        CHECK_EQUAL(found->binding->bound == 0, found->rung->exact);
        const std::vector<Tensor> one = call_kernel(*simt_device(1), call.op.c_str(), call.inputs, call.outputs, call.attributes);
        const std::vector<Tensor> two = call_kernel(*simt_device(2), call.op.c_str(), call.inputs, call.outputs, call.attributes);
        for (std::size_t i = 0; i < one.size(); ++i) CHECK(same_bits(one[i], two[i]), "2 threads");
    }
    // No rung has these: a rung's loss begins at the logits, and nothing trains by the bowl but in its own lesson.
    const std::set<std::string> without{"cross_entropy", "cross_entropy_backward", "quadratic", "softmax_backward"};
    CHECK(refused == without, fmt::format("{} kernels were refused", refused.size()));
    CHECK_EQUAL(ran + refused.size() * parity_sizes().size(), calls.size());
    if (std::getenv("GRADUS_SHOW_ERRORS")) {
        for (const auto& [name, error] : worst) fmt::print("{}: {:.3g}\n", name, error);
        fmt::print("{} of {} rows ran\n", ran, calls.size());
    }
}

TEST(further_ops_on_simt) {
    need_compiler();
    std::set<const simt::Binding*> reached;
    const auto run = [&](const std::vector<Call>& calls, bool all) {
        for (const Call& call : calls) {
            const Row named(text_of(call));
            const auto found = found_by(*simt_device(2), call);
            if (all && !CHECK(found.has_value(), "refused")) continue;
            if (!found) continue;
            reached.insert(found->binding);
            const double error = check_call(call, *found, *simt_device(2));
            if (std::getenv("GRADUS_SHOW_ERRORS")) fmt::print("{} {}: {:.3g}\n", text_of(call), found->name, error);
        }
    };
    run(table_calls(std::array{Size{3, 129}}), false);
    run(further_calls(), true);
    for (const simt::Binding& binding : simt::bindings())
        CHECK(reached.contains(&binding), fmt::format("no call reaches {} by {}", binding.op, binding.ladder));
}

/// Every rung of a ladder that is marked exact, not the usual one alone.
SLOW_TEST(exact_rungs_have_the_bits_of_the_cpu) {
    need_compiler();
    std::vector<Call> calls = table_calls(std::array{Size{1, 7}, Size{15, 33}, Size{64, 256}});
    for (Call& call : further_calls()) calls.push_back(std::move(call));
    std::set<std::string> proved;
    for (const simt::Binding& binding : simt::bindings())
        for (const Rung& rung : simt::find_rung(binding.ladder).first->rungs) {
            if (!rung.exact) continue;
            const std::string name = std::string(binding.ladder) + "/" + rung.id;
            const Row named(name);
            const Device device({"simt", "", 1, name});
            for (const Call& call : calls) {
                if (call.op != binding.op) continue;
                const auto found = found_by(device, call);
                if (!found || found->name != name) continue;
                const Row at(text_of(call));
                check_call(call, *found, device);
                proved.insert(name);
            }
        }
    for (const Ladder& ladder : all_ladders())
        for (const Rung& rung : ladder.rungs)
            if (rung.exact)
                CHECK(proved.contains(ladder.id + "/" + rung.id), ladder.id + "/" + rung.id + " is marked exact, and nothing proves it");
}

TEST(simt_says_what_it_lacks) {
    need_compiler();
    const std::vector<std::pair<Shape, DType>> f32{{shape_of({3, 5}), DType::f32}};
    const auto on_simt = [](const char* op, const std::vector<Tensor>& inputs, const std::vector<std::pair<Shape, DType>>& outputs,
                            const std::vector<double>& attributes) {
        return call_kernel(*simt_device(1), op, inputs, outputs, attributes);
    };
    const Tensor wide = random_tensor(shape_of({3, 4}), DType::f64, 1), other = random_tensor(shape_of({4, 5}), DType::f64, 2);
    CHECK_THROWS(on_simt("matmul", {wide, other}, {{shape_of({3, 5}), DType::f64}}, {0, 0}), UnavailableError,
                 "the simt device has no kernel for matmul of fp64 (3, 4), fp64 (4, 5)", "there is one on cpu");
    CHECK_THROWS(on_simt("matmul", {normal({4, 3}, 1), normal({5, 4}, 2)}, f32, {1, 1}), UnavailableError, "matmul",
                 "(4, 3)"); // both transposed
    CHECK_THROWS(on_simt("relu", {normal({5, 3}, 1).transposed(0, 1)}, f32, {}), UnavailableError, "relu",
                 "(3, 5)");                                                                                     // does not lie row by row
    CHECK_THROWS(on_simt("add", {normal({3, 5}, 1), normal({5}, 2)}, f32, {}), UnavailableError, "add", "(5)"); // stretched
    CHECK_THROWS(on_simt("no_such_op", {normal({3, 5}, 1)}, f32, {}), UnavailableError, "no_such_op");
    CHECK_THROWS(on_simt("gather", {normal({3, 5}, 1), labels_of({0, 3, 1})}, f32, {1, 0}), Error, "gather"); // a row that there is not
    CHECK_THROWS(on_simt("relu", {normal({4, 5}, 1).rows(1, 4)}, f32, {}), Error, "relu"); // begins 20 bytes after an allocation
    CHECK(simt_device(1)->trouble().find("16 bytes") != std::string::npos, simt_device(1)->trouble());
    CHECK_THROWS(on_simt("accuracy", {normal({3, 5}, 1), labels_of({0, 5, 1})}, {{Shape{}, DType::f32}}, {}), Error, "accuracy");
}

TEST(simt_opens_or_says_why_not) {
    need_compiler();
    CHECK_THROWS(Device({"simt", "avx2", 1}), UnavailableError, "simt", "--isa");
    CHECK_THROWS(Device({"simt", "", 1, "matmul/9_magic"}), UnavailableError, "matmul", "9_magic", "1_naive");
    CHECK_THROWS(Device({"cpu", "", 1, "matmul/1_naive"}), UnavailableError, "matmul/1_naive", "simt");
    const Device device({"simt", "native", 2});
    CHECK_EQUAL(device.name(), "simt");
    CHECK_EQUAL(device.threads(), 2);
    const std::string path = std::getenv("PATH");
    setenv("PATH", "/nowhere", 1);
    CHECK_THROWS(Device({"simt", "", 1}), UnavailableError, "g++", "install");
    const auto devices = list_devices();
    setenv("PATH", path.c_str(), 1);
    CHECK(!devices.back().available && devices.back().id == "simt" && devices.back().reason.find("g++") != std::string::npos,
          devices.back().reason);
    CHECK(list_devices().back().available);
}
