#pragma once

#include "views/text/rich_layout.hpp"

namespace gradus {

/// What is never parted, measured: words of one style up to a space, a formula, a number, a key cap.
struct RichPiece {
    RichRun run;          ///< rect is at the origin: x from 0, y from the baseline
    double width = 0, ascent = 0, descent = 0;
    double after = 0;     ///< width of the space that follows it
    bool space_after = false;
};

/// Pieces with no space between them.
struct RichWord {
    std::vector<RichPiece> pieces;
    double width() const;
    double after() const { return pieces.back().space_after ? pieces.back().after : 0; }
};

/// The words of a paragraph. What is wider than `width` is cut into pieces that are not.
std::vector<RichWord> words_of(const RichBlock& block, const RichStyle& style, double width, const LiveNumbers& live);

/// The size of formulas between words of that size: STIX's small letters are lower than the words'.
int inline_pixels(const RichStyle& style);
int scaled(double pixels, const RichStyle& style);

} // namespace gradus
