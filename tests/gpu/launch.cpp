#include "tests/gpu/launch.hpp"

#include "tests/gpu/cuda_call.hpp"
#include "tests/gpu/large_problems.hpp"
#include "tests/gpu/registered_kernel.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace gradus::gpu {

namespace {

constexpr std::int64_t without_asking = 48 * 1024; // bytes of shared memory

const Kernel& find_kernel(const std::string& rung, const std::string& launch) {
    const auto& all = registered_kernels();
    const auto found = std::find_if(all.begin(), all.end(), [&](const Kernel& kernel) { return kernel.rung == rung && kernel.launch == launch; });
    if (found == all.end()) throw ArgumentError(fmt::format("{}: this program was built without the kernel {}", rung, launch));
    return *found;
}

/// Whether a launch may hand it over: a pointer for a buffer, else a number of the same kind and size.
bool fits(const KernelStep::Argument& argument, const KernelParameter& parameter) {
    return std::visit(
        [&](const auto& value) {
            using T = std::decay_t<decltype(value)>;
            if constexpr (std::is_same_v<T, std::string>) return parameter.pointer;
            else return !parameter.pointer && parameter.bytes == sizeof(T) && parameter.floating == std::is_floating_point_v<T>;
        },
        argument);
}

/// Throws ArgumentError unless the program holds it and it takes these arguments.
const Kernel& kernel_of(const std::string& rung, const KernelStep& step) {
    const Kernel& kernel = find_kernel(rung, step.kernel);
    if (kernel.parameters.size() != step.arguments.size())
        throw ArgumentError(fmt::format("{}: {} has {} parameters, the launch {} arguments", rung, step.kernel, kernel.parameters.size(), step.arguments.size()));
    for (std::size_t i = 0; i < step.arguments.size(); ++i)
        if (!fits(step.arguments[i], kernel.parameters[i])) throw ArgumentError(fmt::format("{}: argument {} of {} is of another type than the parameter", rung, i + 1, step.kernel));
    return kernel;
}

cudaFuncAttributes attributes_of(const Kernel& kernel) {
    cudaFuncAttributes attributes;
    check(cudaFuncGetAttributes(&attributes, kernel.function), kernel.launch);
    return attributes;
}

} // namespace

void launch(const std::string& rung, const KernelStep& step, const Addresses& buffers) {
    const Kernel& kernel = kernel_of(rung, step);
    std::vector<std::byte*> pointers(step.arguments.size());
    std::vector<void*> arguments;
    for (std::size_t i = 0; i < step.arguments.size(); ++i) {
        const KernelStep::Argument& argument = step.arguments[i];
        if (const auto* name = std::get_if<std::string>(&argument)) {
            const auto found = buffers.find(*name);
            if (found == buffers.end()) throw ArgumentError(fmt::format("{}: {} is launched with a buffer \"{}\" that there is not", rung, step.kernel, *name));
            pointers[i] = found->second;
            arguments.push_back(&pointers[i]);
        } else {
            std::visit([&](const auto& value) { arguments.push_back(const_cast<void*>(static_cast<const void*>(&value))); }, argument);
        }
    }
    if (step.shared_bytes > 0 && attributes_of(kernel).sharedSizeBytes + static_cast<std::size_t>(step.shared_bytes) > without_asking)
        check(cudaFuncSetAttribute(kernel.function, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(step.shared_bytes)), step.kernel);
    const auto dim = [](const Dim3& d) { return dim3{static_cast<unsigned>(d.x), static_cast<unsigned>(d.y), static_cast<unsigned>(d.z)}; };
    check(cudaLaunchKernel(kernel.function, dim(step.grid), dim(step.block), arguments.data(), static_cast<std::size_t>(step.shared_bytes), nullptr), step.kernel);
}

void run_on_device(const simt::PreparedRun& run, const std::string& name, std::vector<std::byte>& bytes) {
    const DeviceMemory memory(bytes.size());
    check(cudaMemcpy(memory.get(), bytes.data(), bytes.size(), cudaMemcpyHostToDevice), "copying to the device");
    Addresses addresses;
    for (std::size_t i = 0; i < run.buffers.size(); ++i) addresses[run.buffers[i].name] = memory.get() + run.offsets[i];
    for (const KernelStep& step : run.plan.steps) launch(name, step, addresses);
    check(cudaDeviceSynchronize(), "running");
    check(cudaMemcpy(bytes.data(), memory.get(), bytes.size(), cudaMemcpyDeviceToHost), "copying from the device");
}

std::string lacking(const Ladder& ladder, const Rung& rung) {
    try {
        for (const Problem& problem : all_problems(ladder))
            for (const Dim3& block : rung.blocks)
                for (const KernelStep& step : rung.plan(problem, block).steps) kernel_of(ladder.id + "/" + rung.id, step);
    } catch (const ArgumentError& error) {
        return error.what();
    }
    return {};
}

std::string why_not(const Device& device, const std::string& rung, int lowest, const KernelPlan& plan) {
    if (device.capability < lowest) return fmt::format("needs compute capability {}.{}", lowest / 10, lowest % 10);
    for (const KernelStep& step : plan.steps)
        if (const auto needed = static_cast<std::int64_t>(attributes_of(find_kernel(rung, step.kernel)).sharedSizeBytes) + step.shared_bytes; needed > device.shared_per_block)
            return fmt::format("needs {} bytes of shared memory for a block, here are {}", needed, device.shared_per_block);
    return {};
}

} // namespace gradus::gpu
