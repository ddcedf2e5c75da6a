#include "views/regions/region_words.hpp"

#include "engine/core/error.hpp"
#include "views/theme/numbers.hpp"

#include <QCoreApplication>
#include <cmath>

namespace gradus::region_words {

namespace {

QString coordinates(double x, double y) {
    return QStringLiteral("x₁ ") + number(x) + QStringLiteral("   x₂ ") + number(y);
}

} // namespace

QString tr(const char* text) { return QCoreApplication::translate("Regions", text); }

QString number(double value) {
    if (!std::isfinite(value)) return QStringLiteral("✕ ") + three_digits(value);
    return three_digits(value);
}

QString class_name(int label) { return tr("class %1").arg(label); }

QString score_name(const DecisionRule& rule) {
    switch (rule.kind) {
    case DecisionRule::Kind::threshold: return tr("output z");
    case DecisionRule::Kind::logit:
    case DecisionRule::Kind::softmax: return tr("probability of class 1");
    case DecisionRule::Kind::largest: return tr("outputs z[1] − z[0]");
    }
    return {};
}

std::vector<ValueCardLine> output_lines(const DecisionRule& rule, std::span<const double> outputs) {
    std::vector<ValueCardLine> lines;
    const auto list = [](QChar letter, std::span<const double> values) {
        QString text;
        for (std::size_t i = 0; i < values.size() && i < 6; ++i)
            text += (i > 0 ? QStringLiteral("   ") : QString()) + letter + (values.size() > 1 ? QStringLiteral("[%1]").arg(i) : QString()) + ' ' + number(values[i]);
        return values.size() > 6 ? text + QStringLiteral(" …") : text;
    };
    lines.push_back(value_line(list('z', outputs)));
    const auto p = rule.probabilities(outputs);
    if (rule.kind == DecisionRule::Kind::logit) lines.push_back(value_line(list('p', std::span(p).subspan(1))));
    else if (!p.empty()) lines.push_back(value_line(list('p', p)));
    const int said = rule.class_of(outputs);
    lines.push_back({said < 0 ? tr("✕ the output is not finite") : tr("the net says class %1").arg(said)});
    return lines;
}

std::vector<ValueCardLine> point_card(const RegionField& field, int point) {
    const auto i = static_cast<std::size_t>(point);
    std::vector<ValueCardLine> lines;
    lines.push_back({tr("point %1").arg(point) + ", " + class_name(field.points.labels[i])});
    lines.push_back({coordinates(field.points.x[2 * i], field.points.x[2 * i + 1]), true});
    const auto width = static_cast<std::size_t>(field.rule.outputs);
    for (ValueCardLine& line : output_lines(field.rule, std::span(field.point_outputs).subspan(i * width, width)))
        lines.push_back(std::move(line));
    lines.push_back({tr("Drag it: a branch learns from where you leave it.")});
    return lines;
}

std::vector<ValueCardLine> place_card(const RegionField& field, double x, double y) {
    std::vector<ValueCardLine> lines;
    lines.push_back({coordinates(x, y)});
    try {
        const double point[] = {x, y};
        for (ValueCardLine& line : output_lines(field.rule, outputs_at(*field.probe, point))) lines.push_back(std::move(line));
    } catch (const Error&) {
        // no numbers, but the place stays
    }
    return lines;
}

} // namespace gradus::region_words
