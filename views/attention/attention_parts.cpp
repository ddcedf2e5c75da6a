#include "views/attention/attention_parts.hpp"

#include "views/attention/attention_words.hpp"
#include "views/theme/color_map.hpp"
#include "views/theme/numbers.hpp"
#include "views/theme/provenance_mark.hpp"
#include "views/theme/words.hpp"

#include <algorithm>
#include <cmath>

namespace gradus {

namespace {

using namespace attention_words;
using attention_words::tr;

QString bars_title(const AttentionModel& model) {
    if (model.kind != AttentionModel::Kind::passes) return tr("Bytes of global memory");
    return model.launch + 1 < model.passes.size() ? tr("Bytes requested so far") : tr("Bytes requested in all");
}

QFont plain() { return text_font(metrics::text - 1); }
QFont number(QFont::Weight weight = QFont::Normal) { return mono_font(metrics::text - 1, weight); }

/// A text with its provenance's mark before it; how wide both are.
double write_marked(QPainter& painter, const QRectF& box, const QString& text, Provenance provenance, const QFont& font, const QColor& colour) {
    const double capital = TextMetrics(font).capHeight(), mark = provenance_width(provenance, capital);
    painter.setFont(font);
    paint_provenance(painter, {box.left(), box.center().y() + capital / 2}, provenance, capital, colour);
    return mark + write_line(painter, box.adjusted(mark, 0, 0, 0), Qt::AlignLeft, text, font, colour);
}

double largest_output(const AttentionModel& model) {
    double largest = 0;
    for (const AttentionCursor::Row& row : model.rows)
        for (const float value : row.output)
            if (std::isfinite(value)) largest = std::max(largest, std::abs(static_cast<double>(value)));
    return largest;
}

void paint_strip(QPainter& painter, const QRectF& box, const std::vector<float>& output, double end, const std::set<std::int64_t>& marked, const Theme& theme) {
    if (box.isNull() || output.empty()) return;
    const ColorMap map = signed_map(theme, end);
    QImage image(static_cast<int>(output.size()), 1, QImage::Format_RGB32);
    for (std::size_t i = 0; i < output.size(); ++i) image.setPixel(static_cast<int>(i), 0, std::isfinite(output[i]) ? map.at(output[i]) : theme.surface.rgb());
    painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
    painter.drawImage(box, image);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme.line, 1));
    painter.drawRect(box);
    const double cell = box.width() / static_cast<double>(output.size());
    if (marked.empty() || marked.size() > 4) return;
    painter.setPen(QPen(theme.ink, 1.5));
    for (const std::int64_t d : marked)
        if (d < static_cast<std::int64_t>(output.size())) painter.drawRect(QRectF(box.left() + cell * static_cast<double>(d), box.top(), cell, box.height()));
}

} // namespace

double write_line(QPainter& painter, const QRectF& box, int align, const QString& text, const QFont& font, const QColor& colour) {
    painter.setFont(font);
    painter.setPen(colour);
    draw_text(painter, box, align | Qt::AlignVCenter, TextMetrics(font).elidedText(text, Qt::ElideRight, box.width() + 1));
    return TextMetrics(font).horizontalAdvance(text);
}

TouchedPlaces touched_places(const AttentionModel& model) {
    TouchedPlaces out;
    const std::int64_t first_key = std::max(0, model.place.tile) * model.shape.keys;
    for (const AttentionTouch& touch : model.touches) {
        const auto is = [&](const char* name) { return touch.name == name; };
        const bool tiles = model.kind == AttentionModel::Kind::tiles;
        if (is("Q") || is("O") || is("L")) out.queries.insert(touch.row);
        if (is("K") || is("V")) out.keys.insert(touch.row);
        if (is("S") || is("P")) out.cells.insert({touch.row, touch.column});
        if (tiles && is("q_tile")) out.queries.insert(model.first_query + touch.row);
        if (tiles && (is("k_tile") || is("v_tile"))) out.keys.insert(first_key + touch.row);
        if (tiles && is("p_tile")) out.cells.insert({model.first_query + touch.row, first_key + touch.column});
        if (is("V") || is("v_tile") || is("O")) out.dimensions.insert(touch.column);
    }
    std::erase_if(out.keys, [&](std::int64_t key) { return key >= model.shape.length; });
    std::erase_if(out.queries, [&](std::int64_t query) { return query >= model.shape.length; });
    std::erase_if(out.cells, [&](const auto& cell) { return cell.first >= model.shape.length || cell.second >= model.shape.length; });
    return out;
}

