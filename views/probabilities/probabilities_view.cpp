#include "views/probabilities/probabilities_view.hpp"

#include "views/derive/settings.hpp"
#include "views/probabilities/probability_painter.hpp"
#include "views/probabilities/probability_words.hpp"
#include "views/theme/paragraph.hpp"

#include <QKeyEvent>
#include <QMouseEvent>
#include <algorithm>
#include <cmath>
#include <utility>

namespace gradus {

using Quantity = ProbabilityQuantity;

namespace {

constexpr double pull_threshold = 4;   // pixels before a click becomes a pull
constexpr std::size_t most_classes = 64; // more bars than that nobody can tell apart

double line_height() { return std::ceil(TextMetrics(text_font(metrics::small_text)).height()) + 2; }

} // namespace

ProbabilitiesView::ProbabilitiesView(const Theme& theme, QWidget* parent) : View(theme, probability_words::tr("Probabilities"), parent) {
    setMouseTracking(true);
    setFocusPolicy(Qt::ClickFocus);
}

void ProbabilitiesView::setTheme(const Theme& theme) {
    Panel::setTheme(theme);
    changed();
}

void ProbabilitiesView::retranslate() {
    setTitle(probability_words::tr("Probabilities"));
    layOut(); // a language has its own smallest size
}

void ProbabilitiesView::changed() {
    painted_.forget();
    update();
}

void ProbabilitiesView::layOut() {
    picture_.sparse = sparse();
    ProbabilityContents now;
    now.classes = picture_.row.classes() <= most_classes ? picture_.row.classes() : 0;
    now.z_end = axis_end_of(picture_.row.z);
    if (hold_) now.z_end = std::max(hold_->z_end, axis_end_of({hold_->candidate.value_or(0)})); // the axis stays under the hand
    now.gradient = !picture_.row.dz.empty();
    now.wanted = wanted_;
    now.line = line_height();
    now.number = TextMetrics(mono_font(metrics::small_text, QFont::Bold)).horizontalAdvance(QStringLiteral("−0.888"));
    picture_.geometry = lay_out_probabilities(now, contents());
    changed();
}

void ProbabilitiesView::present(const Look& look) {
    if (look.full) {
        ProbabilityRow row = probability_row(*look.full, look.state.cursor.iteration);
        if (!row.same_numbers(picture_.row)) {
            if (hold_ && hold_->at >= row.classes()) hold_.reset();
            picture_.row = std::move(row);
            if (!hold_) picture_.pull.reset();
            layOut();
        }
        const StepReach& reach = reach_.of(look.run(), look.state.cursor);
        const auto later = [&](EventId made) { return made.iteration == picture_.row.iteration && reach.before(made); };
        const bool p = later(picture_.row.made_p), dz = later(picture_.row.made_dz), update = later(picture_.row.made_next_z);
        if (std::exchange(picture_.p_to_come, p) != p) changed();
        if (std::exchange(picture_.dz_to_come, dz) != dz) changed();
        if (std::exchange(picture_.update_to_come, update) != update) changed();
        const auto lr = setting_at(*look.run(), "lr", look.state.cursor.iteration);
        if (std::exchange(picture_.lr, lr) != lr) changed();
        readPath(look);
    }
    readMark(look);
    updateNote(look);
}

void ProbabilitiesView::readPath(const Look& look) {
    const StepIndex until = picture_.row.iteration;
    if (look.run() == path_of_ && until == path_until_) return;
    path_of_ = look.run();
    path_until_ = until;
    auto path = picture_.row.classes() == 3 ? probability_path(*look.run(), until) : std::vector<std::array<double, 3>>();
    if (path == picture_.path) return;
    picture_.path = std::move(path);
    changed();
}

void ProbabilitiesView::readMark(const Look& look) {
    const Selection& selection = look.state.selection;
    std::optional<Quantity> marked;
    for (const Quantity quantity : {Quantity::z, Quantity::p, Quantity::dz})
        if (selection.tensor == probability_words::tensor_of(quantity).toStdString()) marked = quantity;
    const Quantity wanted = marked && *marked != Quantity::z ? *marked : Quantity::p;
    const auto& element = selection.element;
    if (element.size() != 2 || element[0] != 0 || element[1] < 0) marked.reset();
    const std::size_t at = marked ? static_cast<std::size_t>(element[1]) : 0;
    if (std::exchange(picture_.marked, marked) != marked) changed();
    if (std::exchange(picture_.marked_class, at) != at) changed();
    if (std::exchange(wanted_, wanted) != wanted) layOut();
}

void ProbabilitiesView::updateNote(const Look& look) {
    if (!look.full && picture_.row.iteration != look.state.cursor.iteration)
        setNote(probability_words::tr("step %1 is computed again, %2 %").arg(look.state.cursor.iteration).arg(qRound(look.progress * 100)));
    else if (shows()) setNote(probability_words::tr("step %1").arg(picture_.row.iteration));
    else setNote({});
}

QString ProbabilitiesView::sentence() const {
    switch (picture_.row.missing) {
    case ProbabilityRow::Missing::kept: return probability_words::tr("The tensors of this step are no longer kept.");
    case ProbabilityRow::Missing::row: return probability_words::tr("This run has no logits z with probabilities p.");
    case ProbabilityRow::Missing::nothing: break;
    }
    return picture_.row.classes() > most_classes ? probability_words::tr("%1 classes are too many for bars.").arg(picture_.row.classes()) : QString();
}

void ProbabilitiesView::resizeEvent(QResizeEvent*) { layOut(); }

void ProbabilitiesView::paintEvent(QPaintEvent* event) {
    Panel::paintEvent(event);
    QPainter painter(this);
    if (picture_.geometry.rows.empty()) {
        painter.setFont(text_font(15));
        painter.setPen(theme().ink2);
        draw_paragraph(painter, contents(), Qt::AlignCenter, sentence());
        return;
    }
    painted_.show(painter, *this, [this](QPainter& once) {
        paint_probability_bars(once, picture_, theme());
        paint_probability_triangle(once, picture_, theme());
    });
    if (hovered_) paintHover(painter);
}

void ProbabilitiesView::paintHover(QPainter& painter) const {
    const QString id = hold_ && hold_->candidate ? QStringLiteral("z/%1").arg(hold_->at) : itemAt(hover_);
    if (id.isEmpty()) return;
    const std::vector<ViewItem> all = items();
    const auto item = std::find_if(all.begin(), all.end(), [&](const ViewItem& i) { return i.id == id; });
    if (item == all.end()) return;
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme().ink, 1));
    painter.setBrush(Qt::NoBrush);
    if (id != QStringLiteral("arrow") && id != QStringLiteral("step")) painter.drawRect(item->rect.adjusted(0.5, 0.5, -0.5, -0.5));
    if (const auto lines = cardOf(id); !lines.empty())
        paint_value_card(painter, lines, item->rect, QRectF(rect()).adjusted(8, 8, -8, -8), theme());
}

