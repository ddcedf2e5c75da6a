#include "engine/backend/registry.hpp"

#include "engine/backend/cpu/cpu_backend.hpp"
#include "engine/core/error.hpp"

#include <fmt/format.h>

namespace gradus {

namespace {

const char* missing_reason(const std::string& device) {
    if (device == "cuda") return "the CUDA backend is not part of this build";
    if (device == "simt") return "the interpreter of CUDA kernels is not part of this build";
    return nullptr;
}

std::string array_text(const GradusArray& array) {
    std::string out(name_of(static_cast<DType>(array.dtype)));
    out += " (";
    for (int i = 0; i < array.rank; ++i) out += fmt::format("{}{}", i > 0 ? ", " : "", array.sizes[i]);
    return out + ")";
}

} // namespace

Device::Device(const DeviceOptions& options) {
    if (options.device != "cpu") {
        if (const char* reason = missing_reason(options.device))
            throw UnavailableError(fmt::format("device '{}' cannot be used: {}", options.device, reason));
        throw ArgumentError(fmt::format("device must be cpu, cuda or simt, not '{}'", options.device));
    }
    backend_ = &cpu_backend();
    char reason[256] = "";
    const GradusOpenOptions open{options.isa.c_str(), options.threads};
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
    std::string arguments;
    for (int i = 0; i < call.input_count; ++i)
        arguments += fmt::format("{}{}", i > 0 ? ", " : "", array_text(call.inputs[i]));
    throw UnavailableError(fmt::format("device '{}' has no implementation of {} for {}", name(), op, arguments));
}

std::vector<DType> Device::dtypes_of(const char* op) const {
    std::vector<DType> out;
    for (const DType dtype : {DType::f32, DType::f64, DType::f16, DType::bf16, DType::i32})
        if (backend_->computes(op, static_cast<std::int32_t>(dtype))) out.push_back(dtype);
    return out;
}

std::vector<DeviceInfo> list_devices() {
    std::vector<DeviceInfo> devices;
    const Device cpu{DeviceOptions{}};
    devices.push_back({"cpu", fmt::format("{} ({} path)", cpu.description(), cpu.isa()), true, ""});
    devices.push_back({"cuda", "NVIDIA GPU", false, missing_reason("cuda")});
    devices.push_back({"simt", "CUDA kernels on the CPU", false, missing_reason("simt")});
    return devices;
}

} // namespace gradus
