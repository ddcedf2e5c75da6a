// What a ProbabilitiesView has on screen, for screen readers, hover, veils and tests.
#include "views/probabilities/probabilities_view.hpp"

#include "views/probabilities/probability_painter.hpp"
#include "views/probabilities/probability_words.hpp"
#include "views/theme/polyline.hpp"

#include <algorithm>
#include <array>
#include <span>

namespace gradus {

using Quantity = ProbabilityQuantity;

namespace {

using probability_words::role_of;

/// Series p0, p1, … tell the probabilities, too.
QStringList shares_of(std::size_t classes) {
    QStringList out;
    for (std::size_t i = 0; i < classes; ++i) out << QStringLiteral("p%1").arg(i);
    return out;
}

QRectF around(const QLineF& line) { return QRectF(line.p1(), line.p2()).normalized().adjusted(-4, -4, 4, 4); }

/// As wide as the row's grid, with the numbers over and under the bars. Its name and its axis stay.
QRectF covered_of(const ProbabilityGeometry::Row& row) {
    constexpr double pen = 1; // of the grid's ends
    const double top = row.title.isNull() ? row.area.top() : row.title.bottom() + below_title;
    return {row.plot.left() - pen, top, row.plot.width() + 2 * pen, row.area.bottom() - top};
}

QString name_of_row(Quantity quantity) {
    if (quantity == Quantity::z) return probability_words::tr("logits");
    return quantity == Quantity::p ? probability_words::tr("probabilities") : probability_words::tr("gradient at the logits");
}

} // namespace

/// A row and the triangle are items of their own, under the names that cards have for what they show: a cover over one
/// hides all in it. Where p is hidden the arrow is, and where the gradient is hidden p, which lies at its end.
std::vector<ViewItem> ProbabilitiesView::items() const {
    std::vector<ViewItem> out;
    const ProbabilityPicture& p = picture_;
    const ProbabilityGeometry& g = p.geometry;
    if (g.rows.empty()) return out;
    const QStringList shares = shares_of(p.row.classes());
    if (p.has_triangle()) {
        const QRectF whole = g.words.isNull() ? g.triangle : g.triangle.united(g.words);
        out.push_back({whole, QStringLiteral("triangle"), probability_words::tr("triangle of probabilities"), {}, Provenance::computed, Role::activation,
                       QStringList{"p", "dz", "arrow"} + shares});
        for (std::size_t i = 0; i < 3; ++i)
            out.push_back({QRectF(g.corners[i], QSizeF(0, 0)).adjusted(-8, -8, 8, 8), QStringLiteral("corner/%1").arg(i),
                           probability_words::class_name(i), p.row.label() == static_cast<int>(i) ? probability_words::tr("the right class") : QString(),
                           Provenance::computed, Role::data});
        if (const auto arrow = p.arrow())
            out.push_back({around(*arrow), QStringLiteral("arrow"), probability_words::tr("gradient at the logits"), probability_words::triple(p.row.dz),
                           Provenance::computed, Role::gradient});
        if (p.step())
            out.push_back({p.step_curve().boundingRect().adjusted(-4, -4, 4, 4), QStringLiteral("step"), probability_words::tr("update: from p to the next p"),
                           probability_words::triple(softmax_of(p.row.next_z)), Provenance::computed, Role::optimizer_state});
        if (const auto point = p.point())
            out.push_back({QRectF(*point, QSizeF(0, 0)).adjusted(-8, -8, 8, 8), QStringLiteral("point"), probability_words::tr("probabilities"),
                           probability_words::triple(p.row.p), Provenance::computed, Role::activation});
    }
    for (const ProbabilityGeometry::Row& row : g.rows) {
        const QString tensor = probability_words::tensor_of(row.quantity);
        QStringList parts;
        if (row.quantity == Quantity::p) parts = shares;
        out.push_back({row.area, tensor, name_of_row(row.quantity), {}, Provenance::computed, role_of(row.quantity), parts, covered_of(row)});
        if (p.to_come(row.quantity)) continue;
        for (std::size_t i = 0; i < p.row.classes(); ++i)
            out.push_back({g.column(row, i), tensor + QStringLiteral("/%1").arg(i), probability_words::meaning_of(row.quantity, i),
                           probability_words::number(p.value(row.quantity, i)), Provenance::computed, role_of(row.quantity)});
        const QRectF loss = row.quantity == Quantity::p ? loss_rect(p) : QRectF();
        if (!loss.isNull())
            out.push_back({loss, QStringLiteral("loss"), probability_words::tr("cross-entropy"), probability_words::number(*p.row.loss), Provenance::computed, Role::loss,
                           QStringList{"p"} + shares, loss.adjusted(0, 0, 0, -3)}); // apart from the cover of the bars
    }
    return out;
}

QString ProbabilitiesView::itemAt(QPointF point) const {
    const auto on = [&](const std::optional<QLineF>& line) {
        return line && distance_to(std::array{line->p1(), line->p2()}, point) <= 6;
    };
    const QPolygonF step = picture_.step_curve();
    const bool on_step = !step.isEmpty() && distance_to(std::span(step.constData(), static_cast<std::size_t>(step.size())), point) <= 6;
    const std::vector<ViewItem> all = items();
    for (auto item = all.rbegin(); item != all.rend(); ++item) { // what is painted later lies above
        if (item->id == QStringLiteral("arrow") ? !on(picture_.arrow()) : item->id == QStringLiteral("step") ? !on_step : !item->rect.contains(point))
            continue;
        const bool whole = item->id == QStringLiteral("triangle") || item->id == QStringLiteral("z") || item->id == QStringLiteral("p") || item->id == QStringLiteral("dz");
        if (!whole) return item->id;
    }
    return {};
}

} // namespace gradus
