#include "lessons/experiments/compose_lines/compose_lines.hpp"

#include "engine/core/error.hpp"
#include "engine/core/number_words.hpp"
#include "lessons/experiments/asked.hpp"
#include "lessons/experiments/compose_lines/process.hpp"

#include <cmath>
#include <fmt/format.h>

namespace gradus {

namespace {

using lines::LinesProcess;

std::unique_ptr<LinesProcess> computed_lines(const Asked& asked, const std::string& operation) {
    Setup setup = asked.setup;
    setup.parameters["operation"] = operation;
    auto process = std::make_unique<LinesProcess>(setup);
    process->replay(0);
    return process;
}
std::unique_ptr<LinesProcess> computed_lines(const Asked& asked) { return computed_lines(asked, asked.word("operation")); }

/// To ten digits: what least squares leaves of an exact 3 is 3.
double cleaned(double value) { return std::round(value * 1e10) / 1e10; }

Answer degree(const Asked& asked) { return computed(computed_lines(asked)->degree()); }
Answer slope(const Asked& asked) { return computed(cleaned(computed_lines(asked)->coefficient(1))); }
Answer intercept(const Asked& asked) { return computed(cleaned(computed_lines(asked)->coefficient(0))); }
Answer coefficient(const Asked& asked) {
    const std::int64_t power = asked.integer("power", "2");
    const auto process = computed_lines(asked);
    if (power < 0 || power >= process->coefficient_count())
        throw ArgumentError(fmt::format("coefficient: the fit has the powers 0 to {}, not {}", process->coefficient_count() - 1, power));
    return computed(cleaned(process->coefficient(power)));
}

/// Two lines: the same where slope and intercept are, parallel where the slope is.
Answer order_relation(const Asked& asked) {
    const auto first = computed_lines(asked, "f_of_g"), second = computed_lines(asked, "g_of_f");
    const double scale = 1 + std::abs(first->coefficient(0)) + std::abs(first->coefficient(1)) + std::abs(second->coefficient(0));
    const bool slopes = std::abs(first->coefficient(1) - second->coefficient(1)) <= 1e-9 * scale;
    const bool intercepts = std::abs(first->coefficient(0) - second->coefficient(0)) <= 1e-9 * scale;
    return computed_word(!slopes ? "crossing" : intercepts ? "same" : "parallel");
}

/// The fitted polynomial of f and g alone as one writes it, "−3x² + 7x − 2". What is below rounding is left out.
Answer written(const Asked& asked, const char* operation) {
    constexpr const char* powers[] = {"", "x", "x²"};
    Asked two = asked;
    two.setup.parameters["lines"] = "2";
    const auto process = computed_lines(two, operation);
    std::string text;
    for (Dim power = 2; power >= 0; --power) {
        const double value = cleaned(process->coefficient(power)), size = std::abs(value);
        if (value == 0) continue;
        text += text.empty() ? (value < 0 ? "−" : "") : value < 0 ? "\u00a0−\u00a0" : "\u00a0+\u00a0";
        if (size != 1 || power == 0) text += number_in_words(size);
        text += powers[power];
    }
    return computed_word(text.empty() ? "0" : text);
}
Answer written_sum(const Asked& asked) { return written(asked, "sum"); }
Answer written_product(const Asked& asked) { return written(asked, "product"); }
Answer written_f_of_g(const Asked& asked) { return written(asked, "f_of_g"); }

const std::vector<AnswerEntry>& line_entries() {
    static const std::vector<AnswerEntry> list{
        {{"degree", "the degree of the polynomial fitted to the result", false, false}, degree},
        {{"slope", "its coefficient of x", false, false}, slope},
        {{"intercept", "its value at x = 0", false, false}, intercept},
        {{"coefficient", "its coefficient of x to the `power`", false, true}, coefficient},
        {{"order_relation", "how f(g(x)) and g(f(x)) lie: same, parallel or crossing", false, false}, order_relation},
        {{"written_sum", "f + g, written as a polynomial", false, false}, written_sum},
        {{"written_product", "f · g, written as a polynomial", false, false}, written_product},
        {{"written_f_of_g", "f(g(x)), written as a polynomial", false, false}, written_f_of_g},
    };
    return list;
}

class ComposeLines : public Experiment {
public:
    std::string id() const override { return "compose_lines"; }
    std::string title() const override { return "Add, multiply and compose lines"; }
    StepIndex standard_steps() const override { return lines::point_count; }

    const std::vector<ParameterInfo>& parameters() const override {
        using Type = ParameterInfo::Type;
        static const std::vector<ParameterInfo> list{
            {"slope_f", Type::number, "3", "", -10, 10, {}, "the slope of f"},
            {"intercept_f", Type::number, "-1", "", -10, 10, {}, "the value of f at x = 0"},
            {"slope_g", Type::number, "-1", "", -10, 10, {}, "the slope of g"},
            {"intercept_g", Type::number, "2", "", -10, 10, {}, "the value of g at x = 0"},
            {"operation", Type::choice, "sum", "", 0, 0, {"sum", "product", "f_of_g", "g_of_f"},
             "what is made of the lines, point by point"},
            {"lines", Type::integer, "2", "lines", 2, 4, {}, "how many lines take part: f, g, h, k"},
            {"slope_h", Type::number, "0.5", "", -10, 10, {}, "the slope of h, the third line"},
            {"intercept_h", Type::number, "1", "", -10, 10, {}, "the value of h at x = 0"},
            {"slope_k", Type::number, "2", "", -10, 10, {}, "the slope of k, the fourth line"},
            {"intercept_k", Type::number, "-1", "", -10, 10, {}, "the value of k at x = 0"},
            {"surface", Type::choice, "none", "", 0, 0, {"none", "plane"}, "whether a plane over x1 and x2 is computed, too"},
            {"slope_x1", Type::number, "2", "", -10, 10, {}, "how far the plane climbs for each step in x1"},
            {"slope_x2", Type::number, "-3", "", -10, 10, {}, "how far the plane climbs for each step in x2"},
            {"intercept_z", Type::number, "1", "", -10, 10, {}, "the height of the plane at x1 = x2 = 0"},
        };
        return list;
    }

    const std::vector<QuestionInfo>& questions() const override {
        static const std::vector<QuestionInfo> list = questions_of(line_entries());
        return list;
    }
    std::unique_ptr<Process> start(const Setup& setup) const override { return std::make_unique<LinesProcess>(setup); }
    Answer answer(std::string_view question, const Arguments& arguments, const Setup& setup, const Run* run) const override {
        return answer_from(line_entries(), *this, question, arguments, setup, run);
    }
};

} // namespace

const Experiment& compose_lines() {
    static const ComposeLines experiment;
    return experiment;
}

} // namespace gradus