void paint_attention_rows(QPainter& painter, const AttentionPicture& p, const Theme& theme) {
    const AttentionGeometry& g = p.geometry;
    if (g.rows.empty()) return;
    const AttentionGeometry::Row& one = g.rows.front();
    const auto head = [&](const QRectF& column, const QString& text, int align = Qt::AlignRight) {
        if (!column.isNull()) write_line(painter, QRectF(column.left(), g.rows_head.top(), column.width(), g.rows_head.height()), align, text, plain(), theme.ink2);
    };
    const double end = largest_output(p.model);
    head(one.query, tr("query"));
    head(one.max, QStringLiteral("m"));
    head(one.sum, QStringLiteral("ℓ"));
    head(one.factor, tr("× factor"));
    const QString range = tr("o, %1 to %2").arg(value_text(-end), value_text(end)); // of the strips' colours
    head(one.strip, end > 0 && TextMetrics(plain()).horizontalAdvance(range) <= one.strip.width() ? range : QStringLiteral("o"), Qt::AlignLeft);
    const TouchedPlaces places = touched_places(p.model);
    for (const AttentionGeometry::Row& at : g.rows) {
        const AttentionCursor::Row& row = p.model.rows[at.row];
        const bool focus = at.row == p.model.focus, marked = focus && (p.model.chosen || row.here); // one that is only told of wears no mark
        if (marked) {
            painter.fillRect(at.rect.adjusted(-4, 0, 0, 0), theme.fill);
            painter.fillRect(QRectF(at.rect.left() - 4, at.rect.top(), 2, at.rect.height()), theme.ink);
        }
        const QColor colour = row.here ? theme.ink : theme.ink2;
        const QFont font = number(marked ? QFont::DemiBold : QFont::Normal);
        write_line(painter, at.query, Qt::AlignRight, QString::number(row.query), font, colour);
        if (!row.why.empty()) {
            const QRectF rest(at.max.left(), at.rect.top(), at.rect.right() - at.max.left(), at.rect.height());
            if (focus) write_line(painter, rest, Qt::AlignLeft, tr("not yet set"), plain(), theme.ink2); // said once
            continue;
        }
        write_line(painter, at.max, Qt::AlignRight, value_text(row.max), font, colour);
        write_line(painter, at.sum, Qt::AlignRight, value_text(row.sum), font, colour);
        const bool rescaled = row.tile > 0 && row.factor < 1;
        if (row.tile >= 0) write_line(painter, at.factor, Qt::AlignRight, value_text(row.factor), number(rescaled ? QFont::DemiBold : QFont::Normal), rescaled ? theme.ink : theme.ink2);
        paint_strip(painter, at.strip, row.output, end, row.here ? places.dimensions : std::set<std::int64_t>{}, theme);
    }
    if (!g.rows_more.isNull()) write_line(painter, g.rows_more, Qt::AlignLeft, tr("%1 more queries of this block").arg(p.model.rows.size() - g.rows.size()), plain(), theme.ink2);
}