std::vector<ValueCardLine> ProbabilitiesView::cardOf(const QString& id) const {
    const auto number = static_cast<std::size_t>(id.mid(id.indexOf('/') + 1).toInt());
    const auto bar = [&](Quantity quantity) { return probability_words::bar_card(picture_, quantity, number, !veil().hides(QStringLiteral("dp"))); };
    if (id.startsWith(QStringLiteral("z/"))) return bar(Quantity::z);
    if (id.startsWith(QStringLiteral("p/"))) return bar(Quantity::p);
    if (id.startsWith(QStringLiteral("dz/"))) return bar(Quantity::dz);
    if (id.startsWith(QStringLiteral("corner/"))) return probability_words::corner_card(picture_, number);
    if (id == QStringLiteral("point")) return probability_words::point_card(picture_);
    if (id == QStringLiteral("arrow")) return probability_words::arrow_card(picture_);
    if (id == QStringLiteral("step")) return probability_words::step_card(picture_);
    if (id == QStringLiteral("loss")) return probability_words::loss_card(picture_.row);
    return {};
}

int ProbabilitiesView::logitAt(QPointF point) const {
    const ProbabilityGeometry::Row* row = picture_.geometry.row(Quantity::z);
    return row ? picture_.geometry.class_at(*row, point) : -1;
}

