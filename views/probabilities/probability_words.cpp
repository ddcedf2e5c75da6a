#include "views/probabilities/probability_words.hpp"

#include "views/theme/numbers.hpp"

#include <QCoreApplication>
#include <cmath>

namespace gradus::probability_words {

namespace {

using Quantity = ProbabilityQuantity;

/// In brackets where it has a sign, so that it can stand behind another one.
QString bracketed(double value) {
    const QString text = number(value);
    return text.startsWith(QChar(0x2212)) ? '(' + text + ')' : text;
}

} // namespace

QString tr(const char* text) { return QCoreApplication::translate("Probabilities", text); }

QString class_name(std::size_t i) { return tr("class %1").arg(i); }

QString tensor_of(Quantity quantity) {
    return quantity == Quantity::z ? QStringLiteral("z") : quantity == Quantity::p ? QStringLiteral("p") : QStringLiteral("dz");
}

Role role_of(Quantity quantity) { return quantity == Quantity::dz ? Role::gradient : quantity == Quantity::z ? Role::parameter : Role::activation; }

QString symbol_of(Quantity quantity) { return written_name(tensor_of(quantity).toStdString(), true); }

QString symbol_of(Quantity quantity, std::size_t i) {
    return written_name(tensor_of(quantity).toStdString() + std::to_string(i), true);
}

QString title_of(Quantity quantity) {
    switch (quantity) {
    case Quantity::z: return tr("logits z");
    case Quantity::p: return QStringLiteral("p = softmax(z)");
    case Quantity::dz: return QStringLiteral("∂z = p − y");
    }
    return {};
}

QString meaning_of(Quantity quantity, std::size_t i) {
    switch (quantity) {
    case Quantity::z: return tr("logit of class %1").arg(i);
    case Quantity::p: return tr("probability of class %1").arg(i);
    case Quantity::dz: return tr("gradient at the logit of class %1").arg(i);
    }
    return {};
}

QString number(double value) { return (std::isfinite(value) ? QString() : QStringLiteral("✕ ")) + three_digits(value); }

QString short_number(double value) {
    if (!std::isfinite(value)) return number(value);
    const QString text = QString::number(value, 'f', 2);
    return value > 0 && text == QStringLiteral("0.00") ? QStringLiteral("<0.01") : with_minus(text);
}

QString triple(const std::vector<double>& values, bool short_numbers) {
    QString out;
    for (const double value : values) {
        const bool whole = value == std::floor(value) && std::abs(value) < 1000; // as those of y
        out += (out.isEmpty() ? QString() : QStringLiteral(", ")) +
               (whole ? with_minus(QString::number(value)) : short_numbers ? short_number(value) : number(value));
    }
    return '(' + out + ')';
}

QString loss_text(const ProbabilityRow& row) {
    if (!row.loss || row.label() < 0) return {};
    return QStringLiteral("L = −ln ") + symbol_of(Quantity::p, static_cast<std::size_t>(row.label())) + QStringLiteral(" = ") + number(*row.loss);
}

std::vector<ValueCardLine> bar_card(const ProbabilityPicture& picture, Quantity quantity, std::size_t i, bool with_dp) {
    const ProbabilityRow& row = picture.row;
    const QString symbol = symbol_of(quantity, i);
    const double value = picture.value(quantity, i);
    std::vector<ValueCardLine> lines{{symbol + QStringLiteral(",  ") + meaning_of(quantity, i)}};
    if (quantity == Quantity::z) {
        const double was = row.z[i];
        const bool pulled = picture.pull && picture.pull->at == i && value != was;
        if (pulled) return {lines.front(), {symbol + QStringLiteral(" = ") + number(value), true}, {tr("Esc puts it back")}};
        lines.push_back(value_line(symbol + QStringLiteral(" = ") + number(value)));
        lines.push_back({tr("Pull it up or down, or double-click it, to change it.")});
        return lines;
    }
    if (quantity == Quantity::p) {
        const SoftmaxTerm term = softmax_term(row.z, i);
        lines.push_back({QStringLiteral("exp(%1 − max z) ∕ Σₖ exp(zₖ − max z)").arg(symbol_of(Quantity::z, i))});
        lines.push_back(value_line(QStringLiteral("%1 ∕ %2 = %3").arg(number(term.above), number(term.below), number(value))));
        if (with_dp && row.dp.size() == row.p.size() && row.y.size() == row.p.size()) {
            const QString gradient = row.y[i] == 0 ? number(row.dp[i]) : QStringLiteral("−%1 ∕ %2 = %3").arg(number(row.y[i]), number(value), number(row.dp[i]));
            lines.push_back(value_line(QStringLiteral("∂%1 = −y ∕ p = ").arg(symbol) + gradient));
        }
        return lines;
    }
    if (row.y.size() == row.p.size()) {
        lines.push_back({QStringLiteral("%1 − %2").arg(symbol_of(Quantity::p, i), written_name("y" + std::to_string(i)))});
        lines.push_back(value_line(QStringLiteral("%1 − %2 = %3").arg(number(row.p[i]), bracketed(row.y[i]), number(value))));
    } else {
        lines.push_back(value_line(number(value)));
    }
    return lines;
}

std::vector<ValueCardLine> point_card(const ProbabilityPicture& picture) {
    return {{QStringLiteral("p,  ") + tr("probabilities")},
            {tr("The nearer to a corner, the more probable its class.")},
            value_line(QStringLiteral("p = ") + triple(picture.row.p))};
}

std::vector<ValueCardLine> arrow_card(const ProbabilityPicture& picture) {
    return {{QStringLiteral("∂z,  ") + tr("gradient at the logits")},
            {tr("the arrow from y to p")},
            value_line(QStringLiteral("p − y = ") + triple(picture.row.dz)),
            value_line(QStringLiteral("‖∂z‖₂ = ") + number(arrow_length(picture.row)))};
}

std::vector<ValueCardLine> step_card(const ProbabilityPicture& picture) {
    std::vector<ValueCardLine> lines{{tr("update: from p to the next p")}};
    if (picture.lr && !picture.row.dz.empty()) lines.push_back(value_line(QStringLiteral("Δz = −%1 · ∂z = ").arg(number(*picture.lr)) + triple(logit_step(picture.row, *picture.lr))));
    lines.push_back(value_line(QStringLiteral("softmax(z + Δz) = ") + triple(softmax_of(picture.row.next_z))));
    return lines;
}

std::vector<ValueCardLine> corner_card(const ProbabilityPicture& picture, std::size_t i) {
    const bool right = picture.row.label() == static_cast<int>(i);
    std::vector<double> corner(picture.row.classes(), 0.0);
    corner[i] = 1;
    return {{(right ? QStringLiteral("y,  ") : QString()) + class_name(i)},
            {right ? tr("the right class") : tr("here this class would have all of the probability")},
            value_line((right ? QStringLiteral("y = ") : QStringLiteral("p = ")) + triple(corner))};
}

std::vector<ValueCardLine> loss_card(const ProbabilityRow& row) {
    const int label = row.label();
    if (label < 0 || !row.loss) return {};
    const auto i = static_cast<std::size_t>(label);
    return {{QStringLiteral("L,  ") + tr("cross-entropy")},
            {QStringLiteral("−ln ") + symbol_of(Quantity::p, i)},
            value_line(QStringLiteral("−ln %1 = %2").arg(number(row.p[i]), number(*row.loss)))};
}

} // namespace gradus::probability_words
