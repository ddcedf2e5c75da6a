#include "views/theatre/sector_painter.hpp"

#include "views/theatre/theatre_words.hpp"
#include "views/theme/color_map.hpp"
#include "views/theme/words.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace gradus {

namespace {

using theatre_words::tr;

constexpr int sector_words = 8; // of 4 bytes
constexpr double overhang = 4; // pixels of a number on either side of its word: it is still read as that word's

/// Of the longest name, so that all of them are spelled out or none.
double spelled_width(const TextMetrics& fm) { return fm.horizontalAdvance(tr("lanes %1").arg(QStringLiteral("24–31"))); }

/// The lanes of a sector's words: each at its own where no two lie side by side, "16–23" where they do.
class SectorLanes {
public:
    SectorLanes(const SectorPicture::Line& line, int sector) : line_(line), first_(static_cast<std::size_t>(sector * sector_words)) {
        for (int i = 0; i + 1 < sector_words; ++i) beside_ = beside_ || (of(i) && of(i + 1));
    }
    std::uint32_t of(int word) const { return line_.lanes[first_ + static_cast<std::size_t>(word)]; }
    std::uint32_t all() const {
        std::uint32_t out = 0;
        for (int i = 0; i < sector_words; ++i) out |= of(i);
        return out;
    }
    bool beside() const { return beside_; }
    /// The first word that a lane wants, and the last.
    int first() const {
        int out = 0;
        while (out + 1 < sector_words && !of(out)) ++out;
        return out;
    }
    int last() const {
        int out = sector_words - 1;
        while (out > 0 && !of(out)) --out;
        return out;
    }
    /// Words that no lane wants between this one and the next that one does, or the sector's end.
    int room_after(int word) const {
        int out = 0;
        while (word + out + 1 < sector_words && !of(word + out + 1)) ++out;
        return out;
    }
    int room_before(int word) const {
        int out = 0;
        while (word - out > 0 && !of(word - out - 1)) ++out;
        return out;
    }
    /// How far at least its words are from one to the next, in words.
    int pitch() const {
        int out = sector_words;
        for (int i = 0; i + 1 < sector_words; ++i)
            if (of(i) && i + 1 + room_after(i) < sector_words) out = std::min(out, room_after(i) + 1);
        return out;
    }

private:
    const SectorPicture::Line& line_;
    std::size_t first_;
    bool beside_ = false;
};

/// One of them while it is painted.
class Sector {
public:
    /// `widest_number`: of all sectors of the picture, in pixels, so that all have theirs in the same place. `spells`: it may say "lanes 0–7".
    Sector(QPainter& painter, const TheatrePicture& picture, const TheatreGeometry::Sector& at, double widest_number, bool spells, const Theme& theme)
        : painter_(painter), p_(picture), theme_(theme), rect_(at.rect), lanes_(picture.model.sectors.lines[at.line], at.sector), all_(lanes_.all()), widest_number_(widest_number) {
        if (narrow_) inner_ = rect_.adjusted(border_ - 0.5, 0, -border_, 0);
        const bool few = numbers_.size() <= 5 && numbers_.contains(QStringLiteral("–")); // "24–31", not "16 lanes"
        spells_ = spells && few && p_.model.sectors.lines.size() == 1 && widest_spelled() + 12 <= rect_.width();
    }

