#include "views/flow/flow_words.hpp"

#include "views/derive/engine_words.hpp"
#include "views/theme/numbers.hpp"

#include <QCoreApplication>
#include <QRegularExpression>
#include <cmath>

namespace gradus::flow_words {

QString tr(const char* text) { return QCoreApplication::translate("Flow", text); }

QString layer_name(const std::string& module) {
    const QString text = QString::fromStdString(module);
    qsizetype digits = text.size();
    while (digits > 0 && text[digits - 1].isDigit()) --digits;
    if (text.left(digits) != "layer" || digits == text.size()) return text;
    return tr("layer %1").arg(text.mid(digits));
}

QString gradient_name(const GradientSite& site) { return written_name(site.name, true); }

QString number(std::optional<double> value) {
    if (!value) return QStringLiteral("–");
    return std::isfinite(*value) ? three_digits(*value) : QStringLiteral("✕ ") + three_digits(*value);
}

QString six_digits(double value) {
    if (!std::isfinite(value)) return three_digits(value);
    static const QRegularExpression padded(QStringLiteral("e([+-])0*"));
    return with_minus(QString::number(value, 'g', 6).replace(padded, QStringLiteral("e\\1")).replace("e+", "e"));
}

QString times(double ratio) { return QStringLiteral("×") + three_digits(ratio); }

QString zeros(const LogHistogram& sizes) {
    const double percent = 100 * sizes.zero_share();
    return tr("%1 % zeros").arg(sizes.zeros == 0 ? QStringLiteral("0") : percent >= 99.95 && sizes.zeros < sizes.elements
                                                       ? QStringLiteral("99.9") : three_digits(percent));
}

QString place(const std::vector<Dim>& index) {
    QString out;
    for (const Dim at : index) out += (out.isEmpty() ? QString() : QStringLiteral(", ")) + QString::number(at);
    return '[' + out + ']';
}

namespace {

std::optional<double> signal(const FlowNumbers& numbers, std::size_t layer) {
    if (layer >= numbers.flow.size()) return std::nullopt;
    return numbers.flow[layer].norms[static_cast<std::size_t>(GradientKind::preactivation)];
}

std::optional<double> quotient(std::optional<double> of, std::optional<double> to) {
    if (!of || !to || !std::isfinite(*of) || !std::isfinite(*to) || *to == 0) return std::nullopt;
    return *of / *to;
}

} // namespace

std::optional<double> ratio_to_next(const FlowNumbers& numbers, std::size_t layer) {
    return layer == 0 ? std::nullopt : quotient(signal(numbers, layer), signal(numbers, layer - 1));
}

std::optional<double> ratio_of_all(const FlowNumbers& numbers) {
    if (numbers.flow.size() < 2) return std::nullopt;
    return quotient(signal(numbers, numbers.flow.size() - 1), signal(numbers, 0));
}

std::vector<ValueCardLine> gradient_card(const FlowNumbers& numbers, std::size_t layer, GradientKind kind) {
    const GradientSite& site = (*numbers.layers)[layer].of(kind);
    std::vector<ValueCardLine> lines;
    lines.push_back({gradient_name(site) + "  " + layer_name((*numbers.layers)[layer].module)});
    lines.push_back({QString::fromStdString(site.op) + ":  " + QString::fromStdString(site.formula)});
    lines.push_back({named_shape_words(site.shape), true});
    if (layer >= numbers.flow.size()) return lines;
    const LayerFlow& flow = numbers.flow[layer];
    const auto at = static_cast<std::size_t>(kind);
    lines.push_back(value_line(QStringLiteral("‖") + gradient_name(site) + QStringLiteral("‖₂ = √Σ ∂² = ") + number(flow.norms[at]) + ", " +
                               tr("step %1").arg(numbers.iteration)));
    if (flow.sizes[at]) {
        const LogHistogram& sizes = *flow.sizes[at];
        lines.push_back(value_line(tr("%1 of %2 are 0").arg(sizes.zeros).arg(sizes.elements), Provenance::counted));
        if (sizes.not_finite > 0)
            lines.push_back(value_line(QStringLiteral("✕ ") + tr("%1 are NaN or inf").arg(sizes.not_finite), Provenance::counted));
    }
    if (kind == GradientKind::preactivation)
        if (const auto ratio = ratio_to_next(numbers, layer))
            lines.push_back(value_line(tr("%1 of %2").arg(times(*ratio), gradient_name((*numbers.layers)[layer - 1].of(kind)))));
    return lines;
}

std::vector<ValueCardLine> update_card(const FlowNumbers& numbers, std::size_t layer, GradientKind kind) {
    const GradientSite& site = (*numbers.layers)[layer].of(kind);
    const QString name = written_name(site.value);
    std::vector<ValueCardLine> lines;
    lines.push_back({tr("update of %1").arg(name)});
    if (layer >= numbers.flow.size() || !numbers.flow[layer].updates[static_cast<std::size_t>(kind)]) {
        lines.push_back({tr("This iteration did not move it.")});
        return lines;
    }
    const UpdateRatio& update = *numbers.flow[layer].updates[static_cast<std::size_t>(kind)];
    lines.push_back(value_line(QStringLiteral("‖Δ") + name + QStringLiteral("‖₂ = ") + number(update.step)));
    lines.push_back(value_line(QStringLiteral("‖") + name + QStringLiteral("‖₂ = ") + number(update.before)));
    lines.push_back(value_line(tr("ratio") + ' ' + number(update.ratio())));
    lines.push_back({tr("The line at 0.001 is a convention, not a law.")});
    return lines;
}

std::vector<ValueCardLine> check_card(const CheckResult& result) {
    const FiniteDifference& c = result.check;
    const auto digits = [](double value) { return with_minus(QString::number(value, 'g', 12)); };
    std::vector<ValueCardLine> lines;
    const QString name = written_name(c.parameter) + place(c.index);
    lines.push_back({tr("Finite difference at %1").arg(name)});
    lines.push_back({QStringLiteral("g ≈ (L(θ + h) − L(θ − h)) ∕ 2h")});
    lines.push_back(value_line(QStringLiteral("θ = ") + digits(c.value)));
    lines.push_back(value_line(QStringLiteral("h = ") + digits(c.h)));
    lines.push_back(value_line(QStringLiteral("L(θ + h) = ") + digits(c.loss_above)));
    lines.push_back(value_line(QStringLiteral("L(θ − h) = ") + digits(c.loss_below)));
    lines.push_back(value_line(tr("rounding of L alone: ±%1").arg(three_digits(c.rounding))));
    lines.push_back({tr("In fp64 on the batch of step %1.").arg(result.wish.iteration)});
    if (c.flipped > 0) lines.push_back({tr("%1 ReLUs flip between θ − h and θ + h: a kink lies between.").arg(c.flipped)});
    return lines;
}

} // namespace gradus::flow_words
