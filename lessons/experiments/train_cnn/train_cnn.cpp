#include "lessons/experiments/train_cnn/train_cnn.hpp"

#include "lessons/experiments/asked.hpp"
#include "lessons/experiments/train_cnn/process.hpp"

namespace gradus {

namespace {

using cnn::TrainCnn;

bool same_run(const Asked& asked) {
    return asked.run && asked.run->manifest().parameters == asked.setup.parameters &&
           asked.run->manifest().seed == asked.setup.seed && !asked.run->parent() && asked.run->edits().empty();
}

/// What a series of this run ends with, or what the net says that was trained as it is.
template <class Told> double at_the_end(const Asked& asked, const char* series, Told&& told) {
    if (same_run(asked) && asked.setup.steps > 0)
        if (const auto value = asked.run->value_at(series, asked.setup.steps - 1)) return *value;
    TrainCnn process(asked.setup);
    for (StepIndex step = 0; step < asked.setup.steps; ++step) process.replay(step);
    return told(process);
}

Answer parameters(const Asked& asked) {
    return counted(static_cast<double>(cnn::parameter_count(cnn::read_settings(asked.setup.parameters, asked.setup.steps))));
}
Answer final_loss(const Asked& asked) {
    return computed(at_the_end(asked, "loss", [](TrainCnn& process) { return process.loss(); }));
}
Answer test_accuracy(const Asked& asked) {
    return computed(100 * at_the_end(asked, "test_accuracy", [](TrainCnn& process) { return process.test_accuracy(); }), "%");
}
Answer skipped_steps(const Asked& asked) {
    double count = 0;
    if (same_run(asked) && asked.run->head() >= asked.setup.steps) {
        for (StepIndex step = 0; step < asked.setup.steps; ++step) count += asked.run->value_at("skipped", step).value_or(0);
        return computed(count, "steps");
    }
    TrainCnn process(asked.setup);
    for (StepIndex step = 0; step < asked.setup.steps; ++step) {
        process.replay(step);
        count += process.skipped() ? 1 : 0;
    }
    return computed(count, "steps");
}

const std::vector<AnswerEntry>& entries() {
    static const std::vector<AnswerEntry> list{
        {{"parameters", "how many numbers are trained", false, false}, parameters},
        {{"final_loss", "the loss of the last batch", true, false}, final_loss},
        {{"test_accuracy", "the share of test images told right after training", true, false}, test_accuracy},
        {{"skipped_steps", "how many steps were skipped because a gradient overflowed", true, false}, skipped_steps},
    };
    return list;
}

class TrainCnnExperiment : public Experiment {
public:
    std::string id() const override { return "train_cnn"; }
    std::string title() const override { return "Train a convolutional network"; }
    StepIndex standard_steps() const override { return 1400; }

    const std::vector<ParameterInfo>& parameters() const override {
        using Type = ParameterInfo::Type;
        static const std::vector<ParameterInfo> list{
            {"channels", Type::list, "16,32", "", 1, 512, {}, "channels after each convolution of 3 × 3, up to four"},
            {"norm",
             Type::choice,
             "batch",
             "",
             0,
             0,
             {"batch", "none"},
             "what follows a convolution: BatchNorm, or a bias alone"},
            {"batch", Type::integer, "128", "examples", 2, 60'000, {}, "examples per step"},
            {"optimizer",
             Type::choice,
             "adamw",
             "",
             0,
             0,
             {"sgd", "momentum", "adam", "adamw"},
             "the update rule; momentum keeps 0.9"},
            {"lr", Type::number, "0.004", "", 0, 1e30, {}, "the learning rate, which the schedule then changes"},
            {"weight_decay",
             Type::number,
             "0.01",
             "",
             0,
             1e30,
             {},
             "of the weights themselves with adamw, else added to the gradient"},
            {"schedule",
             Type::choice,
             "cosine",
             "",
             0,
             0,
             {"constant", "cosine"},
             "how the learning rate goes after the warm-up; cosine ends at 0 with the last step"},
            {"warmup", Type::integer, "100", "steps", 0, 1e9, {}, "steps in which the learning rate rises"},
            {"precision",
             Type::choice,
             "fp32",
             "",
             0,
             0,
             {"fp32", "fp64", "fp16", "bf16"},
             "fp16 and bf16 are mixed precision: fp32 weights, products in 16 bits, a scaled loss"},
            {"loss_scale", Type::number, "65536", "", 1e-30, 1e30, {}, "of the first step in mixed precision"},
            {"growth_interval", Type::integer, "2000", "steps", 1, 1e9, {}, "steps without an overflow before the scale doubles"},
        };
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
