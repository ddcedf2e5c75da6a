#include "tests/gpu/time_rungs.hpp"

#include "engine/simt/prepared_run.hpp"
#include "tests/gpu/blas.hpp"
#include "tests/gpu/cuda_call.hpp"
#include "tests/gpu/deadline.hpp"
#include "tests/gpu/fill.hpp"
#include "tests/gpu/large_problems.hpp"
#include "tests/gpu/launch.hpp"
#include "tests/gpu/stopwatch.hpp"
#include "tests/gpu/words.hpp"

#include <algorithm>
#include <deque>
#include <fmt/format.h>
#include <memory>

namespace gradus::gpu {

namespace {

std::size_t bytes_of(const KernelBuffer& buffer) { return static_cast<std::size_t>(buffer.count()) * size_of(buffer.type); }

std::size_t free_bytes() {
    std::size_t free = 0, all = 0;
    check(cudaMemGetInfo(&free, &all), "cudaMemGetInfo");
    return free;
}

/// Buffers in the device's memory, filled.
class Buffers {
public:
    void add(const std::vector<KernelBuffer>& buffers) {
        for (const KernelBuffer& buffer : buffers) {
            fill(buffer, memory_.emplace_back(bytes_of(buffer)).get());
            addresses_[buffer.name] = memory_.back().get();
        }
    }
    const Addresses& addresses() const { return addresses_; }

private:
    std::deque<DeviceMemory> memory_;
    Addresses addresses_;
};

/// Empty if they fit into what is free, with a little to spare.
std::string too_large(const std::vector<KernelBuffer>& buffers) {
    std::size_t needed = 64 << 20;
    for (const KernelBuffer& buffer : buffers) needed += bytes_of(buffer);
    const std::size_t free = free_bytes();
    return needed <= free ? "" : fmt::format("needs {:.1f} GB of memory, free are {:.1f}", static_cast<double>(needed) * 1e-9, static_cast<double>(free) * 1e-9);
}

BlockTime time_block(const std::string& rung, const KernelPlan& plan, Dim3 block, const LargeProblem& large, const Buffers& ladder_buffers) {
    Buffers scratch;
    scratch.add(plan.scratch);
    Addresses addresses = ladder_buffers.addresses();
    addresses.insert(scratch.addresses().begin(), scratch.addresses().end());
    std::vector<std::function<void()>> parts;
    for (const KernelStep& step : plan.steps) parts.emplace_back([&, &step = step] { launch(rung, step, addresses); });
    const std::vector<double> times = median_times(parts);
    BlockTime out{.block = block};
    for (std::size_t i = 0; i < times.size(); ++i) {
        const std::string& kernel = plan.steps[i].kernel;
        const bool counts = std::none_of(large.preparing.begin(), large.preparing.end(), [&](const std::string& ending) { return kernel.ends_with(ending); });
        out.steps.push_back({kernel, times[i], counts});
        if (counts) out.us += times[i];
    }
    return out;
}

RungTime time_rung(const Device& device, const Ladder& ladder, const Rung& rung, const Problem& problem, const LargeProblem& large, const Buffers& buffers) {
    RungTime out{.rung = rung.id};
    const std::string name = ladder.id + "/" + rung.id;
    for (const Dim3& block : rung.blocks) {
        const Deadline deadline(fmt::format("{} at {} with blocks of {}", name, words_of(problem), words_of(block)), std::chrono::seconds(300));
        const KernelPlan plan = rung.plan(problem, block);
        std::string why = why_not(device, name, rung.lowest, plan);
        if (why.empty()) why = too_large(plan.scratch);
        if (!why.empty()) out.left_out = fmt::format("blocks of {}: {}", words_of(block), why);
        else out.blocks.push_back(time_block(name, plan, block, large, buffers));
    }
    return out;
}

/// cuBLAS on the same matrices, where it has such a product.
void time_peer(LadderTimes& out, const Addresses& at) {
    if (out.ladder != "matmul" && out.ladder != "matmul_half") return;
    const bool in_f32 = out.ladder == "matmul";
    out.peer = in_f32 ? "cuBLAS sgemm" : "cuBLAS hgemm";
    const auto dim = [&](const char* name) { return static_cast<int>(out.problem.at(name)); };
    const auto matrix = [&](const char* name) { return reinterpret_cast<float*>(at.at(name)); };
    const Deadline deadline(out.peer, std::chrono::seconds(120));
    try {
        Blas blas;
        out.peer = blas.version() + (in_f32 ? " sgemm" : " hgemm");
        out.peer_us = median_times({[&] {
            if (in_f32) blas.sgemm(dim("M"), dim("N"), dim("K"), matrix("A"), matrix("B"), matrix("C"));
            else blas.hgemm(dim("M"), dim("N"), dim("K"), at.at("A"), at.at("B"), matrix("C"));
        }})[0];
    } catch (const Error& error) {
        out.peer_left_out = error.what();
    }
}

} // namespace

const BlockTime* RungTime::best() const {
    const auto found = std::min_element(blocks.begin(), blocks.end(), [](const BlockTime& a, const BlockTime& b) { return a.us < b.us; });
    return found == blocks.end() ? nullptr : &*found;
}

LadderTimes time_ladder(const Device& device, const Ladder& ladder, const std::function<bool(const Rung&)>& wanted) {
    const LargeProblem& large = large_problem(ladder);
    const Problem problem = simt::usual_problem(ladder, large.sizes);
    LadderTimes out{.ladder = ladder.id, .problem = problem, .bytes = least_bytes(ladder, problem), .flops = large.flops ? large.flops(problem) : 0};
    const std::vector<KernelBuffer> needed = ladder.buffers(problem);
    const std::string why = too_large(needed);
    auto buffers = std::make_unique<Buffers>();
    if (why.empty()) buffers->add(needed);
    for (const Rung& rung : ladder.rungs) {
        if (!wanted(rung)) continue;
        try {
            out.rungs.push_back(why.empty() ? time_rung(device, ladder, rung, problem, large, *buffers) : RungTime{.rung = rung.id, .left_out = why});
        } catch (const DeviceError& error) { // a fault leaves nothing else to be done with the device
            out.rungs.push_back({.rung = rung.id, .failure = error.what()});
            buffers.reset();
            check(cudaDeviceReset(), "after a fault the device");
            buffers = std::make_unique<Buffers>();
            buffers->add(needed);
        } catch (const Error& error) {
            out.rungs.push_back({.rung = rung.id, .failure = error.what()});
        }
    }
    if (why.empty()) time_peer(out, buffers->addresses());
    return out;
}

double copy_rate(const Device& device) {
    const std::size_t bytes = std::min<std::size_t>(std::size_t{1} << 30, static_cast<std::size_t>(device.memory) / 8);
    const DeviceMemory from(bytes), to(bytes);
    check(cudaMemset(from.get(), 0, bytes), "cudaMemset");
    const double us = median_times({[&] { check(cudaMemcpyAsync(to.get(), from.get(), bytes, cudaMemcpyDeviceToDevice, nullptr), "cudaMemcpyAsync"); }})[0];
    return 2 * static_cast<double>(bytes) / us;
}

} // namespace gradus::gpu
