#include "engine/backend/cpu/cpu_backend.hpp"

#include "engine/backend/cpu/kernel_parts.hpp"
#include "engine/backend/cpu/strided.hpp"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <fstream>
#include <string>
#include <string_view>
#include <thread>

namespace gradus {

namespace {

using cpu::Kernel;
using cpu::Path;

constexpr auto families = {
    cpu::product_kernels, cpu::elementwise_kernels, cpu::plane_kernels, cpu::comparison_kernels,
    cpu::reduce_kernels, cpu::position_kernels, cpu::scan_kernels, cpu::loss_kernels, cpu::data_kernels,
    cpu::layout_kernels, cpu::cast_kernels, cpu::attention_kernels, cpu::update_kernels, cpu::loss_scale_kernels, cpu::indexing_kernels,
    cpu::grouped_product_kernels, cpu::embedding_kernels, cpu::order_kernels, cpu::softmax_kernels, cpu::element_loss_kernels,
    cpu::dropout_kernels, cpu::conv_kernels, cpu::conv_direct_kernels, cpu::pool_kernels, cpu::norm_kernels,
    cpu::batch_norm_kernels};

/// The kernel of an op for a type of its first output and for the call's other types.
const Kernel* find_kernel(std::string_view op, DType dtype, const GradusCall& call) {
    for (const auto family : families)
        for (const Kernel& kernel : family())
            if (kernel.op == op && kernel.dtype == dtype && (!kernel.takes || kernel.takes(call))) return &kernel;
    return nullptr;
}

bool halves(const GradusArray& array) { return is_half(static_cast<DType>(array.dtype)); }

/// Whether the call's arrays of 16 bits have to be widened for this kernel.
bool works_in_fp32(const Kernel& kernel, const GradusCall& call) {
    if (is_half(kernel.dtype)) return false;
    bool any = false;
    for (int i = 0; i < call.input_count; ++i) any |= halves(call.inputs[i]) && !kernel.any_types;
    for (int i = 0; i < call.output_count; ++i) any |= halves(call.outputs[i]);
    return any;
}

GradusStatus find(GradusContext* context, const char* op, GradusCall* call, GradusKernel* kernel,
                  const char** implementation) {
    const auto dtype = static_cast<DType>(call->outputs[0].dtype);
    const Kernel* found = find_kernel(op, dtype, *call);
    if (!found && is_half(dtype)) found = find_kernel(op, DType::f32, *call);
    if (!found) return GRADUS_UNSUPPORTED;
    const bool in_fp32 = works_in_fp32(*found, *call);
    if (in_fp32 && found->dtype == DType::f64) return GRADUS_UNSUPPORTED;
    for (int i = 0; i < call->input_count; ++i) { // what is not contiguous is refused here rather than misread
        const bool widened = in_fp32 && halves(call->inputs[i]);
        if (!found->any_strides && !widened && !cpu::is_contiguous(call->inputs[i])) return GRADUS_UNSUPPORTED;
    }
    call->inner = in_fp32 ? found->run : nullptr;
    *kernel = in_fp32 ? cpu::run_in_fp32 : found->run;
    *implementation = in_fp32 ? context->in_fp32.c_str() : context->path->name;
    return GRADUS_OK;
}

/// Whether a kernel computes on a first input of this type; 16 bits are widened where it knows fp32 alone.
bool reads(const Kernel& kernel, DType dtype) {
    if (!kernel.reads.empty()) return std::find(kernel.reads.begin(), kernel.reads.end(), dtype) != kernel.reads.end();
    return kernel.dtype == dtype || (kernel.dtype == DType::f32 && is_half(dtype));
}

int32_t computes(const char* op, int32_t dtype) {
    for (const auto family : families)
        for (const Kernel& kernel : family())
            if (kernel.op == op && reads(kernel, static_cast<DType>(dtype))) return 1;
    return 0;
}

bool has_avx2() { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); }
bool has_avx512() {
    return has_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq");
}

const Path* choose_path(std::string_view isa, char* reason, int32_t size) {
    if (isa.empty()) return has_avx512() ? &cpu::avx512_path() : has_avx2() ? &cpu::avx2_path() : &cpu::baseline_path();
    if (isa == "baseline") return &cpu::baseline_path();
    const bool known = isa == "avx2" || isa == "avx512";
    if (isa == "avx2" && has_avx2()) return &cpu::avx2_path();
    if (isa == "avx512" && has_avx512()) return &cpu::avx512_path();
    std::snprintf(reason, static_cast<std::size_t>(size),
                  known ? "this processor has no %.*s; use --isa baseline" : "isa must be baseline, avx2 or avx512, not '%.*s'",
                  static_cast<int>(isa.size()), isa.data());
    return nullptr;
}

std::string processor_name() {
    std::ifstream info("/proc/cpuinfo");
    for (std::string line; std::getline(info, line);)
        if (line.starts_with("model name"))
            if (const auto at = line.find(": "); at != std::string::npos) return line.substr(at + 2);
    return "CPU";
}

GradusStatus open(const GradusOpenOptions* options, GradusContext** context, char* reason, int32_t reason_size) {
    if (options->rungs && *options->rungs) {
        std::snprintf(reason, static_cast<std::size_t>(reason_size), "device 'cpu' runs no kernels whose rung could be chosen (%s); simt does", options->rungs);
        return GRADUS_UNSUPPORTED;
    }
    const Path* path = choose_path(options->isa ? options->isa : "", reason, reason_size);
    if (!path) return GRADUS_UNSUPPORTED;
    const int threads =
        options->threads > 0 ? options->threads : static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
    try {
        *context = new GradusContext(path, threads);
        (*context)->device = processor_name();
    } catch (const std::exception& error) {
        std::snprintf(reason, static_cast<std::size_t>(reason_size), "%s", error.what());
        return GRADUS_FAILED;
    }
    return GRADUS_OK;
}

} // namespace

const GradusBackend& cpu_backend() {
    static constexpr GradusBackend backend{
        GRADUS_BACKEND_VERSION,
        "cpu",
        open,
        [](GradusContext* context) { delete context; },
        find,
        computes,
        [](const GradusContext* context) -> int32_t { return context->pool.threads(); },
        [](const GradusContext* context) { return context->path->name; },
        [](const GradusContext* context) { return context->device.c_str(); },
        [](const GradusContext*) { return ""; },
        nullptr,
    };
    return backend;
}

} // namespace gradus
