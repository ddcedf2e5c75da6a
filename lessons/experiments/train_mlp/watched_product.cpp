#include "lessons/experiments/train_mlp/watched_product.hpp"

#include "engine/core/error.hpp"
#include "engine/ops/ops.hpp"
#include "lessons/experiments/run_kernel/launches.hpp"
#include "lessons/experiments/run_kernel/run_kernel.hpp"

#include <fmt/format.h>
#include <string_view>

namespace gradus::mlp {

namespace {

NodeIndex product_of(const Tape& tape, int layer) {
    const std::string module = fmt::format("layer{}", layer);
    for (NodeIndex i = 0; i < static_cast<NodeIndex>(tape.nodes().size()); ++i) {
        const Node& node = tape.node(i);
        if (node.phase == Phase::forward && node.module == module && std::string_view(node.op->name) == "matmul") return i;
    }
    throw ArgumentError(fmt::format("train_mlp: {} has no product that could be watched", module));
}

std::vector<double> numbers(const Tensor& tensor) {
    std::vector<double> out(static_cast<std::size_t>(tensor.elements()));
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = tensor.at(static_cast<Dim>(i));
    return out;
}

} // namespace

WatchedProduct::WatchedProduct(const Tape& tape, int layer, const Setup& setup) : node_(product_of(tape, layer)) {
    const Node& node = tape.node(node_);
    const Shape &x = tape.value(node.inputs[0]).shape, &w = tape.value(node.inputs[1]).shape;
    kernel_.seed = setup.seed;
    kernel_.stop = setup.stop;
    kernel_.parameters = run_kernel_experiment().complete({{"ladder", "matmul"}, {"rung", node.implementation}, {"sizes", fmt::format("M={},N={},K={}", x[0], w[1], x[1])}});
}

void WatchedProduct::replace(const std::string& source) { kernel_.parameters["source"] = source; }

WatchedNode WatchedProduct::watched(const std::string& source) {
    replace(source);
    WatchedNode out{node_, {}, [this](const std::vector<Tensor>& inputs) { return record(inputs); }};
    const kernels::Settings settings = kernels::read_settings(kernel_);
    for (const KernelStep& step : settings.request.rung->plan(simt::usual_problem(*settings.request.ladder, settings.request.sizes), settings.request.block).steps)
        out.launches.push_back(kernels::planned_launch(settings.id(), step));
    return out;
}

std::shared_ptr<const KernelTrace> WatchedProduct::record(const std::vector<Tensor>& inputs) {
    const kernels::Settings settings = kernels::read_settings(kernel_);
    const simt::KernelRequest& request = settings.request;
    const simt::PreparedRun prepared(*request.ladder, *request.rung, request.sizes, request.block, request.seed);
    const simt::KernelRun run = simt::run_kernel(request, prepared.with({{"A", numbers(inputs.at(0))}, {"B", numbers(inputs.at(1))}}), kernel_.stop);
    if (!run.end.done && kernel_.stop.stop_requested()) throw Interrupted();
    if (!run.end.done) throw UnavailableError(fmt::format("{}: the kernel {}", settings.id(), run.end.why));
    error_ = kernels::max_error(run);
    return run.trace;
}

} // namespace gradus::mlp
