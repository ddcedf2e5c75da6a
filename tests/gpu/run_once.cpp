#include "tests/gpu/run_once.hpp"

#include "engine/simt/prepared_run.hpp"
#include "tests/gpu/launch.hpp"
#include "tests/gpu/words.hpp"

#include <fmt/format.h>

namespace gradus::gpu {

std::vector<std::string> run_once(const Device& device, const Ladder& ladder, const Rung& rung) {
    const std::string name = ladder.id + "/" + rung.id;
    const simt::PreparedRun run(ladder, rung, simt::usual_problem(ladder), rung.blocks.front(), 1);
    if (const std::string why = why_not(device, name, rung.lowest, run.plan); !why.empty()) return {fmt::format("left out\t{}\t{}", name, why)};
    std::vector<std::byte> bytes(run.bytes);
    run.fill(bytes.data());
    run_on_device(run, name, bytes);
    std::vector<std::string> lines;
    for (const KernelStep& step : run.plan.steps) lines.push_back(fmt::format("launch\t{}\t{}\t{}\t{}", name, step.kernel, words_of(step.grid), words_of(step.block)));
    for (const KernelBuffer& buffer : run.buffers)
        if (buffer.output) lines.push_back(fmt::format("output\t{}\t{}\t{}", name, buffer.name, simt::output_hash(run, buffer.name, bytes.data())));
    return lines;
}

} // namespace gradus::gpu
