#include "lessons/experiments/run_kernel/run_kernel.hpp"

#include "engine/kernels/faulty/faulty_ladders.hpp"
#include "lessons/experiments/run_kernel/answers.hpp"
#include "lessons/experiments/run_kernel/process.hpp"

#include <algorithm>

namespace gradus {

namespace {

class RunKernel : public Experiment {
public:
    std::string id() const override { return "run_kernel"; }
    std::string title() const override { return "A CUDA kernel, lane by lane"; }
    StepIndex standard_steps() const override { return 1; }

    const std::vector<ParameterInfo>& parameters() const override {
        using Type = ParameterInfo::Type;
        static const std::vector<ParameterInfo> list = [] {
            std::vector<std::string> ladders, architectures;
            for (const Ladder* ladder : known_ladders()) ladders.push_back(ladder->id);
            for (const Architecture& each : all_architectures()) architectures.push_back(each.name());
            return std::vector<ParameterInfo>{
                {"ladder", Type::choice, "transpose", "", 0, 0, ladders, "what is computed"},
                {"rung", Type::words, "first", "", 0, 0, {}, "which kernel computes it: first, last or its name, such as 2_tiled; with its ladder's, such as reduction/7_shuffle, it is that ladder's"},
                {"source", Type::text, "own", "", 0, 0, {}, "own, or the text of a CUDA file that stands in for the rung's: the same kernels"},
                {"sizes", Type::words, "usual", "", 0, 0, {}, "of the problem: usual, or such as rows=64,columns=32"},
                {"block", Type::words, "usual", "threads", 0, 0, {}, "threads of a block: usual, or such as 256 or 32x8"},
                {"architecture", Type::choice, "8.0", "", 0, 0, architectures, "the compute capability that occupancy is modelled for"},
                {"record", Type::choice, "block", "", 0, 0, {"none", "warp", "block", "block_alone", "all"},
                 "what of it is recorded step by step; block_alone: that block, and none beside it is run or compared with the reference"},
                {"record_launch", Type::integer, "0", "", 0, 1000, {}, "the launch of which a block or warp is recorded"},
                {"record_block", Type::integer, "0", "", 0, 1e9, {}, "the block that is recorded, or whose warp is"},
                {"record_warp", Type::integer, "0", "", 0, 31, {}, "the warp that is recorded"},
                {"schedule", Type::integer, "0", "", 0, 1e9, {}, "0: warps one after another; else a seed by which they take turns"},
            };
        }();
        return list;
    }

    const std::vector<QuestionInfo>& questions() const override {
        static const std::vector<QuestionInfo> list = questions_of(kernels::answers());
        return list;
    }
    std::unique_ptr<Process> start(const Setup& setup) const override { return std::make_unique<kernels::KernelProcess>(setup); }
    /// A buffer's line is not the parameter of any name; a launch's block is not the block of threads.
    Answer answer(std::string_view question, const Arguments& arguments, const Setup& setup, const Run* run) const override {
        return answer_from(kernels::answers(), *this, question, arguments, setup, run);
    }
    /// Another ladder has other rungs, sizes and blocks; another rung may have other blocks.
    Parameters with(const Parameters& given, const std::string& name, const std::string& value) const override {
        Parameters out = Experiment::with(given, name, value);
        if (name == "ladder") out["rung"] = "first", out["sizes"] = "usual";
        const bool elsewhere = name == "rung" && (value + given.at("rung")).find('/') != std::string::npos; // perhaps of another ladder
        if (elsewhere) out["sizes"] = "usual";
        if (name == "ladder" || name == "rung") out["block"] = "usual", out["source"] = "own";
        if (name == "ladder" || name == "rung" || name == "sizes" || name == "block") out["record_launch"] = out["record_block"] = out["record_warp"] = "0";
        return complete(out);
    }
};

} // namespace

const Experiment& run_kernel_experiment() {
    static const RunKernel experiment;
    return experiment;
}

} // namespace gradus
