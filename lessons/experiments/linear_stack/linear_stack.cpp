#include "lessons/experiments/linear_stack/linear_stack.hpp"

#include "engine/core/error.hpp"
#include "engine/core/text.hpp"
#include "lessons/experiments/asked.hpp"
#include "lessons/experiments/linear_stack/process.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace gradus {

namespace {

using stack::StackProcess;

std::unique_ptr<StackProcess> computed_stack(const Setup& setup) {
    auto process = std::make_unique<StackProcess>(setup);
    process->replay(0);
    return process;
}

Answer matrices_left(const Asked& asked) { return computed(computed_stack(asked.setup)->matrices_left()); }
Answer largest_difference(const Asked& asked) { return computed(computed_stack(asked.setup)->largest_difference()); }
Answer stack_flops(const Asked& asked) { return counted(StackProcess(asked.setup).stack_flops(), "FLOP"); }
Answer fold_flops(const Asked& asked) { return counted(StackProcess(asked.setup).fold_flops(), "FLOP"); }
Answer folded_flops(const Asked& asked) { return counted(StackProcess(asked.setup).folded_flops(), "FLOP"); }
Answer intermediate_bytes(const Asked& asked) { return counted(StackProcess(asked.setup).intermediate_bytes(), "bytes"); }

/// Each candidate is put between two layers; it stops the folding if the folded matrix gives other numbers than the
/// stack, by more than rounding.
Answer stops_folding(const Asked& asked) {
    std::vector<std::string> names;
    for (const char* between : {"bias", "scale", "shuffle", "relu"}) {
        Setup setup = asked.setup;
        setup.parameters["depth"] = "2";
        setup.parameters["after"] = "1";
        setup.parameters["dtype"] = "fp64";
        setup.parameters["bias"] = between == std::string("bias") ? "0.5" : "0";
        setup.parameters["between"] = between == std::string("bias") ? "none" : between;
        if (!(computed_stack(setup)->largest_difference() < 1e-9)) names.emplace_back(between);
    }
    if (names.empty()) return computed_word("none");
    return {names, "", Provenance::computed};
}

const std::vector<AnswerEntry>& entries() {
    static const std::vector<AnswerEntry> list{
        {{"matrices_left", "matrices after every legal fold, on the inputs of the first iteration", false, false}, matrices_left},
        {{"largest_difference", "the largest difference between the stack and the folded matrix", false, false}, largest_difference},
        {{"stack_flops", "FLOP of the stack on all inputs", false, false}, stack_flops},
        {{"fold_flops", "FLOP of multiplying the matrices together, once", false, false}, fold_flops},
        {{"folded_flops", "FLOP of the folded matrix on all inputs", false, false}, folded_flops},
        {{"intermediate_bytes", "bytes that the stack writes between its input and its result", false, false}, intermediate_bytes},
        {{"stops_folding", "which of bias, scale, shuffle and relu between two layers keeps them from folding", false, false},
         stops_folding},
    };
    return list;
}

class LinearStack : public Experiment {
public:
    std::string id() const override { return "linear_stack"; }
    std::string title() const override { return "Fold a stack of linear layers"; }
    StepIndex standard_steps() const override { return 50; }

    const std::vector<ParameterInfo>& parameters() const override {
        using Type = ParameterInfo::Type;
        static const std::vector<ParameterInfo> list{
            {"width", Type::integer, "64", "", 1, 1024, {}, "rows and columns of every matrix"},
            {"depth", Type::integer, "3", "layers", 1, 16, {}, "how many linear layers stand in a row"},
            {"inputs", Type::integer, "256", "rows", 1, 65'536, {}, "random inputs per iteration"},
            {"between", Type::choice, "none", "", 0, 0, {"none", "scale", "shuffle", "relu", "tanh"}, "what stands between the layers"},
            {"after", Type::list, "0", "", 0, 15, {}, "the layers it follows, such as 3,5,9; 0 is every layer but the last"},
            {"bias", Type::number, "0", "", -1e6, 1e6, {}, "added to every feature in front of it"},
            {"dtype", Type::choice, "fp32", "", 0, 0, {"fp32", "fp64"}, "the type of every number"},
        };
        return list;
    }

    const std::vector<QuestionInfo>& questions() const override {
        static const std::vector<QuestionInfo> list = questions_of(entries());
        return list;
    }
    std::unique_ptr<Process> start(const Setup& setup) const override { return std::make_unique<StackProcess>(setup); }
    Answer answer(std::string_view question, const Arguments& arguments, const Setup& setup, const Run* run) const override {
        return answer_from(entries(), *this, question, arguments, setup, run);
    }
    /// What stands between the layers follows those that are there; a bias needs a place.
    Parameters with(const Parameters& given, const std::string& name, const std::string& value) const override {
        Parameters out = Experiment::with(given, name, value);
        const auto number = [&](const char* parameter) { return parse_number(out[parameter]).value_or(0); };
        const int last = static_cast<int>(number("depth")) - 1; // that a layer follows
        std::vector<int> after = stack::read_layers(out["after"]);
        if (name == "after" && !after.empty() && after.back() > last) // what is typed is not made another in silence
            throw ArgumentError(fmt::format("linear_stack: after must be at most {}, so that a layer follows, not {}", last, after.back()));
        if (std::erase_if(after, [&](int layer) { return layer > last; }) > 0 && after.empty() && last > 0) after = {last};
        if (number("bias") != 0 && after.empty()) after = {1};
        if (!after.empty() && after.back() > last) out["bias"] = "0";
        out["after"] = after.empty() ? "0" : fmt::format("{}", fmt::join(after, ","));
        return complete(out);
    }
};

} // namespace

const Experiment& linear_stack() {
    static const LinearStack experiment;
    return experiment;
}

} // namespace gradus
