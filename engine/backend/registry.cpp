#include "engine/backend/registry.hpp"

#include "engine/backend/cpu/cpu_backend.hpp"
#include "engine/backend/simt/simt_backend.hpp"
#include "engine/core/error.hpp"

#include <fmt/format.h>

namespace gradus {

namespace {

constexpr const char* no_cuda = "the CUDA backend is not part of this build";

std::string array_text(const GradusArray& array) {
    std::string out(name_of(static_cast<DType>(array.dtype)));
    out += " (";
    for (int i = 0; i < array.rank; ++i) out += fmt::format("{}{}", i > 0 ? ", " : "", array.sizes[i]);
    return out + ")";
}

/// The same device, or why not.
DeviceInfo info_of(const char* id, const char* title) {
    try {
        const Device device{DeviceOptions{id, "", 1}};
        return {id, device.name() == "cpu" ? fmt::format("{} ({} path)", device.description(), device.isa()) : title, true, ""};
    } catch (const UnavailableError& error) {
        return {id, title, false, error.what()};
    }
}

} // namespace

Device::Device(const DeviceOptions& options) {
    if (options.device == "cuda") throw UnavailableError(fmt::format("device 'cuda' cannot be used: {}", no_cuda));
    if (options.device != "cpu" && options.device != "simt")
        throw ArgumentError(fmt::format("device must be cpu, cuda or simt, not '{}'", options.device));
    backend_ = options.device == "simt" ? &simt_backend() : &cpu_backend();
    char reason[512] = "";
    const GradusOpenOptions open{options.isa.c_str(), options.threads, options.rungs.c_str()};
    if (backend_->open(&open, &context_, reason, sizeof reason) != GRADUS_OK) throw UnavailableError(reason);
}

Device::~Device() {
    if (context_) backend_->close(context_);
}

std::optional<Device::Found> Device::look_for(const char* op, GradusCall& call) const {
    call.context = context_;
    Found found;
    if (backend_->find(context_, op, &call, &found.kernel, &found.implementation) != GRADUS_OK) return std::nullopt;
    return found;
}

Device::Found Device::find(const char* op, GradusCall& call) const {
    if (const std::optional<Found> found = look_for(op, call)) return *found;
    if (const std::string why = trouble(); !why.empty())
        throw UnavailableError(fmt::format("device '{}' cannot compute {}: {}", name(), op, why));
    std::string arguments;
    for (int i = 0; i < call.input_count; ++i) arguments += fmt::format("{}{}", i > 0 ? ", " : "", array_text(call.inputs[i]));
    if (name() == "cpu") throw UnavailableError(fmt::format("device 'cpu' has no implementation of {} for {}", op, arguments));
    const bool elsewhere = (call.output_count > 0 && cpu_backend().computes(op, call.outputs[0].dtype)) ||
                           (call.input_count > 0 && cpu_backend().computes(op, call.inputs[0].dtype));
    throw UnavailableError(
        fmt::format("the {} device has no kernel for {} of {}{}", name(), op, arguments, elsewhere ? "; there is one on cpu" : ""));
}

void Device::replace_kernel(const std::string& rung, const std::string& text) {
    if (!backend_->replace_kernel) throw ArgumentError(fmt::format("device '{}' runs no kernels whose text could be replaced ({}); simt does", name(), rung));
    switch (backend_->replace_kernel(context_, rung.c_str(), text.c_str())) {
    case GRADUS_OK: return;
    case GRADUS_BAD_ARGUMENT: throw ArgumentError(trouble());
    default: throw UnavailableError(trouble());
    }
}

std::vector<DType> Device::dtypes_of(const char* op) const {
    std::vector<DType> out;
    for (const DType dtype : {DType::f32, DType::f64, DType::f16, DType::bf16, DType::i32, DType::i64, DType::u8, DType::boolean})
        if (backend_->computes(op, static_cast<std::int32_t>(dtype))) out.push_back(dtype);
    return out;
}

std::vector<DeviceInfo> list_devices() {
    return {info_of("cpu", "CPU"), {"cuda", "NVIDIA GPU", false, no_cuda}, info_of("simt", "CUDA kernels on the CPU")};
}

} // namespace gradus
