// Where a step's lanes fall: sectors of global memory, banks of shared memory.
#include "views/theatre/sector_painter.hpp"
#include "views/theatre/theatre_painter.hpp"
#include "views/theatre/theatre_words.hpp"
#include "views/theme/color_map.hpp"
#include "views/theme/paragraph.hpp"
#include "views/theme/provenance_mark.hpp"
#include "views/theme/words.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace gradus {

namespace {

constexpr double low_turn = 7;   // pixels
constexpr int class_number = 17; // pixels, which a class sees about twice as large

using theatre_words::tr;

/// Bold what it costs, after it what would do, at the right. Returns how much is left of the box.
double paint_cost(QPainter& painter, const TheatreModel& model, const QRectF& box, int type, const Theme& theme) {
    const QFont bold = mono_font(type, QFont::Bold), plain = mono_font(type);
    const QString cost = transfers_words(model, model.transfers()), ideal = tr(", ideal %1").arg(model.ideal());
    const double wide = TextMetrics(plain).horizontalAdvance(ideal), cost_wide = TextMetrics(bold).horizontalAdvance(cost);
    const double base = box.center().y() + TextMetrics(bold).capHeight() / 2, height = std::round(TextMetrics(bold).capHeight());
    double x = box.right() - wide;
    painter.setFont(plain);
    painter.setPen(theme.ink2);
    draw_text(painter, QPointF(x, base), ideal);
    x -= cost_wide;
    painter.setFont(bold);
    painter.setPen(theme.ink);
    draw_text(painter, QPointF(x, base), cost);
    x -= provenance_width(Provenance::counted, height);
    paint_provenance(painter, {x, base}, Provenance::counted, height, theme.ink);
    return x - box.left();
}

void paint_sectors(QPainter& painter, const TheatrePicture& p, const Theme& theme) {
    if (p.sparse && !p.geometry.more.isNull()) {
        painter.setFont(text_font(class_number));
        painter.setPen(theme.ink2);
        draw_text(painter, p.geometry.more, Qt::AlignLeft | Qt::AlignVCenter, tr("and %1 lines more of 128 bytes").arg(p.geometry.lines_left_out));
    }
    paint_asked_sectors(painter, p, theme);
}

/// What the two shades of a sector stand for, and how many bytes each is: for a class, in place of a sentence. Left out where the cost, which
/// stands at the right, leaves no room.
void paint_shares(QPainter& painter, const TheatreModel& model, const QRectF& box, double room, const Theme& theme) {
    const QColor far = theme.memory[3], used = asked_ground(theme);
    const int asked = model.sectors.bytes_asked, moved = model.sectors.bytes_moved;
    std::vector<std::pair<QString, QColor>> parts;
    if (asked > moved) parts.emplace_back(tr("%1 B asked for, %2 B moved").arg(asked).arg(moved), used); // lanes share words
    else parts.emplace_back(tr("%1 of %2 B asked for").arg(asked).arg(moved), used);
    if (moved > asked) parts.emplace_back(tr("%1 B for nothing").arg(moved - asked), theme.surface);
    constexpr double swatch = 12;
    const auto wide = [&](const QFont& font) {
        double out = 0;
        for (const auto& [words, colour] : parts) out += swatch + 6 + TextMetrics(font).horizontalAdvance(words) + 16;
        return out;
    };
    QFont font = text_font(class_number);
    if (wide(font) > room) font = text_font(metrics::text);
    if (wide(font) > room) return;
    const TextMetrics fm(font);
    double x = box.left();
    const double base = box.center().y() + fm.capHeight() / 2;
    for (const auto& [words, colour] : parts) {
        painter.setPen(QPen(far, 1));
        painter.setBrush(colour);
        painter.drawRect(QRectF(x + 0.5, box.center().y() - swatch / 2, swatch, swatch));
        painter.setFont(font);
        painter.setPen(theme.ink);
        draw_text(painter, QPointF(x + swatch + 6, base), words);
        x += swatch + 6 + fm.horizontalAdvance(words) + 16;
    }
}

/// What a class sees there, in one line; left out where the cost leaves no room.
void paint_key(QPainter& painter, const QString& words, const QRectF& box, double room, const Theme& theme) {
    QFont font = text_font(class_number);
    if (TextMetrics(font).horizontalAdvance(words) > room) font = text_font(metrics::text);
    if (TextMetrics(font).horizontalAdvance(words) > room) return;
    painter.setFont(font);
    painter.setPen(theme.ink2);
    draw_text(painter, QRectF(box.left(), box.top(), room, box.height()), Qt::AlignLeft | Qt::AlignVCenter, words);
}

/// The different words that a bank is asked for, each with the lanes it serves.
std::vector<std::uint32_t> words_of(const BankPicture& banks, int bank) {
    std::vector<std::uint32_t> out;
    for (const BankPicture::Turn& turn : banks.turns)
        if (const std::uint32_t lanes = turn[static_cast<std::size_t>(bank)].lanes) out.push_back(lanes);
    return out;
}

/// In each bank the lane that it serves; where it is asked for several words, how many: full ink, for that is what costs.
void paint_class_banks(QPainter& painter, const TheatrePicture& p, const Theme& theme) {
    const std::vector<QRectF>& banks = p.geometry.class_banks;
    const QColor near = theme.memory[1], used = mixed(theme.surface, near, theme.mode == ThemeMode::light ? 0.18 : 0.3);
    const auto most = static_cast<int>(std::min(banks.front().height() * 0.7, banks.front().width() / 2));
    if (most < 4) return;
    const int size = std::min(class_number, most);
    painter.setFont(mono_font(metrics::small_text));
    painter.setPen(theme.ink2);
    for (int bank = 0; bank < 32 && p.geometry.gutter > 0; bank += 16) { // the first of each row
        const QRectF& first = banks[static_cast<std::size_t>(bank)];
        draw_text(painter, QRectF(first.left() - p.geometry.gutter, first.top(), p.geometry.gutter - 8, first.height()), Qt::AlignRight | Qt::AlignVCenter | Qt::TextDontClip, tr("bank %1").arg(bank));
    }
    for (int bank = 0; bank < 32; ++bank) {
        const QRectF box = banks[static_cast<std::size_t>(bank)].adjusted(1, 1, -1, -1);
        const std::vector<std::uint32_t> words = words_of(p.model.banks, bank);
        if (words.empty()) {
            painter.setBrush(Qt::NoBrush);
            painter.setPen(QPen(near, 1));
            painter.drawRect(box);
            continue;
        }
        const bool here = std::ranges::any_of(words, [&](std::uint32_t lanes) { return p.model.lane >= 0 && (lanes >> p.model.lane & 1); });
        const bool queues = words.size() > 1, dark = here || queues;
        painter.setBrush(dark ? theme.ink : used);
        painter.setPen(QPen(near, 2));
        painter.drawRect(box);
        if (size < metrics::small_text) continue; // all of them or none
        painter.setFont(mono_font(size, queues ? QFont::Bold : QFont::Medium));
        painter.setPen(dark ? theme.surface : theme.ink);
        draw_text(painter, box, Qt::AlignCenter | Qt::TextDontClip, queues ? QString::number(words.size()) : served_text(words.front()));
    }
}

void paint_banks(QPainter& painter, const TheatrePicture& p, const Theme& theme) {
    const TheatreGeometry& g = p.geometry;
    const QColor near = theme.memory[1], used = mixed(theme.surface, near, theme.mode == ThemeMode::light ? 0.18 : 0.3);
    const QFont font = mono_font(metrics::small_text), bold = mono_font(metrics::small_text, QFont::Bold);
    const TextMetrics fm(font);
    const int busiest = p.model.banks.turns.size() > static_cast<std::size_t>(p.model.banks.ideal) ? p.model.banks.busiest() : -1;
    const bool all = fm.horizontalAdvance(QStringLiteral("31 ")) <= g.bank;
    const double head = g.banks.top() - fm.height() - 2;
    for (int bank = 0; g.bank_numbers && bank < 32; ++bank) {
        if (!all && bank % 8 && bank != busiest) continue;
        painter.setFont(bank == busiest ? bold : font);
        painter.setPen(bank == busiest ? theme.ink : theme.ink2);
        draw_text(painter, QRectF(g.banks.left() + bank * g.bank, head, g.bank, fm.height()), Qt::AlignCenter | Qt::TextDontClip, QString::number(bank));
    }
    painter.setFont(text_font(metrics::small_text));
    painter.setPen(theme.ink2);
    if (g.bank_numbers) draw_text(painter, QRectF(g.memory.left(), head, g.banks.left() - g.memory.left() - 8, fm.height()), Qt::AlignRight | Qt::AlignVCenter | Qt::TextDontClip, tr("bank"));
    const double inset = g.turn >= 14 && g.bank >= 10 ? 1.5 : 0.5;
    for (std::size_t turn = 0; turn < g.turns; ++turn) {
        const QRectF first = g.word_rect(turn, 0);
        if (g.turn >= fm.height() - 4 || turn % 2 == 0) {
            painter.setFont(font);
            painter.setPen(theme.ink2);
            const QString label = turn == 0 ? tr("turn 1") : QString::number(turn + 1);
            draw_text(painter, QRectF(g.memory.left(), first.top(), g.banks.left() - g.memory.left() - 8, g.turn), Qt::AlignRight | Qt::AlignVCenter | Qt::TextDontClip, label);
        }
        for (int bank = 0; bank < 32; ++bank) {
            const BankPicture::Word& word = p.model.banks.turns[turn][static_cast<std::size_t>(bank)];
            const QRectF box = g.word_rect(turn, bank).adjusted(inset, inset, -inset, -inset);
            if (g.turn < low_turn) { // no room for a border round each
                painter.fillRect(g.word_rect(turn, bank).adjusted(0.5, 0.25, -0.5, -0.25), word.lanes ? near : theme.fill);
                continue;
            }
            if (!word.lanes) {
                painter.fillRect(box, theme.fill);
                continue;
            }
            const bool here = p.model.lane >= 0 && (word.lanes >> p.model.lane & 1);
            painter.setBrush(here ? theme.ink : used);
            painter.setPen(QPen(near, 1));
            painter.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5));
            const QString text = served_text(word.lanes);
            if (box.height() < fm.height() - 4 || fm.horizontalAdvance(text) > box.width()) continue;
            painter.setFont(font);
            painter.setPen(here ? theme.surface : theme.ink);
            draw_text(painter, box, Qt::AlignCenter | Qt::TextDontClip, text);
        }
    }
}

} // namespace