    void paint() {
        painter_.setFont(font_);
        painter_.fillRect(rect_, theme_.surface);
        paint_grounds();
        painter_.setBrush(Qt::NoBrush);
        painter_.setPen(QPen(theme_.memory[3], border_));
        painter_.drawRect(rect_.adjusted(0.5, 0.5, -0.5, -0.5));
        for (int i = 0; high_ && i < sector_words; ++i)
            if (lanes_.of(i)) paint_word(i); // over the border, which the last of them may reach
        painter_.setPen(theme_.ink);
        if (!lanes_.beside() || !high_) return;
        if (singled(all_)) paint_parts();
        else paint_name();
    }

private:
    double word_width() const { return inner_.width() / sector_words; }
    double left_of(int word) const { return std::round(inner_.left() + word * word_width()); }
    /// Of the words [from, until).
    QRectF box(int from, int until) const { return {left_of(from), rect_.top(), left_of(until) - left_of(from), rect_.height()}; }
    bool marked(std::uint32_t lanes) const { return p_.model.lane >= 0 && (lanes >> p_.model.lane & 1); }
    bool singled(std::uint32_t lanes) const { return (lanes & p_.model.word_lanes) || marked(lanes); }
    QColor ground_of(std::uint32_t lanes) const {
        return lanes & p_.model.word_lanes ? theme_.data : marked(lanes) ? theme_.ink : narrow_ ? theme_.memory[3] : used_;
    }
    double widest_spelled() const { return spelled_width(fm_); }

    /// Words side by side as one: no seam tells them apart that means nothing.
    void paint_grounds() {
        for (int i = 0, until = 0; i < sector_words; i = until) {
            until = i + 1;
            if (!lanes_.of(i)) continue;
            const QColor ground = ground_of(lanes_.of(i));
            while (until < sector_words && lanes_.of(until) && ground_of(lanes_.of(until)) == ground) ++until;
            QRectF part = box(i, until);
            part.setWidth(std::max(part.width(), border_));
            painter_.fillRect(part, ground);
        }
    }

