#include "lessons/experiments/climb_ladder/climb_ladder.hpp"

#include "lessons/experiments/climb_ladder/answers.hpp"
#include "lessons/experiments/climb_ladder/process.hpp"

namespace gradus {

namespace {

class ClimbLadder : public Experiment {
public:
    std::string id() const override { return "climb_ladder"; }
    std::string title() const override { return "A ladder of CUDA kernels, rung by rung"; }
    StepIndex standard_steps() const override { return 8; }

    const std::vector<ParameterInfo>& parameters() const override {
        using Type = ParameterInfo::Type;
        static const std::vector<ParameterInfo> list = [] {
            std::vector<std::string> ladders, chips;
            for (const Ladder& ladder : all_ladders()) ladders.push_back(ladder.id);
            for (const Chip& each : all_chips()) chips.push_back(each.id);
            return std::vector<ParameterInfo>{
                {"ladder", Type::choice, "matmul", "", 0, 0, ladders, "what is computed"},
                {"rungs", Type::words, "all", "", 0, 0, {}, "which kernels, one in each step: all, or names such as 1_naive,3_shared; after the last the first again"},
                {"sizes", Type::words, "usual", "", 0, 0, {}, "of the problem: usual, or such as M=64,N=64,K=64"},
                {"block", Type::words, "usual", "threads", 0, 0, {}, "threads of a block: usual, or such as 16x16, for the rungs that can have it"},
                {"chip", Type::choice, "a100", "", 0, 0, chips, "the GPU that times are modelled for"},
                {"record", Type::choice, "block", "", 0, 0, {"none", "warp", "block"}, "what of each rung is recorded step by step"},
                {"record_launch", Type::integer, "0", "", 0, 1000, {}, "the launch of which a block or warp is recorded, or the last"},
                {"record_block", Type::integer, "0", "", 0, 1e9, {}, "the block that is recorded, or whose warp is, or the last"},
                {"record_warp", Type::integer, "0", "", 0, 31, {}, "the warp that is recorded, or the last"},
            };
        }();
        return list;
    }

    const std::vector<QuestionInfo>& questions() const override {
        static const std::vector<QuestionInfo> list = questions_of(kernels::climb_answers());
        return list;
    }
    std::unique_ptr<Process> start(const Setup& setup) const override { return std::make_unique<kernels::ClimbProcess>(setup); }
    Answer answer(std::string_view question, const Arguments& arguments, const Setup& setup, const Run* run) const override {
        return answer_from(kernels::climb_answers(), *this, question, arguments, setup, run);
    }
    /// Another ladder has other rungs, sizes and blocks.
    Parameters with(const Parameters& given, const std::string& name, const std::string& value) const override {
        Parameters out = Experiment::with(given, name, value);
        if (name == "ladder") out["rungs"] = "all", out["sizes"] = out["block"] = "usual";
        return complete(out);
    }
};

} // namespace

const Experiment& climb_ladder_experiment() {
    static const ClimbLadder experiment;
    return experiment;
}

} // namespace gradus
