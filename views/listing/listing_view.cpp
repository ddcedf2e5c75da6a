#include "views/listing/listing_view.hpp"

#include "views/theme/numbers.hpp"
#include "views/theme/paragraph.hpp"
#include "views/theme/value_card.hpp"

#include <QMouseEvent>

namespace gradus {

namespace {
constexpr double note_width = 300; // pixels, of a note in the card
} // namespace

ListingView::ListingView(const Theme& theme, QWidget* parent) : View(theme, tr("Code"), parent) {
    setMouseTracking(true);
    setMinimumSize(120, 100);
}

void ListingView::setListing(std::shared_ptr<const Listing> listing) {
    listing_ = std::move(listing);
    update();
}

void ListingView::retranslate() {
    setTitle(tr("Code"));
    made_ = {}; // its words and widths are others
    layOut();
}

void ListingView::present(const Look& look) {
    Made made{listing_, look.run(), look.full, look.state.cursor.iteration, look.state.cursor.ordinal,
              look.run()->observed().size(), look.run()->sites().size(), look.state.language};
    if (made == made_) return;
    made_ = std::move(made);
    picture_.model = listing_ ? make_listing(*listing_, look) : ListingModel();
    if (picture_.model.rows.empty()) setNote({});
    else setNote((picture_.model.again ? tr("step %1, computed again") : tr("step %1")).arg(picture_.model.iteration), {});
    layOut();
}

void ListingView::layOut() {
    lay_out_listing(picture_, contents(), sparse());
    update();
}

void ListingView::resizeEvent(QResizeEvent*) { layOut(); }

void ListingView::paintEvent(QPaintEvent* event) {
    View::paintEvent(event);
    QPainter painter(this);
    if (picture_.model.rows.empty()) {
        painter.setFont(text_font(15));
        painter.setPen(theme().ink2);
        draw_paragraph(painter, contents(), Qt::AlignCenter, tr("This lesson has no code beside it."));
        return;
    }
    paint_listing(painter, picture_, theme(), sparse(), alone());
    paintHover(painter);
}

void ListingView::paintHover(QPainter& painter) const {
    const ListingGeometry::Row* at = pointer_ ? picture_.geometry.row_at(*pointer_) : nullptr;
    if (!at || !picture_.model.rows[at->line].told) return;
    const ListingRow& row = picture_.model.rows[at->line];
    painter.setPen(QPen(theme().ink, 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(at->rect.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
    std::vector<ValueCardLine> lines{{row_name(row)}};
    if (!row.left_out && row.part.seconds) lines.push_back(value_line(time_text(row), Provenance::measured));
    if (!work_text(row).isEmpty()) lines.push_back(value_line(work_text(row), Provenance::counted));
    const QString note = broken_at_spaces(row.note, TextMetrics(text_font(metrics::text - 1)), note_width);
    for (const QString& line : note.split('\n', Qt::SkipEmptyParts)) lines.push_back({line});
    paint_value_card(painter, lines, at->rect, QRectF(rect()).adjusted(6, 6, -6, -6), theme());
}

void ListingView::mouseMoveEvent(QMouseEvent* event) {
    pointer_ = event->position();
    const ListingGeometry::Row* at = picture_.geometry.row_at(*pointer_);
    setCursor(at && picture_.model.rows[at->line].part.ordinal >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
    update();
}

void ListingView::leaveEvent(QEvent*) {
    pointer_.reset();
    update();
}

void ListingView::mousePressEvent(QMouseEvent* event) {
    const ListingGeometry::Row* at = picture_.geometry.row_at(event->position());
    if (at && picture_.model.rows[at->line].part.ordinal >= 0) emit eventChosen(picture_.model.rows[at->line].part.ordinal);
}

std::vector<ViewItem> ListingView::items() const {
    std::vector<ViewItem> out;
    for (const ListingGeometry::Row& at : picture_.geometry.rows) {
        const ListingRow& row = picture_.model.rows[at.line];
        if (row.code.trimmed().isEmpty()) continue;
        const QString id = QStringLiteral("line%1").arg(at.line + 1);
        const QStringList parts{QString::fromStdString(listing_ ? listing_->lines[at.line].at : std::string())};
        QString name = row.here ? tr("line %1, where you stand: %2") : tr("line %1: %2");
        name = name.arg(QString::number(at.line + 1), row_name(row));
        if (!row.note.isEmpty()) name += QStringLiteral(". ") + row.note;
        const bool timed = !row.left_out && row.part.seconds;
        out.push_back({at.rect, id, name, timed ? time_text(row) : QString(), timed ? Provenance::measured : Provenance::computed, Role::metric, parts, at.time});
        if (!at.work.isNull() && !work_text(row).isEmpty())
            out.push_back({at.work, id + ".work", tr("work of line %1").arg(at.line + 1), work_text(row), Provenance::counted, Role::metric, parts});
    }
    if (const QString missing = missing_lines(picture_); !picture_.geometry.missing.isNull() && !missing.isEmpty())
        out.push_back({picture_.geometry.missing, QStringLiteral("missing"), tr("no room here for %1").arg(missing), {}, Provenance::computed, Role::metric});
    return out;
}

} // namespace gradus
