#include "tests/gpu/check_rungs.hpp"

#include "engine/core/error.hpp"
#include "tests/gpu/cuda_call.hpp"
#include "tests/gpu/deadline.hpp"
#include "tests/gpu/launch.hpp"
#include "tests/gpu/words.hpp"
#include "tests/kernels/problems.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace gradus::gpu {

namespace {

constexpr std::size_t most_failures = 10; ///< of a rung that are told
constexpr std::byte untouched{0xa5};      ///< fills what lies between buffers

std::uint64_t bytes_of(const KernelBuffer& buffer) { return static_cast<std::uint64_t>(buffer.count()) * size_of(buffer.type); }

/// What the launches leave in the memory that holds all buffers.
std::vector<std::byte> run_on_device(const simt::PreparedRun& run, const std::string& name) {
    std::vector<std::byte> bytes(run.bytes, untouched);
    run.fill(bytes.data());
    const DeviceMemory memory(bytes.size());
    check(cudaMemcpy(memory.get(), bytes.data(), bytes.size(), cudaMemcpyHostToDevice), "copying to the device");
    Addresses addresses;
    for (std::size_t i = 0; i < run.buffers.size(); ++i) addresses[run.buffers[i].name] = memory.get() + run.offsets[i];
    for (const KernelStep& step : run.plan.steps) launch(name, step, addresses);
    check(cudaDeviceSynchronize(), "running");
    check(cudaMemcpy(bytes.data(), memory.get(), bytes.size(), cudaMemcpyDeviceToHost), "copying from the device");
    return bytes;
}

/// The buffer behind whose end something was written, or nothing.
std::string overrun(const simt::PreparedRun& run, const std::vector<std::byte>& bytes) {
    for (std::size_t i = 0; i < run.buffers.size(); ++i) {
        const auto begin = bytes.begin() + static_cast<std::ptrdiff_t>(run.offsets[i] + bytes_of(run.buffers[i]));
        const auto end = i + 1 < run.buffers.size() ? bytes.begin() + static_cast<std::ptrdiff_t>(run.offsets[i + 1]) : bytes.end();
        if (std::any_of(begin, end, [](std::byte byte) { return byte != untouched; })) return run.buffers[i].name;
    }
    return {};
}

} // namespace

RungCheck check_rung(const Device& device, const Ladder& ladder, const Rung& rung) {
    RungCheck out{.ladder = ladder.id, .rung = rung.id, .tolerance = rung.tolerance};
    const std::string name = ladder.id + "/" + rung.id;
    for (const Problem& problem : test::problems_of(ladder))
        for (const Dim3& block : rung.blocks) {
            const std::string at = words_of(problem) + " with blocks of " + words_of(block);
            const auto fail = [&](const std::string& why) {
                if (out.failures.size() < most_failures) out.failures.push_back(at + ": " + why);
            };
            const Deadline deadline(name + " at " + at, std::chrono::seconds(120));
            try {
                const simt::PreparedRun run(ladder, rung, problem, block, 1);
                if (const std::string why = why_not(device, name, rung.lowest, run.plan); !why.empty()) {
                    out.left_out = why;
                    continue;
                }
                const std::vector<std::byte> bytes = run_on_device(run, name);
                ++out.runs;
                if (const std::string buffer = overrun(run, bytes); !buffer.empty()) fail("something was written behind the end of " + buffer);
                for (const simt::OutputError& output : simt::compare(run, run.outputs(bytes.data()))) {
                    if (!output.right) fail(fmt::format("{} is off by {:.3g}, allowed are {:.3g}", output.name, output.error, rung.tolerance));
                    if (!(output.error <= out.largest_error)) out.largest_error = output.error;
                }
            } catch (const DeviceError& error) {
                fail(error.what());
                check(cudaDeviceReset(), "after a fault the device"); // a fault leaves nothing else to be done with it
            } catch (const Error& error) {
                fail(error.what());
            }
        }
    if (out.runs == 0 && out.left_out.empty() && out.failures.empty()) out.failures.push_back("nothing was run");
    return out;
}

} // namespace gradus::gpu
