#include "views/valley/valley_words.hpp"

#include "views/theme/numbers.hpp"

#include <QCoreApplication>
#include <cmath>

namespace gradus::valley_words {

using Kind = ObjectiveConstants::Kind;

namespace {

const QString equals = QStringLiteral(" = ");

QString pair(Kind kind, double first, double second) {
    return kind == Kind::parabola ? number(first) : QStringLiteral("(%1, %2)").arg(number(first), number(second));
}

QString parameter(Kind kind, std::size_t i) {
    switch (kind) {
    case Kind::parabola: return QStringLiteral("w");
    case Kind::bowl: return i == 0 ? QStringLiteral("w₁") : QStringLiteral("w₂");
    case Kind::line: return i == 0 ? QStringLiteral("m") : QStringLiteral("b");
    }
    return {};
}

} // namespace

QString tr(const char* text) { return QCoreApplication::translate("Valley", text); }

QString title(Kind kind) {
    switch (kind) {
    case Kind::parabola: return tr("Valley");
    case Kind::bowl: return tr("Bowl");
    case Kind::line: return tr("Line through points");
    }
    return {};
}

QString number(double value) {
    if (!std::isfinite(value)) return QStringLiteral("✕ ") + three_digits(value);
    return three_digits(value);
}

QString tick(double value) {
    const QString text = QString::number(value, 'g', 4), exponent = text.section('e', 1);
    return with_minus(exponent.isEmpty() ? text : text.section('e', 0, 0) + 'e' + QString::number(exponent.toInt())); // as three_digits() has it
}

QString across(Kind kind) { return kind == Kind::line ? QStringLiteral("x") : parameter(kind, 0); }

QString up(Kind kind) {
    switch (kind) {
    case Kind::parabola: return objective(kind);
    case Kind::bowl: return parameter(kind, 1);
    case Kind::line: return QStringLiteral("y");
    }
    return {};
}

QString objective(Kind kind) {
    switch (kind) {
    case Kind::parabola: return QStringLiteral("f(w)");
    case Kind::bowl: return QStringLiteral("f(w₁, w₂)");
    case Kind::line: return tr("loss");
    }
    return {};
}

QString place(Kind kind, const ValleyPlace& place) {
    QString out = parameter(kind, 0) + equals + number(place.w[0]);
    if (kind != Kind::parabola) out += QStringLiteral(", ") + parameter(kind, 1) + equals + number(place.w[1]);
    return out + QStringLiteral(", ") + objective(kind) + equals + number(place.f);
}

QString slope(Kind kind, const std::array<double, 2>& g) {
    if (kind == Kind::line) return QStringLiteral("∂m = %1, ∂b = %2").arg(number(g[0]), number(g[1]));
    return QStringLiteral("∂w = ") + pair(kind, g[0], g[1]);
}

QString step(Kind kind, const std::array<double, 2>& from, const std::array<double, 2>& to) {
    return QStringLiteral("−η·∂w = ") + pair(kind, to[0] - from[0], to[1] - from[1]);
}

std::vector<ValleyReadout> readouts(Kind kind, const ValleyWalk& walk) {
    static const QString wide = QStringLiteral("−8.88e−88");
    static const QString wide_pair = QStringLiteral("(−8.88e−88, −8.88e−88)");
    std::vector<ValleyReadout> out;
    const std::size_t count = kind == Kind::parabola ? 1 : 2;
    const bool there = walk.here.has_value();
    for (std::size_t i = 0; i < count; ++i)
        out.push_back({there ? parameter(kind, i) + equals + number(walk.here->w[i]) : QString(), Role::parameter,
                       parameter(kind, i) + equals + wide});
    out.push_back({there && walk.valued ? objective(kind) + equals + number(walk.here->f) : QString(), Role::loss, objective(kind) + equals + wide});
    if (kind != Kind::bowl) return out; // a parabola has the others in the picture
    out.push_back({there && walk.slope ? slope(kind, *walk.slope) : QString(), Role::gradient, QStringLiteral("∂w = ") + wide_pair});
    out.push_back({there && walk.next ? step(kind, walk.here->w, *walk.next) : QString(), Role::optimizer_state, QStringLiteral("−η·∂w = ") + wide_pair});
    return out;
}

} // namespace gradus::valley_words
