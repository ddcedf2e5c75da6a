#pragma once

#include "views/text/formula_layout.hpp"
#include "views/text/rich_text.hpp"

#include <QFont>
#include <memory>
#include <vector>

namespace gradus {

/// How a text is set. Sizes are at scale 1.
struct RichStyle {
    int pixels = 15;       ///< of the words
    double line = 24;      ///< height of a line of words; one with a tall formula is taller
    double paragraph = 12; ///< between paragraphs
    double scale = 1;      ///< of everything
    QFont::Weight weight = QFont::Normal;
    bool centred = false;
    bool says_provenance = false; ///< of its live numbers, in words
    bool operator==(const RichStyle&) const = default;
};

/// Words of one style on one line, or one thing on it.
struct RichRun {
    RichSpan::Kind kind = RichSpan::Kind::text;
    QRectF rect;     ///< of the line's height for words; of the thing otherwise
    QPointF base;    ///< left end on the baseline, where the text itself begins
    QString text;    ///< as drawn
    bool goes_on = false; ///< of code: its next word is part of the same
    QString name;    ///< of a live number
    QFont font;
    Provenance provenance = Provenance::computed; ///< of a live number; its mark stands at rect.left()
    std::shared_ptr<const FormulaLayout> formula;
};

struct RichLine {
    double top = 0, baseline = 0, height = 0;
    std::size_t runs = 0;  ///< how many runs stand on the lines before
};

/// A place that is kept free under a paragraph for the control of a parameter.
struct RichPlace {
    QString parameter;
    QRectF rect;
};

/// A text with everything in its place. Painting, hover, screen readers and tests share it.
struct RichGeometry {
    double width = 0, height = 0;
    double natural = 0; ///< width of the longest line
    std::vector<RichRun> runs;
    std::vector<RichLine> lines;
    std::vector<RichPlace> places;
};

/// Height of the control of a parameter; 0 keeps no place.
using PlaceHeights = std::function<double(const QString& parameter)>;

/// Lays out a text in that width. Lines end at spaces only, so that a Korean word keeps its particle; a formula that
/// is wider than a line may also end before a relation or an operator, and a word that is wider is cut.
RichGeometry lay_out(const RichText& text, const RichStyle& style, double width, const LiveNumbers& live = {},
                     const PlaceHeights& heights = {});

/// Puts in the numbers of now. False if one of them needs another width, and the text must be laid out again;
/// `changed` becomes the area to be painted again.
bool refresh_numbers(RichGeometry& geometry, const LiveNumbers& live, QRectF& changed);

} // namespace gradus
