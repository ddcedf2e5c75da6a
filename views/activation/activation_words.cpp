#include "views/activation/activation_words.hpp"

#include "views/theme/numbers.hpp"

#include <QCoreApplication>
#include <array>
#include <cmath>

namespace gradus::activation_words {

QString tr(const char* text) { return QCoreApplication::translate("Activation", text); }

QString function_name(std::size_t op) {
    static constexpr std::array names{"step", "sigmoid", "tanh", "ReLU", "GELU", "SiLU"};
    return op < names.size() ? QString::fromLatin1(names[op]) : QString();
}

QString formula(std::size_t op) {
    static constexpr std::array formulas{"", "1 / (1 + exp(−z))", "tanh(z)", "max(0, z)", "z · Φ(z)", "z · σ(z)"};
    if (op == 0) return tr("1 where z > 0, else 0");
    return op < formulas.size() ? QString::fromUtf8(formulas[op]) : QString();
}

QString place(const std::string& tensor, const std::vector<Dim>& index) {
    QString text;
    for (const Dim at : index) text += (text.isEmpty() ? QString() : QStringLiteral(", ")) + QString::number(at);
    return written_name(tensor) + '[' + text + ']';
}

QString number(double value) { return (std::isfinite(value) ? QString() : QStringLiteral("✕ ")) + three_digits(value); }

QString numbers(double z, double a, double slope) {
    return QStringLiteral("z %1   a %2   ∂ %3").arg(number(z), number(a), number(slope));
}

std::vector<ValueCardLine> curve_card(std::size_t op, const ActivationCurve& curve, std::size_t at) {
    std::vector<ValueCardLine> lines;
    lines.push_back({function_name(op)});
    lines.push_back({QStringLiteral("a = ") + formula(op)});
    lines.push_back({QStringLiteral("z = ") + number(curve.z[at]), true});
    lines.push_back(value_line(QStringLiteral("a = ") + number(curve.y[at])));
    lines.push_back(value_line(QStringLiteral("∂a/∂z = ") + number(curve.slope[at])));
    if (op == 0) lines.push_back({tr("Its derivative is 0 everywhere: no gradient comes through.")});
    return lines;
}

std::vector<ValueCardLine> point_card(const ActivationPoint& point) {
    std::vector<ValueCardLine> lines;
    lines.push_back({place(point.use.a, point.index) + QStringLiteral("  ") + function_name(point.use.op)});
    lines.push_back({QStringLiteral("a = ") + formula(point.use.op)});
    lines.push_back(value_line(place(point.use.z, point.index) + QStringLiteral(" = ") + number(point.z)));
    lines.push_back(value_line(place(point.use.a, point.index) + QStringLiteral(" = ") + number(point.a)));
    lines.push_back(value_line(QStringLiteral("∂a/∂z = ") + number(point.slope)));
    return lines;
}

} // namespace gradus::activation_words