void paint_memory(QPainter& painter, const TheatrePicture& p, const Theme& theme) {
    const TheatreGeometry& g = p.geometry;
    if ((g.memory.isNull() && g.memory_head.isNull()) || p.model.space > simt::Space::shared) return;
    const bool shared = p.model.space == simt::Space::shared;
    if (!g.memory_head.isNull()) {
        const QFont bold = text_font(metrics::text - 1, QFont::DemiBold);
        const TextMetrics fm(bold);
        painter.fillRect(QRectF(g.memory_head.left(), g.memory_head.center().y() - 6, 4, 12), theme.memory[shared ? 1 : 3]);
        const QString head = (shared ? tr("Shared memory: %1, line %2") : tr("Global memory: %1, line %2")).arg(p.model.buffer).arg(p.model.line);
        const double room = paint_cost(painter, p.model, g.memory_head, metrics::text - 1, theme) - 18;
        painter.setFont(bold);
        painter.setPen(theme.ink2);
        draw_text(painter, QRectF(g.memory_head.left() + 10, g.memory_head.top(), std::max(0.0, room), g.memory_head.height()), Qt::AlignLeft | Qt::AlignVCenter, fm.elidedText(head, Qt::ElideRight, std::max(0.0, room)));
    }
    if (g.memory.isNull()) return;
    if (!shared) paint_sectors(painter, p, theme);
    else if (p.sparse && !g.class_banks.empty()) paint_class_banks(painter, p, theme);
    else if (!p.sparse && g.turns) paint_banks(painter, p, theme);
    if (p.sparse) {
        const double room = paint_cost(painter, p.model, g.memory_foot, class_number, theme);
        if (const TheatreFinding* finding = p.secret ? nullptr : p.model.found_here()) {
            painter.setFont(text_font(class_number, QFont::Bold));
            painter.setPen(theme.fault);
            draw_text(painter, QRectF(g.memory_foot.left(), g.memory_foot.top(), room, g.memory_foot.height()), Qt::AlignLeft | Qt::AlignVCenter, class_words(*finding, painter.font(), room));
        } else if (p.model.stand.count(LaneState::active) < std::popcount(p.model.block->lanes_of(p.model.warp))) {
            painter.setFont(text_font(class_number));
            painter.setPen(theme.ink);
            draw_text(painter, QRectF(g.memory_foot.left(), g.memory_foot.top(), room, g.memory_foot.height()), Qt::AlignLeft | Qt::AlignVCenter, lanes_words(p.model));
        } else if (!shared) {
            paint_shares(painter, p.model, g.memory_foot, room, theme);
        } else {
            const bool queues = p.model.banks.turns.size() > static_cast<std::size_t>(p.model.banks.ideal);
            paint_key(painter, queues ? tr("Filled: different words of one bank") : tr("32 banks, and the lanes they serve"), g.memory_foot, room, theme);
        }
        return;
    }
    const std::size_t left_out = shared ? p.model.banks.turns.size() - g.turns : g.lines_left_out;
    const QString left_words = !left_out ? QString()
        : shared ? tr("Turns of the banks that have no room here: %1.").arg(left_out)
                 : tr("Lines of 128 bytes that have no room here: %1.").arg(left_out);
    if (!g.more.isNull()) {
        painter.setFont(text_font(metrics::small_text));
        painter.setPen(theme.ink2);
        draw_text(painter, g.more, Qt::AlignLeft | Qt::AlignVCenter, TextMetrics(painter.font()).elidedText(left_words, Qt::ElideRight, g.more.width()));
    }
    if (g.memory_foot.height() < 1) return;
    painter.setFont(text_font(metrics::text));
    painter.setPen(theme.ink);
    QString words = memory_words(p.model);
    if (left_out) words += QStringLiteral(" ") + left_words;
    draw_paragraph(painter, g.memory_foot, Qt::AlignLeft | Qt::AlignTop, words);
}

} // namespace gradus
