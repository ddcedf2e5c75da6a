#include "lessons/experiments/descend/descend.hpp"

#include "lessons/experiments/descend/answers.hpp"
#include "lessons/experiments/descend/process.hpp"

namespace gradus {

namespace {

class Descend : public Experiment {
public:
    std::string id() const override { return "descend"; }
    std::string title() const override { return "Walk downhill, one update at a time"; }
    StepIndex standard_steps() const override { return 100; }

    const std::vector<ParameterInfo>& parameters() const override {
        using Type = ParameterInfo::Type;
        static const std::vector<ParameterInfo> list{
            {"objective", Type::choice, "parabola", "", 0, 0, {"parabola", "bowl", "line"},
             "what is made small: ½·a·w², ½·(a₁·w₁² + a₂·w₂²), or the mean squared error of y = m·x + b on 100 noisy points"},
            {"lr", Type::number, "0.1", "", 0, 100, {}, "the learning rate"},
            {"curvature", Type::number, "4", "", 0.01, 100, {}, "a of the parabola, a₁ of the bowl"},
            {"curvature2", Type::number, "1", "", 0.01, 100, {}, "a₂ of the bowl"},
            {"start", Type::number, "1", "", -100, 100, {}, "where the walk starts: w, w₁ or m"},
            {"start2", Type::number, "1", "", -100, 100, {}, "where the walk starts: w₂ or b"},
            {"noise", Type::number, "0.3", "", 0, 10, {}, "the spread of the points around their line"},
        };
        return list;
    }

    const std::vector<QuestionInfo>& questions() const override {
        static const std::vector<QuestionInfo> list = questions_of(descent::entries());
        return list;
    }
    std::unique_ptr<Process> start(const Setup& setup) const override {
        return std::make_unique<descent::DescendProcess>(setup);
    }
    Answer answer(std::string_view question, const Arguments& arguments, const Setup& setup, const Run* run) const override {
        return answer_from(descent::entries(), *this, question, arguments, setup, run);
    }
};

} // namespace

const Experiment& descend() {
    static const Descend experiment;
    return experiment;
}

} // namespace gradus