void ProbabilitiesView::mousePressEvent(QMouseEvent* event) {
    if (!shows() || event->button() != Qt::LeftButton) return;
    for (const ProbabilityGeometry::Row& row : picture_.geometry.rows) {
        const int at = picture_.geometry.class_at(row, event->position());
        if (at < 0) continue;
        const auto i = static_cast<std::size_t>(at);
        if (row.quantity == Quantity::z)
            hold_ = Hold{i, event->position().y(), picture_.row.z[i], (row.high - row.low) / row.plot.height(), picture_.geometry.contents.z_end, {}};
        emit selected({probability_words::tensor_of(row.quantity).toStdString(), {0, at}});
        return;
    }
    const QString id = itemAt(event->position());
    if (id == QStringLiteral("point")) emit selected({"p", {}});
    else if (id == QStringLiteral("arrow")) emit selected({"dz", {}});
}

void ProbabilitiesView::mouseMoveEvent(QMouseEvent* event) {
    hover_ = event->position();
    hovered_ = true;
    update();
    if (!hold_) return setCursor(logitAt(hover_) >= 0 ? Qt::SizeVerCursor : Qt::ArrowCursor);
    const double way = hold_->from_y - hover_.y(); // up is more
    if (!hold_->candidate && std::abs(way) < pull_threshold) return;
    const double start = std::isfinite(hold_->value) ? hold_->value : 0;
    const double candidate = rounded_to_pixel_of(start + way * hold_->per_pixel, hold_->per_pixel);
    if (hold_->candidate == candidate) return;
    hold_->candidate = candidate;
    picture_.pull = ProbabilityPicture::Pull{hold_->at, candidate};
    layOut();
    emit dragged(editOf(hold_->at, candidate));
}

Edit ProbabilitiesView::editOf(std::size_t i, double value) const {
    Edit edit;
    edit.kind = Edit::Kind::element;
    edit.target = "z";
    edit.index = {0, static_cast<Dim>(i)};
    edit.values = {value};
    return edit;
}

void ProbabilitiesView::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || !hold_) return;
    const Hold done = *std::exchange(hold_, std::nullopt);
    picture_.pull.reset();
    layOut();
    if (!done.candidate) return;
    if (*done.candidate == done.value) emit dragCancelled();
    else emit edited(editOf(done.at, *done.candidate));
}

void ProbabilitiesView::mouseDoubleClickEvent(QMouseEvent* event) {
    const int at = event->button() == Qt::LeftButton && shows() ? logitAt(event->position()) : -1;
    if (at < 0) return mousePressEvent(event);
    const std::vector<QRectF> closed = hidden().closed; // the field would tell
    if (std::any_of(closed.begin(), closed.end(), [&](const QRectF& cover) { return cover.contains(event->position()); })) return;
    cancelDrag();
    const double reach = 2 * picture_.geometry.contents.z_end;
    const QRectF beside = QRectF(event->position(), QSizeF(0, 0)).adjusted(-8, -8, 8, 8);
    emit numberWanted(editOf(static_cast<std::size_t>(at), picture_.row.z[static_cast<std::size_t>(at)]), reach, beside.toAlignedRect());
}

void ProbabilitiesView::cancelDrag() {
    if (!hold_) return;
    hold_.reset(); // what was pulled stays as it is
    picture_.pull.reset();
    layOut();
    emit dragCancelled();
}

void ProbabilitiesView::keyPressEvent(QKeyEvent* event) {
    if (event->key() != Qt::Key_Escape || !hold_) return View::keyPressEvent(event);
    cancelDrag();
}

void ProbabilitiesView::leaveEvent(QEvent*) {
    hovered_ = false;
    update();
}

} // namespace gradus
