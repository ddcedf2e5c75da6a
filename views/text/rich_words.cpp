#include "views/text/rich_words.hpp"

#include "views/theme/provenance_mark.hpp"
#include "views/theme/theme.hpp"
#include "views/theme/words.hpp"

#include <QRegularExpression>
#include <algorithm>
#include <cmath>

namespace gradus {

namespace {

constexpr double key_side = 6, code_side = 4; // pixels inside a key cap and a stretch of code
constexpr double joined_side = 1.5;           // pixels inside a stretch of code where it goes on without a space: more would be read as one

QFont font_of(const RichSpan& span, const RichStyle& style) {
    if (span.kind == RichSpan::Kind::code && has_hangul(span.text)) return text_font(scaled(style.pixels - 1, style)); // no width fits both
    switch (span.kind) {
    case RichSpan::Kind::code: return mono_font(scaled(style.pixels - 1.5, style));
    case RichSpan::Kind::key: return mono_font(scaled(style.pixels - 2.5, style), QFont::Medium);
    case RichSpan::Kind::live: return mono_font(scaled(style.pixels - 1, style), QFont::DemiBold);
    default: break;
    }
    QFont font = text_font(scaled(style.pixels, style), span.bold ? std::max(style.weight, QFont::DemiBold) : style.weight);
    font.setItalic(span.italic);
    return font;
}

RichPiece text_piece(const QString& text, const RichSpan& span, const QFont& font, const TextMetrics& fm) {
    RichPiece piece;
    piece.run.kind = span.kind;
    piece.run.text = text;
    piece.run.font = font;
    piece.ascent = fm.ascent();
    piece.descent = fm.descent();
    const double side = span.kind == RichSpan::Kind::key ? key_side : span.kind == RichSpan::Kind::code ? code_side : 0;
    piece.width = fm.horizontalAdvance(text) + 2 * side;
    if (span.kind == RichSpan::Kind::key) piece.width = std::max(piece.width, fm.height() + 2); // square for one letter
    piece.run.base = QPointF((piece.width - fm.horizontalAdvance(text)) / 2, 0);
    piece.run.rect = QRectF(0, -piece.ascent, piece.width, piece.ascent + piece.descent);
    return piece;
}

RichPiece live_piece(const RichSpan& span, const RichStyle& style, const LiveNumbers& live) {
    const auto number = live ? live(span.text) : std::nullopt;
    const QFont font = number && has_hangul(number->text) ? text_font(scaled(style.pixels - 1, style), QFont::DemiBold) : font_of(span, style); // as in code
    const TextMetrics fm(font);
    RichPiece piece = text_piece(number ? number->text : nothing_yet, span, font, fm);
    piece.run.name = span.text;
    piece.run.provenance = number ? number->provenance : Provenance::computed;
    const double mark = provenance_width(piece.run.provenance, fm.capHeight());
    piece.run.base.rx() += mark;
    piece.width += mark;
    piece.run.rect.setWidth(piece.width);
    return piece;
}

/// A paragraph with the provenance of its live numbers in words, where the sentence of the last one ends: "… at the end
/// (computed). …"
std::vector<RichSpan> with_provenance(std::vector<RichSpan> spans, const LiveNumbers& live) {
    QStringList words;
    std::size_t last = 0;
    for (std::size_t i = 0; i < spans.size(); ++i) {
        if (spans[i].kind != RichSpan::Kind::live || spans[i].text.startsWith(QLatin1String("parameter:"))) continue; // that is chosen
        last = i;
        const auto number = live ? live(spans[i].text) : std::nullopt;
        if (number && !words.contains(provenance_word(number->provenance))) words << provenance_word(number->provenance);
    }
    if (words.isEmpty()) return spans;
    const QString said = QStringLiteral(" (%1)").arg(words.join(QStringLiteral(", ")));
    static const QRegularExpression end(QStringLiteral(R"([.?!。](\s|$))"));
    for (std::size_t i = last + 1; i < spans.size(); ++i) {
        if (spans[i].kind != RichSpan::Kind::text) continue;
        if (const qsizetype at = spans[i].text.indexOf(end); at >= 0) {
            spans[i].text.insert(at, said);
            return spans;
        }
    }
    spans.emplace_back().text = said;
    return spans;
}

RichPiece formula_piece(FormulaLayout layout) {
    RichPiece piece;
    piece.run.kind = RichSpan::Kind::formula;
    piece.width = layout.width + layout.italic;
    piece.ascent = layout.ascent;
    piece.descent = layout.descent;
    piece.run.rect = QRectF(0, -layout.ascent, piece.width, layout.ascent + layout.descent);
    piece.run.formula = std::make_shared<const FormulaLayout>(std::move(layout));
    return piece;
}

std::vector<RichPiece> formula_pieces(const RichSpan& span, const RichStyle& style, double width, const LiveNumbers& live) {
    const FormulaLayout whole = lay_out(span.formula, inline_pixels(style), false, live);
    if (whole.width <= width || whole.breaks.empty()) return {formula_piece(whole)};
    std::vector<RichPiece> pieces;
    const int count = static_cast<int>(whole.breaks.size());
    for (int from = -1; from < count;) {
        const int to = whole.fill(from, width);
        pieces.push_back(formula_piece(whole.slice(from, to)));
        from = to;
    }
    return pieces;
}

qsizetype end_of_word(const QString& text, qsizetype from) {
    const qsizetype end = text.indexOf(' ', from);
    return end < 0 ? text.size() : end;
}

/// Whether the words on both sides of a space stay on one line.
bool keeps_space(const QString& text, qsizetype space) {
    const qsizetype before = space > 0 ? text.lastIndexOf(' ', space - 1) + 1 : 0;
    return belongs_together(QStringView(text).mid(before, space - before), QStringView(text).mid(space + 1, end_of_word(text, space + 1) - space - 1));
}

/// Cuts a word that is wider than a line where it must.
void push_cut(std::vector<RichWord>& words, const QString& text, const RichSpan& span, const QFont& font,
              const TextMetrics& fm, double width) {
    qsizetype from = 0;
    while (from < text.size()) {
        qsizetype count = 1;
        while (from + count < text.size() && fm.horizontalAdvance(text.mid(from, count + 1)) <= width - 2 * key_side) ++count;
        if (from > 0) words.push_back({});
        words.back().pieces.push_back(text_piece(text.mid(from, count), span, font, fm));
        from += count;
    }
}

/// A particle or a full stop stands close to the code before it, and code to the bracket before it.
void join_code(RichWord& word) {
    for (std::size_t i = 0; i < word.pieces.size(); ++i) {
        RichPiece& piece = word.pieces[i];
        if (piece.run.kind != RichSpan::Kind::code) continue;
        const double before = i > 0 ? code_side - joined_side : 0, after = i + 1 < word.pieces.size() ? code_side - joined_side : 0;
        piece.width -= before + after;
        piece.run.base.rx() -= before;
        piece.run.rect.setWidth(piece.width);
    }
}

} // namespace

int scaled(double pixels, const RichStyle& style) {
    return std::max(metrics::small_text, static_cast<int>(std::lround(pixels * style.scale)));
}

int inline_pixels(const RichStyle& style) { return scaled(style.pixels * 1.16, style); }

double RichWord::width() const {
    double sum = 0;
    for (const RichPiece& piece : pieces) sum += piece.width;
    return sum;
}

std::vector<RichWord> words_of(const RichBlock& block, const RichStyle& style, double width, const LiveNumbers& live) {
    std::vector<RichWord> words(1);
    const auto end_word = [&](double space) {
        if (words.back().pieces.empty()) return;
        words.back().pieces.back().space_after = true;
        words.back().pieces.back().after = space;
        words.push_back({});
    };
    std::vector<RichSpan> told;
    if (style.says_provenance) told = with_provenance(block.spans, live);
    for (const RichSpan& span : style.says_provenance ? told : block.spans) {
        if (span.kind == RichSpan::Kind::formula) {
            bool first = true;
            for (RichPiece& piece : formula_pieces(span, style, width, live)) {
                if (!first) words.push_back({});
                words.back().pieces.push_back(std::move(piece));
                first = false;
            }
            continue;
        }
        if (span.kind == RichSpan::Kind::live) {
            words.back().pieces.push_back(live_piece(span, style, live));
            continue;
        }
        const QFont font = font_of(span, style);
        const TextMetrics fm(font);
        const double space = fm.horizontalAdvance(QStringLiteral(" "));
        const bool whole = span.kind == RichSpan::Kind::key ||
                           (span.kind == RichSpan::Kind::code && fm.horizontalAdvance(span.text) <= 0.62 * width); // `f + g`
        if (whole) {
            words.back().pieces.push_back(text_piece(span.text, span, font, fm));
            continue;
        }
        qsizetype from = 0;
        while (from <= span.text.size()) {
            qsizetype end = end_of_word(span.text, from);
            while (end < span.text.size() && keeps_space(span.text, end) && fm.horizontalAdvance(span.text.mid(from, end_of_word(span.text, end + 1) - from)) <= width)
                end = end_of_word(span.text, end + 1);
            const QString text = span.text.mid(from, end - from);
            if (!text.isEmpty()) {
                RichPiece piece = text_piece(text, span, font, fm);
                if (piece.width <= width) words.back().pieces.push_back(std::move(piece));
                else push_cut(words, text, span, font, fm, width);
            }
            if (end < span.text.size()) {
                if (span.kind == RichSpan::Kind::code && !words.back().pieces.empty()) words.back().pieces.back().run.goes_on = true;
                end_word(span.kind == RichSpan::Kind::code ? std::max(0.0, space - 2 * code_side) : space); // both sides of that space are its own
            }
            from = end + 1;
        }
    }
    if (words.back().pieces.empty()) words.pop_back();
    for (RichWord& word : words) join_code(word);
    return words;
}

} // namespace gradus
