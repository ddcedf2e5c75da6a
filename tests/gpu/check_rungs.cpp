#include "tests/gpu/check_rungs.hpp"

#include "engine/core/error.hpp"
#include "tests/gpu/cuda_call.hpp"
#include "tests/gpu/deadline.hpp"
#include "tests/gpu/launch.hpp"
#include "tests/gpu/words.hpp"
#include "tests/kernels/problems.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <fmt/format.h>
#include <mutex>
#include <thread>

namespace gradus::gpu {

namespace {

constexpr std::size_t most_failures = 10; ///< of a rung that are told
constexpr std::byte untouched{0xa5};      ///< fills what lies between buffers

std::uint64_t bytes_of(const KernelBuffer& buffer) { return static_cast<std::uint64_t>(buffer.count()) * size_of(buffer.type); }

std::mutex device_in_use; ///< one thread's launches at a time: a fault and the reset after it are then nobody else's

/// run_on_device for one of several threads. Why not, if the device cannot run it.
std::string run_in_turn(const Device& device, const simt::PreparedRun& run, const std::string& name, const std::string& at, std::vector<std::byte>& bytes) {
    const std::lock_guard lock(device_in_use);
    const Deadline deadline(name + " at " + at, std::chrono::seconds(120));
    try {
        if (std::string why = why_not(device, name, run.rung->lowest, run.plan); !why.empty()) return why;
        run_on_device(run, name, bytes);
        return {};
    } catch (const DeviceError&) {
        check(cudaDeviceReset(), "after a fault the device"); // a fault leaves nothing else to be done with it
        throw;
    }
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
            try {
                const simt::PreparedRun run(ladder, rung, problem, block, 1);
                std::vector<std::byte> bytes(run.bytes, untouched);
                run.fill(bytes.data());
                if (const std::string why = run_in_turn(device, run, name, at, bytes); !why.empty()) {
                    out.left_out = why;
                    continue;
                }
                ++out.runs;
                if (const std::string buffer = overrun(run, bytes); !buffer.empty()) fail("something was written behind the end of " + buffer);
                for (const simt::OutputError& output : simt::compare(run, run.outputs(bytes.data()))) {
                    if (!output.right) fail(fmt::format("{} is off by {:.3g}, allowed are {:.3g}", output.name, output.error, output.allowed));
                    if (!(output.error <= out.largest_error)) out.largest_error = output.error;
                    out.tolerance = std::max(out.tolerance, output.allowed);
                }
            } catch (const std::exception& error) {
                fail(error.what());
            }
        }
    if (out.runs == 0 && out.left_out.empty() && out.failures.empty()) out.failures.push_back("nothing was run");
    return out;
}

std::vector<RungCheck> check_rungs(const Device& device, const std::vector<LadderRung>& wanted, const std::function<void(const RungCheck&)>& done) {
    std::vector<RungCheck> out(wanted.size());
    std::atomic<std::size_t> next = 0;
    std::mutex saying;
    const auto work = [&] {
        for (std::size_t i = next++; i < wanted.size(); i = next++) {
            out[i] = check_rung(device, *wanted[i].ladder, *wanted[i].rung);
            const std::lock_guard lock(saying);
            done(out[i]);
        }
    };
    std::vector<std::jthread> threads;
    for (unsigned i = 1; i < std::thread::hardware_concurrency(); ++i) threads.emplace_back(work);
    work();
    threads.clear(); // waits for all
    return out;
}

} // namespace gradus::gpu