    void paint_word(int word) {
        const std::uint32_t lanes = lanes_.of(word);
        const QRectF own = box(word, word + 1);
        const double free = word < sector_words / 2 ? rect_.right() - own.right() : own.left() - rect_.left(); // beside the sector's one word they have room for their names
        if (spells_ && lanes == all_ && !singled(lanes) && widest_spelled() + 8 <= free) {
            painter_.setPen(theme_.ink);
            const bool after = word < sector_words / 2;
            const QRectF room(after ? own.right() + 4 : rect_.left() + 4, rect_.top(), free - 8, rect_.height());
            return draw_text(painter_, room, (after ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter, tr("lanes %1").arg(numbers_));
        }
        const QString number = served_text(lanes);
        const double wide = fm_.horizontalAdvance(number);
        const bool holds = wide + 2 <= own.width();
        if (lanes_.beside()) { // only the one that is singled out has its own, where the sector's name cannot stand
            painter_.setPen(theme_.surface);
            if (singled(lanes) && holds) draw_text(painter_, own, Qt::AlignCenter, number);
            return;
        }
        // All in the same place: on their words, else beside them on what nobody wants, or none.
        const auto put = [&](double left, const QColor& ink) {
            painter_.setPen(ink);
            draw_text(painter_, QRectF(left, own.top(), wide, own.height()), Qt::AlignVCenter | Qt::TextDontClip, number);
        };
        if (widest_number_ <= own.width() + 2 * overhang && widest_number_ + 6 <= lanes_.pitch() * word_width()) {
            const double least = rect_.left() - 1, most = std::max(least, rect_.right() + 1 - wide); // the border has the hue of the words
            if (!singled(lanes) || holds) put(std::clamp(own.center().x() - wide / 2, least, most), singled(lanes) ? theme_.surface : theme_.ink);
        } else if (widest_number_ + 4 <= lanes_.room_after(word) * word_width()) put(own.right() + 2, theme_.ink);
        else if (word == sector_words - 1 && widest_number_ + 4 <= lanes_.room_before(word) * word_width()) put(own.left() - 2 - wide, theme_.ink);
    }

    /// What lies on either side of the word that is singled out.
    void paint_parts() {
        for (int i = 0, until = 0; i < sector_words; i = std::max(until, i + 1)) {
            std::uint32_t part = 0;
            for (until = i; until < sector_words && lanes_.of(until) && ground_of(lanes_.of(until)) == used_; ++until) part |= lanes_.of(until);
            if (until == i) continue;
            if (const QString name = lanes_text(part); fm_.horizontalAdvance(name) + 4 <= box(i, until).width()) draw_text(painter_, box(i, until), Qt::AlignCenter, name);
        }
    }

    void paint_name() {
        const QString text = spells_ ? tr("lanes %1").arg(numbers_) : numbers_;
        if (fm_.horizontalAdvance(p_.sparse ? QStringLiteral("24–31") : text) + 6 > rect_.width()) return; // a class sees all of them or none
        const int first = lanes_.first();
        const QRectF asked(inner_.left() + first * word_width(), rect_.top(), (lanes_.last() + 1 - first) * word_width(), rect_.height());
        draw_text(painter_, fm_.horizontalAdvance(text) + 4 <= asked.width() ? asked : rect_, Qt::AlignCenter, text);
    }

    QPainter& painter_;
    const TheatrePicture& p_;
    const Theme& theme_;
    const QRectF rect_;
    const SectorLanes lanes_;
    const std::uint32_t all_;
    const double widest_number_;
    const QFont font_ = mono_font(metrics::small_text);
    const TextMetrics fm_{font_};
    const QColor used_ = asked_ground(theme_);
    const double border_ = p_.sparse ? 2 : 1;
    const bool narrow_ = rect_.width() < sector_words * 2 * border_; // a word would be no more than the border, which is to hide none
    QRectF inner_ = rect_;
    const bool high_ = rect_.height() >= fm_.capHeight() + 3;
    const QString numbers_ = lanes_text(all_);
    bool spells_ = false; ///< "lanes 0–7": a box's number is no element's, where there is room to say so
};

} // namespace

QColor asked_ground(const Theme& theme) { return under_ink(theme.memory[3], theme); }

QString served_text(std::uint32_t lanes) {
    return std::popcount(lanes) == 1 ? QString::number(std::countr_zero(lanes)) : QStringLiteral("×%1").arg(std::popcount(lanes));
}

void paint_asked_sectors(QPainter& painter, const TheatrePicture& p, const Theme& theme) {
    const QFont font = mono_font(metrics::small_text);
    const TextMetrics fm(font);
    double widest_number = 0;
    for (const SectorPicture::Line& line : p.model.sectors.lines)
        for (const std::uint32_t lanes : line.lanes)
            if (lanes) widest_number = std::max(widest_number, fm.horizontalAdvance(served_text(lanes)));
    // Where one name would leave what its lanes asked for, and stand on what is wasted, all are short.
    const bool spells = std::ranges::all_of(p.geometry.sectors, [&](const TheatreGeometry::Sector& at) {
        const SectorLanes lanes(p.model.sectors.lines[at.line], at.sector);
        if (!lanes.beside()) return true;
        const double short_name = fm.horizontalAdvance(lanes_text(lanes.all())), asked = at.rect.width() * (lanes.last() + 1 - lanes.first()) / sector_words;
        return spelled_width(fm) + 4 <= asked || short_name + 4 > asked;
    });
    for (const TheatreGeometry::Sector& at : p.geometry.sectors) {
        const SectorPicture::Line& line = p.model.sectors.lines[at.line];
        if (at.sector == 0 && p.geometry.gutter > 0) {
            const Selection first = selection_of(p.model.events->trace(), line.range, line.first);
            painter.setFont(font);
            painter.setPen(theme.ink2);
            const QRectF label(at.rect.left() - p.geometry.gutter + 4, at.rect.top(), p.geometry.gutter - 12, at.rect.height());
            draw_text(painter, label, Qt::AlignRight | Qt::AlignVCenter, fm.elidedText(word_words(first), Qt::ElideLeft, label.width()));
        }
        if (line.lanes_of(at.sector)) {
            Sector(painter, p, at, widest_number, spells, theme).paint();
            continue;
        }
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.fill);
        painter.drawRoundedRect(at.rect, 3, 3);
    }
}

} // namespace gradus
