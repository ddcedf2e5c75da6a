#include "views/text/rich_layout.hpp"

#include "views/text/rich_words.hpp"
#include "views/theme/provenance_mark.hpp"
#include "views/theme/theme.hpp"
#include "views/theme/words.hpp"

#include <algorithm>
#include <cmath>

namespace gradus {

namespace {

constexpr double place_gap = 8; // above and below a control

/// Fills lines from the top down.
class Setter {
public:
    Setter(const RichStyle& style, double width, const LiveNumbers& live) : style_(style), live_(live) {
        out_.width = width;
    }

    void paragraph(const RichBlock& block) {
        std::vector<const RichWord*> line;
        double filled = 0;
        const std::vector<RichWord> words = words_of(block, style_, out_.width, live_);
        for (const RichWord& word : words) {
            const double space = line.empty() ? 0 : line.back()->after();
            if (!line.empty() && filled + space + word.width() > out_.width + 0.01) {
                end_line(line);
                line.clear();
                filled = 0;
            }
            filled += (line.empty() ? 0 : space) + word.width();
            line.push_back(&word);
        }
        if (!line.empty()) end_line(line);
    }

    void display(const RichSpan& span) {
        const int least = inline_pixels(style_);
        int pixels = scaled(style_.pixels * 1.47, style_);
        FormulaLayout layout = gradus::lay_out(span.formula, pixels, true, live_);
        while (layout.width > out_.width && pixels > least)
            layout = gradus::lay_out(span.formula, --pixels, true, live_);
        gap(4);
        if (layout.width <= out_.width || layout.breaks.empty()) {
            while (layout.width > out_.width && pixels > 11) // a matrix: smaller rather than cut
                layout = gradus::lay_out(span.formula, --pixels, true, live_);
            display_line(layout, std::max(0.0, (out_.width - layout.width) / 2));
        } else {
            const int count = static_cast<int>(layout.breaks.size());
            for (int from = -1; from < count;) {
                const double indent = from < 0 ? 0 : std::min(24 * style_.scale, out_.width / 8);
                const int to = layout.fill(from, out_.width - indent);
                display_line(layout.slice(from, to), indent);
                from = to;
            }
        }
        gap(4);
    }

    void gap(double pixels) { out_.height += pixels * style_.scale; }
    RichGeometry& out() { return out_; }

private:
    /// Room above and below the baseline: a line of words' own, or more where something is taller.
    void open_line(double ascent, double descent) {
        const double height = style_.line * style_.scale;
        const TextMetrics fm(text_font(scaled(style_.pixels, style_), style_.weight));
        const double own = std::round((height + fm.capHeight()) / 2);
        const double up = std::max(own, std::ceil(ascent + 1)), down = std::max(height - own, std::ceil(descent + 1));
        out_.lines.push_back({out_.height, out_.height + up, up + down, out_.runs.size()});
        out_.height += up + down;
    }

    void end_line(const std::vector<const RichWord*>& words) {
        double ascent = 0, descent = 0, width = 0;
        for (const RichWord* word : words) {
            width += word->width() + (word == words.back() ? 0 : word->after());
            for (const RichPiece& piece : word->pieces) {
                if (piece.run.kind != RichSpan::Kind::formula) continue; // words fit their line
                ascent = std::max(ascent, piece.ascent);
                descent = std::max(descent, piece.descent);
            }
        }
        open_line(ascent, descent);
        const RichLine& line = out_.lines.back();
        double x = style_.centred ? std::max(0.0, (out_.width - width) / 2) : 0;
        out_.natural = std::max(out_.natural, width);
        bool joins = false; // the run before may take these words in
        double space = 0;
        for (const RichWord* word : words) {
            for (const RichPiece& piece : word->pieces) {
                const bool text = piece.run.kind == RichSpan::Kind::text;
                RichRun* before = joins && text ? &out_.runs.back() : nullptr;
                x += space;
                if (before && before->font == piece.run.font) {
                    before->text += (space > 0 ? " " : "") + piece.run.text;
                    before->rect.setRight(x + piece.width);
                } else {
                    RichRun run = piece.run;
                    run.base += QPointF(x, line.baseline);
                    run.rect.translate(x, line.baseline);
                    if (text) run.rect = QRectF(x, line.top, piece.width, line.height);
                    out_.runs.push_back(std::move(run));
                }
                joins = text;
                x += piece.width;
                space = piece.space_after ? piece.after : 0;
            }
        }
    }

    void display_line(const FormulaLayout& layout, double x) {
        open_line(layout.ascent + 4, layout.descent + 4);
        RichRun run;
        run.kind = RichSpan::Kind::formula;
        run.base = QPointF(x, out_.lines.back().baseline);
        run.rect = QRectF(x, run.base.y() - layout.ascent, layout.width, layout.ascent + layout.descent);
        run.formula = std::make_shared<const FormulaLayout>(layout);
        out_.natural = std::max(out_.natural, layout.width);
        out_.runs.push_back(std::move(run));
    }

    const RichStyle& style_;
    const LiveNumbers& live_;
    RichGeometry out_;
};

} // namespace

RichGeometry lay_out(const RichText& text, const RichStyle& style, double width, const LiveNumbers& live,
                     const PlaceHeights& heights) {
    Setter setter(style, std::max(40.0, width), live);
    bool first = true;
    for (const RichBlock& block : text.blocks) {
        if (!first) setter.gap(style.paragraph);
        first = false;
        if (block.display) setter.display(block.spans[0]);
        else setter.paragraph(block);
        for (const QString& parameter : block.parameters) {
            const double height = heights ? heights(parameter) : 0;
            if (height <= 0) continue;
            setter.gap(place_gap);
            RichGeometry& out = setter.out();
            out.places.push_back({parameter, QRectF(0, out.height, out.width, height)});
            out.height += height;
        }
    }
    return std::move(setter.out());
}

bool refresh_numbers(RichGeometry& geometry, const LiveNumbers& live, QRectF& changed) {
    for (RichRun& run : geometry.runs) {
        if (run.kind == RichSpan::Kind::formula && run.formula->has_live) return false; // few, and small
        if (run.kind != RichSpan::Kind::live) continue;
        const auto number = live ? live(run.name) : std::nullopt;
        const QString& text = number ? number->text : nothing_yet;
        const Provenance provenance = number ? number->provenance : Provenance::computed;
        if (text == run.text && provenance == run.provenance) continue;
        const TextMetrics fm(run.font);
        const double width = fm.horizontalAdvance(text) + provenance_width(provenance, fm.capHeight());
        if (std::abs(width - run.rect.width()) > 0.5) return false;
        run.base.setX(run.rect.left() + provenance_width(provenance, fm.capHeight()));
        run.text = text;
        run.provenance = provenance;
        changed |= run.rect;
    }
    return true;
}

} // namespace gradus
