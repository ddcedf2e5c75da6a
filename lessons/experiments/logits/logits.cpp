#include "lessons/experiments/logits/logits.hpp"

#include "engine/core/text.hpp"
#include "lessons/experiments/asked.hpp"
#include "lessons/experiments/logits/process.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace gradus {

namespace {

using logit::LogitsProcess;

std::unique_ptr<LogitsProcess> computed_logits(const Setup& setup) {
    auto process = std::make_unique<LogitsProcess>(setup);
    process->replay(0);
    return process;
}

Answer start_loss(const Asked& asked) { return computed(computed_logits(asked.setup)->loss()); }
Answer label_gradient(const Asked& asked) {
    const auto process = computed_logits(asked.setup);
    return computed(process->gradient(process->label()));
}
Answer label_probability(const Asked& asked) {
    const auto process = computed_logits(asked.setup);
    return computed(process->probability(process->label()));
}
Answer probability_gradient(const Asked& asked) {
    const auto process = computed_logits(asked.setup);
    return computed(process->probability_gradient(process->label()));
}
Answer arrow(const Asked& asked) { return computed(computed_logits(asked.setup)->arrow()); }

/// A guess that favours no class: all logits equal.
Setup uniform(const Asked& asked) {
    Setup setup = asked.setup;
    setup.parameters["scale"] = "0";
    setup.parameters["shift"] = "0";
    return setup;
}
Answer uniform_loss(const Asked& asked) { return computed(computed_logits(uniform(asked))->loss()); }
Answer uniform_gradient(const Asked& asked) {
    const auto process = computed_logits(uniform(asked));
    return computed(process->gradient(process->label()));
}

/// What the loss does when `by` is added to every logit, to within rounding.
Answer shifted_loss(const Asked& asked) {
    Setup shifted = asked.setup;
    shifted.parameters["shift"] = number_text(asked.parameter("shift") + asked.number("by", "100"));
    const double before = computed_logits(asked.setup)->loss(), after = computed_logits(shifted)->loss();
    const double rounding = 1e-9 * std::max(1.0, std::abs(before));
    return computed_word(std::abs(after - before) <= rounding ? "stays" : after > before ? "rises" : "falls");
}

/// Four predictions, shortest arrow p - y first. Sure is a logit of 6 against zeros, unsure one of 0.5.
Answer arrow_order(const Asked& asked) {
    const auto label = static_cast<Dim>(asked.parameter("label"));
    const Dim other = label == 0 ? 1 : 0;
    std::vector<std::pair<double, std::string>> arrows;
    for (const bool sure : {true, false})
        for (const bool right : {true, false}) {
            auto process = std::make_unique<LogitsProcess>(uniform(asked));
            process->set_element("z", {0, right ? label : other}, sure ? 6 : 0.5);
            process->replay(0);
            arrows.emplace_back(process->arrow(), fmt::format("{}_{}", sure ? "sure" : "unsure", right ? "right" : "wrong"));
        }
    std::sort(arrows.begin(), arrows.end());
    Answer answer{std::vector<std::string>(), "", Provenance::computed};
    for (const auto& [length, name] : arrows) {
        std::get<std::vector<std::string>>(answer.value).push_back(name);
        answer.found[name] = length;
    }
    return answer;
}

const std::vector<AnswerEntry>& logit_entries() {
    static const std::vector<AnswerEntry> list{
        {{"start_loss", "the loss of the logits it starts with", false, false}, start_loss},
        {{"label_probability", "the probability of the right class there", false, false}, label_probability},
        {{"label_gradient", "dL/dz at the right class there, p - 1", false, false}, label_gradient},
        {{"probability_gradient", "dL/dp at the right class there, -1/p", false, false}, probability_gradient},
        {{"arrow", "the length of the gradient p - y there", false, false}, arrow},
        {{"uniform_loss", "the loss of equal logits", false, false}, uniform_loss},
        {{"uniform_gradient", "dL/dz at the right class for equal logits", false, false}, uniform_gradient},
        {{"shifted_loss", "what the loss does when `by` is added to every logit", false, true}, shifted_loss},
        {{"arrow_order", "sure and unsure, right and wrong predictions, shortest gradient first", false, false}, arrow_order},
    };
    return list;
}

class Logits : public Experiment {
public:
    std::string id() const override { return "logits"; }
    std::string title() const override { return "Softmax and cross-entropy of one row of logits"; }
    StepIndex standard_steps() const override { return 20; }

    const std::vector<ParameterInfo>& parameters() const override {
        using Type = ParameterInfo::Type;
        static const std::vector<ParameterInfo> list = [] {
            std::vector<ParameterInfo> out{
                {"classes", Type::integer, "5", "classes", 2, 10, {}, "how many logits count, z0 first"},
                {"label", Type::integer, "0", "", 0, 9, {}, "the right class"},
                {"scale", Type::number, "1", "", -100, 100, {}, "every logit is multiplied by this at the start"},
                {"shift", Type::number, "0", "", -100, 100, {}, "and this is added"},
                {"lr", Type::number, "1", "", 0, 100, {}, "the learning rate of the updates"},
            };
            const char* const start[10] = {"1", "2", "0.5", "-1", "0", "0", "0", "0", "0", "0"};
            for (int i = 0; i < 10; ++i)
                out.push_back({fmt::format("z{}", i), Type::number, start[i], "", -20, 20, {}, fmt::format("the logit of class {}", i)});
            return out;
        }();
        return list;
    }

    const std::vector<QuestionInfo>& questions() const override {
        static const std::vector<QuestionInfo> list = questions_of(logit_entries());
        return list;
    }
    std::unique_ptr<Process> start(const Setup& setup) const override { return std::make_unique<LogitsProcess>(setup); }
    Answer answer(std::string_view question, const Arguments& arguments, const Setup& setup, const Run* run) const override {
        return answer_from(logit_entries(), *this, question, arguments, setup, run);
    }
    double most_beside(const ParameterInfo& info, const Parameters& others) const override {
        return info.name == "label" ? static_cast<double>(parse_integer(others.at("classes")).value_or(10) - 1) : info.most;
    }
    /// The label stays one of the classes.
    Parameters with(const Parameters& given, const std::string& name, const std::string& value) const override {
        Parameters out = Experiment::with(given, name, value);
        const auto classes = parse_integer(out["classes"]).value_or(2), label = parse_integer(out["label"]).value_or(0);
        if (label >= classes) {
            if (name == "label") out["classes"] = std::to_string(label + 1);
            else out["label"] = std::to_string(classes - 1);
        }
        return out;
    }
};

} // namespace

const Experiment& logits() {
    static const Logits experiment;
    return experiment;
}

} // namespace gradus
