#include "views/attention/attention_view.hpp"

#include "views/attention/attention_words.hpp"
#include "views/theme/paragraph.hpp"
#include "views/theme/provenance_mark.hpp"

#include <QMouseEvent>
#include <algorithm>

namespace gradus {

using namespace attention_words;

AttentionView::AttentionView(const Theme& theme, QWidget* parent) : View(theme, attention_words::tr("Attention, tile by tile"), parent) {
    setMouseTracking(true);
    setMinimumSize(160, 140);
}

void AttentionView::setTheme(const Theme& theme) {
    View::setTheme(theme);
    picture_.cells = attention_cells(picture_.model, theme);
}

void AttentionView::retranslate() {
    shown_ = false; // its words and widths are others
    layOut();
}

void AttentionView::present(const Look& look) {
    if (shown_ && look.kernels == kernels_ && look.run() == run_ && look.state.cursor.ordinal == ordinal_ && look.state.selection == selection_ && look.state.language == language_) return;
    kernels_ = look.kernels, run_ = look.run(), ordinal_ = look.state.cursor.ordinal, selection_ = look.state.selection, language_ = look.state.language;
    shown_ = true;
    picture_.model = reader_.read(look);
    picture_.cells = attention_cells(picture_.model, theme());
    const AttentionModel& m = picture_.model;
    setTitle(m.kind == AttentionModel::Kind::passes ? attention_words::tr("Attention, launch by launch") : attention_words::tr("Attention, tile by tile"));
    if (m.kind == AttentionModel::Kind::none) setNote({});
    else if (m.kind == AttentionModel::Kind::passes) setNote(attention_words::tr("head %1 of %2 · T %3 · D %4").arg(m.head + 1).arg(m.shape.heads).arg(m.shape.length).arg(m.shape.head_size), provenance_word(Provenance::counted));
    else
        setNote((m.shape.causal ? attention_words::tr("head %1 of %2 · T %3 · D %4 · causal") : attention_words::tr("head %1 of %2 · T %3 · D %4"))
                    .arg(m.head + 1).arg(m.shape.heads).arg(m.shape.length).arg(m.shape.head_size),
                QStringLiteral("%1 · ƒ %2").arg(provenance_word(Provenance::counted), provenance_word(Provenance::modelled)));
    layOut();
}

void AttentionView::layOut() {
    // Where there is more room than all of it needs, it is drawn larger; a class has it larger already.
    constexpr double enough_wide = 1400, enough_high = 850, most = 2;
    const QRectF all = contents();
    zoom_ = sparse() ? 1 : std::clamp(std::min(all.width() / enough_wide, all.height() / enough_high), 1.0, most);
    if (picture_.model.kind != AttentionModel::Kind::none) lay_out_attention(picture_, QRectF(all.topLeft() / zoom_, all.size() / zoom_), sparse());
    update();
}

void AttentionView::resizeEvent(QResizeEvent*) { layOut(); }

void AttentionView::paintEvent(QPaintEvent* event) {
    View::paintEvent(event);
    QPainter painter(this);
    if (const QString words = message(picture_.model); !words.isEmpty()) {
        painter.setFont(text_font(15));
        painter.setPen(theme().ink2);
        draw_paragraph(painter, contents(), Qt::AlignCenter, words);
        return;
    }
    painter.save();
    painter.scale(zoom_, zoom_);
    paint_attention(painter, picture_, theme());
    painter.restore();
    paintHover(painter);
}

void AttentionView::paintHover(QPainter& painter) {
    if (!pointer_) return;
    const AttentionGeometry& g = picture_.geometry;
    const AttentionModel& m = picture_.model;
    std::vector<ValueCardLine> card;
    QRectF over;
    for (const AttentionGeometry::Row& row : g.rows)
        if (row.rect.contains(*pointer_)) card = row_card(m.rows[row.row], veil().hides(QStringLiteral("attention/factor"))), over = row.rect;
    for (std::size_t i = 0; i < g.memory.size(); ++i)
        if (g.memory[i].contains(*pointer_)) card = held_card(m, m.held[i]), over = g.memory[i];
    for (std::size_t i = 1; i < g.table.size(); ++i)
        if (g.table[i].contains(*pointer_)) card = bytes_card(m, bytes_lines(m)[bytes_lines(m).size() - g.table.size() + i]), over = g.table[i];
    if (const auto [query, key] = g.element_at(*pointer_, m.shape.length); query >= 0) {
        card = cell_card(m, query, key, m.kind == AttentionModel::Kind::tiles && query / m.shape.rows == m.row_tile ? reader_.score(query - m.first_query, key) : std::nullopt);
        over = g.part(query, query + 1, key, key + 1);
    }
    if (card.empty()) return;
    over = QRectF(over.topLeft() * zoom_, over.size() * zoom_);
    painter.setPen(QPen(theme().ink, 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(over.adjusted(-0.5, -0.5, 0.5, 0.5));
    paint_value_card(painter, card, over, QRectF(rect()).adjusted(6, 6, -6, -6), theme());
}

std::optional<std::size_t> AttentionView::stepOf(std::int64_t row_tile, std::int64_t tile) const {
    const auto& rows = picture_.model.row_tiles;
    if (row_tile < 0 || row_tile >= static_cast<std::int64_t>(rows.size()) || tile < 0) return std::nullopt;
    const auto& begins = rows[static_cast<std::size_t>(row_tile)].begins;
    return tile < static_cast<std::int64_t>(begins.size()) ? std::optional(begins[static_cast<std::size_t>(tile)]) : std::nullopt;
}

std::optional<std::size_t> AttentionView::part(int by) const {
    const AttentionModel& m = picture_.model;
    if (m.kind != AttentionModel::Kind::tiles || m.marks.empty()) return std::nullopt;
    if (by > 0) return m.mark + 1 < m.marks.size() ? std::optional(m.marks[m.mark + 1].step) : std::nullopt;
    if (m.step > m.marks[m.mark].step) return m.marks[m.mark].step;
    return m.mark > 0 ? std::optional(m.marks[m.mark - 1].step) : std::nullopt;
}

void AttentionView::goTo(std::size_t step) {
    if (!kernels_) return;
    if (const std::int32_t ordinal = kernels_->of_step(step); ordinal >= 0) emit eventChosen(ordinal);
}

void AttentionView::mouseMoveEvent(QMouseEvent* event) {
    pointer_ = event->position() / zoom_;
    const AttentionGeometry& g = picture_.geometry;
    const auto [query, key] = g.element_at(*pointer_, picture_.model.shape.length);
    const bool tile = query >= 0 && picture_.counts.keys > 0 && stepOf(query / picture_.counts.rows, key / picture_.counts.keys);
    const bool button = (g.previous.contains(*pointer_) && part(-1)) || (g.next.contains(*pointer_) && part(1));
    setCursor(tile || button ? Qt::PointingHandCursor : Qt::ArrowCursor);
    update();
}

void AttentionView::leaveEvent(QEvent*) {
    pointer_.reset();
    update();
}

void AttentionView::mousePressEvent(QMouseEvent* event) {
    const QPointF at = event->position() / zoom_;
    const AttentionGeometry& g = picture_.geometry;
    const AttentionModel& m = picture_.model;
    for (const int by : {-1, 1})
        if ((by < 0 ? g.previous : g.next).contains(at)) {
            if (const auto step = part(by)) goTo(*step);
            return;
        }
    for (std::size_t i = 0; i < g.key_boxes.size(); ++i)
        if (g.key_boxes[i].contains(at))
            if (const auto step = stepOf(m.row_tile, static_cast<std::int64_t>(i))) return goTo(*step);
    for (std::size_t i = 0; i < g.query_boxes.size(); ++i)
        if (g.query_boxes[i].contains(at))
            if (const auto step = stepOf(static_cast<std::int64_t>(i), 0)) return goTo(*step);
    for (const AttentionGeometry::Row& row : g.rows)
        if (row.rect.contains(at)) emit selected(Selection{"O", {m.head, m.rows[row.row].query, 0}});
    if (const auto [query, key] = g.element_at(at, m.shape.length); query >= 0 && picture_.counts.keys > 0) {
        const std::int64_t head = m.head; // goTo() shows another step
        const auto step = stepOf(query / picture_.counts.rows, key / picture_.counts.keys);
        if (!step) return;
        goTo(*step);
        emit selected(Selection{"O", {head, query, 0}}); // whose numbers are told beside
    }
}

std::vector<ViewItem> AttentionView::items() const {
    std::vector<ViewItem> out;
    const AttentionGeometry& g = picture_.geometry;
    const AttentionModel& m = picture_.model;
    if (m.kind == AttentionModel::Kind::none) return out;
    if (!g.headline.isNull()) out.push_back({g.headline, QStringLiteral("headline"), headline(m), {}, Provenance::counted, Role::metric});
    if (!g.previous.isNull() && part(-1)) out.push_back({g.previous, QStringLiteral("previous"), attention_words::tr("back to the part before"), {}, Provenance::computed, Role::metric});
    if (!g.next.isNull() && part(1)) out.push_back({g.next, QStringLiteral("next"), attention_words::tr("on to the next part"), {}, Provenance::computed, Role::metric});
    if (m.kind == AttentionModel::Kind::tiles && m.shape.tiled() && !g.grid.isNull())
        for (std::int64_t row = 0; row < m.shape.row_tiles(); ++row)
            for (std::int64_t tile = 0; tile < m.shape.key_tiles(); ++tile)
                out.push_back({g.tile(row, tile, picture_.counts), QStringLiteral("tile%1,%2").arg(row).arg(tile),
                               attention_words::tr("tile of queries %1 and keys %2: %3").arg(QString::number(row), QString::number(tile), tile_state(m, row, tile)), {}, Provenance::counted, Role::activation,
                               {QStringLiteral("attention/tiles")}});
    for (const AttentionGeometry::Row& at : g.rows) {
        const AttentionCursor::Row& row = m.rows[at.row];
        const QString value = row.why.empty() ? QStringLiteral("m %1, ℓ %2").arg(value_text(row.max), value_text(row.sum)) : attention_words::tr("not yet set");
        out.push_back({at.rect, QStringLiteral("row%1").arg(row.query), attention_words::tr("query %1").arg(row.query), value, Provenance::computed, Role::activation, {QStringLiteral("attention/rows")}});
        if (row.tile >= 0)
            out.push_back({at.factor, QStringLiteral("row%1.factor").arg(row.query), attention_words::tr("factor of query %1").arg(row.query), value_text(row.factor), Provenance::computed, Role::activation,
                           {QStringLiteral("attention/factor")}});
    }
    for (std::size_t i = 0; i < g.memory.size(); ++i)
        out.push_back({g.memory[i], QString::fromStdString(m.held[i].name), QStringLiteral("%1: %2").arg(QString::fromStdString(m.held[i].name), held_words(m, m.held[i])),
                       bytes_text(m.held[i].bytes), Provenance::counted, Role::metric, {QStringLiteral("attention/memory")}});
    const std::vector<BytesLine> lines = bytes_lines(m);
    for (std::size_t i = 1; i < g.table.size() && i <= lines.size(); ++i) {
        const BytesLine& line = lines[lines.size() - g.table.size() + i];
        out.push_back({g.table[i], line.id, attention_words::tr("bytes: %1").arg(line.name), bytes_text(line.bytes.back()), line.provenance, Role::metric, {QStringLiteral("attention/bytes")}});
    }
    const std::vector<SummaryLine> told = summary(m);
    for (std::size_t i = 0; i < told.size() && i + 1 < g.summary_lines.size(); ++i) {
        out.push_back({g.summary_lines[i + 1].adjusted(g.sign, 0, 0, 0), QStringLiteral("told") + told[i].sign, told[i].word, told[i].before + told[i].now + told[i].after, Provenance::computed, Role::activation,
                       {told[i].secret ? QStringLiteral("attention/factor") : QStringLiteral("attention/rows")}});
    }
    for (std::size_t i = 0; i < g.bars.size(); ++i)
        out.push_back({g.bars[i], QStringLiteral("bar%1").arg(i), attention_words::tr("Bytes of global memory"), {}, Provenance::counted, Role::metric, {QStringLiteral("attention/bytes")}});
    for (ViewItem& item : out) item.rect = QRectF(item.rect.topLeft() * zoom_, item.rect.size() * zoom_);
    return out;
}

} // namespace gradus
