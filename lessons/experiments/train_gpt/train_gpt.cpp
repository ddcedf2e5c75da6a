#include "lessons/experiments/train_gpt/train_gpt.hpp"

#include "lessons/experiments/train_gpt/process.hpp"
#include "lessons/experiments/training/answers.hpp"

namespace gradus {

namespace {

using gpt::TrainGpt;

Answer parameters(const Asked& asked) {
    const gpt::Settings settings = gpt::read_settings(asked.setup.parameters, asked.setup.steps);
    Tape tape(std::make_shared<Device>(asked.setup.device), std::make_shared<BufferPool>());
    const gpt::Network net(tape, settings, asked.setup.seed, false, 1);
    double count = 0;
    for (const ValueIndex parameter : net.parameters) count += static_cast<double>(tape.value(parameter).shape.elements());
    return counted(count);
}

/// Numbers that a decoder keeps of each token and layer: keys and values, or the latent and its rotary key.
Answer cached_per_token(const Asked& asked) {
    const gpt::Settings s = gpt::read_settings(asked.setup.parameters, asked.setup.steps);
    const Dim kept = s.attention == gpt::Attention::latent ? std::max<Dim>(s.channels / 4, 1) + s.head_size() / 2
                                                           : 2 * s.key_heads() * s.head_size();
    return counted(static_cast<double>(kept * s.layers), "numbers");
}

const std::vector<AnswerEntry>& gpt_entries() {
    static const std::vector<AnswerEntry> list = [] {
        std::vector<AnswerEntry> all = TrainingAnswers<TrainGpt>::entries();
        all.insert(all.begin(), {{{"parameters", "how many numbers are trained", false, false}, parameters},
                                 {{"cached_per_token", "what a key-value cache keeps of a token", false, false}, cached_per_token}});
        return all;
    }();
    return list;
}

class TrainGptExperiment : public Experiment {
public:
    std::string id() const override { return "train_gpt"; }
    std::string title() const override { return "Train a small Transformer"; }
    StepIndex standard_steps() const override { return 1000; }

    const std::vector<ParameterInfo>& parameters() const override {
        using Type = ParameterInfo::Type;
        static const std::vector<ParameterInfo> list = [] {
            std::vector<ParameterInfo> all{
                {"task", Type::choice, "sort", "", 0, 0, {"sort", "reverse", "add"}, "what is done with the digits"},
                {"length", Type::integer, "8", "digits", 1, 512, {}, "digits of an exercise; of each number, with add"},
                {"symbols", Type::integer, "10", "", 2, 1000, {}, "how many different digits there are; add has ten"},
                {"layers", Type::integer, "2", "blocks", 1, 48, {}, "Transformer blocks"},
                {"channels", Type::integer, "64", "", 4, 2048, {}, "numbers that stand for a token"},
                {"heads", Type::integer, "4", "", 1, 64, {}, "heads of the attention"},
                {"attention", Type::choice, "multi-head", "", 0, 0, {"multi-head", "grouped-query", "multi-query", "latent"},
                 "which heads have keys of their own: all, every second, one for all, or all from one latent"},
                {"attention_form", Type::choice, "steps", "", 0, 0, {"steps", "fused"},
                 "the scores as values one can look at, or one pass that never holds them"},
                {"fusion", Type::choice, "loss", "", 0, 0, {"none", "loss", "all"},
                 "what is done in one pass over memory: nothing, softmax with cross-entropy, and all: bias with GELU and sum with norm too"},
                {"mlp", Type::choice, "gelu", "", 0, 0, {"gelu", "swiglu", "experts"}, "the second half of a block"},
                {"experts", Type::integer, "4", "", 1, 64, {}, "how many there are, with mlp experts"},
                {"top_k", Type::integer, "2", "", 1, 64, {}, "to how many of them a token goes"},
                {"norm", Type::choice, "layer", "", 0, 0, {"layer", "rms"}, "LayerNorm or RMSNorm"},
                {"positions", Type::choice, "learned", "", 0, 0, {"learned", "rotary"}, "how a token knows where it stands"},
                {"head", Type::choice, "own", "", 0, 0, {"own", "tied"}, "tied: the embedding's own numbers tell the next token"},
                {"dropout", Type::number, "0", "", 0, 0.95, {}, "the share of what a half block adds that is set to 0 in training"},
                {"batch", Type::integer, "64", "exercises", 1, 4096, {}, "exercises per step"},
            };
            for (ParameterInfo& info : training_parameters({.lr = "0.003", .weight_decay = "0.01", .warmup = "50"}))
                all.push_back(std::move(info));
            return all;
        }();
        return list;
    }

    const std::vector<QuestionInfo>& questions() const override {
        static const std::vector<QuestionInfo> list = questions_of(gpt_entries());
        return list;
    }
    std::unique_ptr<Process> start(const Setup& setup) const override { return std::make_unique<TrainGpt>(setup); }
    Answer answer(std::string_view question, const Arguments& arguments, const Setup& setup, const Run* run) const override {
        return answer_from(gpt_entries(), *this, question, arguments, setup, run);
    }
};

} // namespace

const Experiment& train_gpt() {
    static const TrainGptExperiment experiment;
    return experiment;
}

} // namespace gradus