void paint_attention_memory(QPainter& painter, const AttentionPicture& p, const Theme& theme) {
    const AttentionGeometry& g = p.geometry;
    if (g.memory.empty()) return;
    const QString used = bytes_text(p.model.shared_bytes);
    const QString title = p.model.capacity ? tr("Shared memory set aside for the block: %1 of the %2 of an SM %3").arg(used, bytes_text(p.model.capacity), QString::fromStdString(p.model.architecture))
                                           : tr("Shared memory set aside for the block: %1").arg(used);
    std::vector<QString> titles{title};
    if (const QString all = bytes_text(p.model.capacity); p.model.capacity) {
        titles.push_back(tr("Shared memory set aside: %1 of %2").arg(used, all));
        titles.push_back(tr("shared: %1 of %2").arg(used, all));
    }
    titles.push_back(tr("shared: %1").arg(used));
    const auto fits = [&](const QString& words) { return TextMetrics(plain()).horizontalAdvance(words) + 20 <= g.memory_title.width(); };
    const auto fitting = std::find_if(titles.begin(), titles.end() - 1, fits);
    write_marked(painter, g.memory_title, *fitting, Provenance::counted, plain(), theme.ink2);
    const QColor hue = theme.memory[1];
    if (!g.memory_share.isNull()) {
        const double share = std::clamp(static_cast<double>(p.model.shared_bytes) / static_cast<double>(p.model.capacity), 0.0, 1.0);
        painter.fillRect(g.memory_share, theme.line);
        painter.fillRect(QRectF(g.memory_share.topLeft(), QSizeF(g.memory_share.width() * share, g.memory_share.height())), hue);
    }
    const double thick = std::round(TextMetrics(plain()).capHeight() / 2); // of the bar
    for (std::size_t i = 0; i < g.memory.size(); ++i) {
        const AttentionTiles::Held& held = p.model.held[i];
        const QRectF& box = g.memory[i];
        painter.setPen(QPen(p.sparse ? theme.ink3 : theme.line, p.sparse ? 2 : 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
        const QRectF bar(box.left() + 6, box.bottom() - 4 - thick, box.width() - 12, thick);
        painter.fillRect(bar, theme.line);
        painter.fillRect(QRectF(bar.left(), bar.top(), bar.width() * std::clamp(held.filled, 0.0, 1.0), bar.height()), hue);
        const double half = (box.height() - 6 - thick) / 2;
        write_line(painter, QRectF(box.left() + 6, box.top() + 2, box.width() - 12, half), Qt::AlignLeft, QString::fromStdString(held.name), number(), theme.ink2);
        write_line(painter, QRectF(box.left() + 6, box.top() + 2 + half, box.width() - 12, half), Qt::AlignLeft, held_words(p.model, held), number(QFont::DemiBold), theme.ink);
        const QString size = bytes_text(held.bytes);
        const TextMetrics fm(number());
        if (fm.horizontalAdvance(size) + fm.horizontalAdvance(held_words(p.model, held)) + 18 <= box.width())
            write_line(painter, QRectF(box.left() + 6, box.top() + 2 + half, box.width() - 12, half), Qt::AlignRight, size, number(), theme.ink2);
    }
}

void paint_attention_bytes(QPainter& painter, const AttentionPicture& p, const Theme& theme) {
    const AttentionGeometry& g = p.geometry;
    if (g.table.empty()) return;
    const QFont head = text_font(metrics::text - 1, QFont::DemiBold);
    const bool brief = TextMetrics(head).horizontalAdvance(bytes_title(p.model)) > g.table_title.width();
    write_line(painter, g.table_title, Qt::AlignLeft, bytes_title(p.model, brief), head, theme.ink2);
    const std::vector<QString> columns = bytes_columns(p.model);
    const std::vector<BytesLine> lines = bytes_lines(p.model);
    const std::size_t first = columns.size() - g.columns.size();
    const auto cell = [&](std::size_t line, std::size_t column) {
        const double left = column == first ? g.table[line].left() : g.columns[column - first - 1];
        return QRectF(left, g.table[line].top(), g.columns[column - first] - left, g.table[line].height());
    };
    for (std::size_t i = first; i < columns.size(); ++i) write_line(painter, cell(0, i), Qt::AlignRight, columns[i], plain(), theme.ink2);
    const std::size_t above = lines.size() + 1 - g.table.size();
    for (std::size_t i = above; i < lines.size(); ++i) {
        const bool modelled = lines[i].provenance == Provenance::modelled;
        write_marked(painter, g.table[i - above + 1], lines[i].name, lines[i].provenance, plain(), modelled ? theme.ink2 : theme.ink);
        for (std::size_t j = first; j < lines[i].bytes.size(); ++j) {
            if (lines[i].bytes[j] < 0) continue;
            const bool sum = j + 1 == lines[i].bytes.size();
            write_line(painter, cell(i - above + 1, j), Qt::AlignRight, bytes_cell(p.model, lines[i].bytes[j]), number(sum ? QFont::DemiBold : QFont::Normal),
                  modelled ? theme.ink2 : theme.ink);
        }
    }
}

std::vector<AttentionBar> attention_bars(const AttentionModel& model) {
    if (model.kind == AttentionModel::Kind::tiles)
        return {{tr("three launches"), model.three_launches.total(), Provenance::modelled}, {tr("tiles"), model.counted.total(), Provenance::counted}};
    AttentionBar scores{QStringLiteral("S, P"), 0, Provenance::counted}, others{QStringLiteral("Q, K, V, O"), 0, Provenance::counted};
    for (std::size_t i = 0; i < model.passes.size(); ++i) {
        const AttentionTraffic& pass = model.passes[i];
        const std::int64_t of_scores = pass.s + pass.p, of_others = pass.q + pass.k + pass.v + pass.o; // L is for the backward pass
        scores.most += of_scores, others.most += of_others;
        if (i <= model.launch) scores.bytes += of_scores, others.bytes += of_others;
    }
    return {scores, others};
}

double attention_bars_width(const AttentionModel& model) {
    const TextMetrics words(text_font(metrics::text)), bold(mono_font(metrics::text, QFont::Bold));
    double out = words.horizontalAdvance(bars_title(model));
    for (const AttentionBar& bar : attention_bars(model))
        out = std::max(out, words.horizontalAdvance(bar.name) + 16 + provenance_width(bar.provenance, bold.capHeight()) + bold.horizontalAdvance(bytes_text(std::max(bar.bytes, bar.most))));
    return out + 2;
}

namespace {

/// A line about the row that is told of: sign, what is written out as far as there is room, word.
void write_told(QPainter& painter, const QRectF& line, double sign, const SummaryLine& told, const Theme& theme) {
    const QFont words = text_font(metrics::text), code = mono_font(metrics::text), bold = mono_font(metrics::text, QFont::Bold);
    QFont italic = words;
    italic.setItalic(true);
    write_line(painter, line, Qt::AlignLeft, told.sign, italic, theme.ink);
    QRectF rest = line.adjusted(sign, 0, 0, 0);
    const auto fits = [&](const QString& text, const QFont& font) { return TextMetrics(font).horizontalAdvance(text) <= rest.width() + 1; };
    const auto add = [&](const QString& text, const QFont& font, const QColor& colour) {
        if (!text.isEmpty()) rest.setLeft(rest.left() + write_line(painter, rest, Qt::AlignLeft, text, font, colour));
    };
    const bool whole = fits(told.before + told.now, bold);
    add(whole ? told.before : told.brief, code, theme.ink2);
    add(whole ? told.now : told.brief_now, bold, theme.ink);
    if (fits(told.after, code)) add(told.after, code, theme.ink2);
    rest.setLeft(rest.left() + 16);
    if (fits(told.word, words)) write_line(painter, rest, Qt::AlignRight, told.word, words, theme.ink2);
}

void paint_told(QPainter& painter, const AttentionPicture& p, const Theme& theme) {
    const AttentionGeometry& g = p.geometry;
    if (g.summary_lines.empty()) return;
    const QFont words = text_font(metrics::text);
    const bool brief = TextMetrics(words).horizontalAdvance(summary_title(p.model)) > g.summary_lines[0].width() + 1;
    write_line(painter, g.summary_lines[0], Qt::AlignLeft, summary_title(p.model, brief), words, theme.ink2);
    const std::vector<SummaryLine> lines = summary(p.model);
    for (std::size_t i = 0; i < lines.size() && i + 1 < g.summary_lines.size(); ++i) write_told(painter, g.summary_lines[i + 1], g.sign, lines[i], theme);
}

} // namespace

void paint_attention_summary(QPainter& painter, const AttentionPicture& p, const Theme& theme) {
    paint_told(painter, p, theme);
    const AttentionGeometry& g = p.geometry;
    const QFont words = text_font(metrics::text), bold = mono_font(metrics::text, QFont::Bold);
    if (g.bars.size() < 2) return;
    const std::vector<AttentionBar> bars = attention_bars(p.model);
    write_line(painter, g.bars_title, Qt::AlignLeft, bars_title(p.model), words, theme.ink2);
    const double most = static_cast<double>(std::max<std::int64_t>({1, bars[0].bytes, bars[1].bytes, bars[0].most, bars[1].most}));
    for (std::size_t i = 0; i < bars.size(); ++i) {
        const QRectF text(g.bars[i].left(), g.bars[i].top(), g.bars[i].width(), g.bars[i].height() / 2);
        write_line(painter, text, Qt::AlignLeft, bars[i].name, words, theme.ink);
        const QString value = bytes_text(bars[i].bytes);
        const double wide = TextMetrics(bold).horizontalAdvance(value), mark = provenance_width(bars[i].provenance, TextMetrics(bold).capHeight());
        write_marked(painter, QRectF(text.right() - wide - mark, text.top(), wide + mark + 2, text.height()), value, bars[i].provenance, bold, theme.ink);
        const QRectF bar(g.bars[i].left(), text.bottom() + 4, g.bars[i].width() * static_cast<double>(bars[i].bytes) / most, g.bars[i].height() / 2 - 12);
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.memory[3]);
        painter.drawRoundedRect(bar, 4, 4);
    }
}

} // namespace gradus
