#include "lessons/experiments/train_cnn/train_cnn.hpp"

#include "lessons/experiments/train_cnn/process.hpp"
#include "lessons/experiments/training/answers.hpp"

namespace gradus {

namespace {

using cnn::TrainCnn;

Answer parameters(const Asked& asked) {
    return counted(static_cast<double>(cnn::parameter_count(cnn::read_settings(asked.setup.parameters, asked.setup.steps))));
}

const std::vector<AnswerEntry>& entries() {
    static const std::vector<AnswerEntry> list = [] {
        std::vector<AnswerEntry> all = TrainingAnswers<TrainCnn>::entries();
        all.insert(all.begin(), {{"parameters", "how many numbers are trained", false, false}, parameters});
        return all;
    }();
    return list;
}

class TrainCnnExperiment : public Experiment {
public:
    std::string id() const override { return "train_cnn"; }
    std::string title() const override { return "Train a convolutional network"; }
    StepIndex standard_steps() const override { return 2800; }

    const std::vector<ParameterInfo>& parameters() const override {
        using Type = ParameterInfo::Type;
        static const std::vector<ParameterInfo> list = [] {
            std::vector<ParameterInfo> all{
                {"channels", Type::list, "16,32", "", 1, 512, {}, "channels after each convolution of 3 × 3, up to four"},
                {"norm", Type::choice, "batch", "", 0, 0, {"batch", "group", "layer", "none"},
                 "what follows a convolution: BatchNorm, GroupNorm, GroupNorm of one group, or a bias alone"},
                {"groups", Type::integer, "8", "", 1, 512, {}, "groups of channels, with norm group; they divide every number of channels"},
                {"pool", Type::choice, "max", "", 0, 0, {"max", "average"}, "what of each window of 2 × 2 goes on"},
                {"batch", Type::integer, "128", "examples", 2, 60'000, {}, "examples per step"},
                workers_parameter(),
            };
            for (ParameterInfo& info : training_parameters({.lr = "0.004", .weight_decay = "0.01", .warmup = "100"}))
                all.push_back(std::move(info));
            return all;
        }();
        return list;
    }

    const std::vector<QuestionInfo>& questions() const override {
        static const std::vector<QuestionInfo> list = questions_of(entries());
        return list;
    }
    std::unique_ptr<Process> start(const Setup& setup) const override { return std::make_unique<TrainCnn>(setup); }
    Answer answer(std::string_view question, const Arguments& arguments, const Setup& setup, const Run* run) const override {
        return answer_from(entries(), *this, question, arguments, setup, run);
    }
};

} // namespace

const Experiment& train_cnn() {
    static const TrainCnnExperiment experiment;
    return experiment;
}

} // namespace gradus
