#pragma once

#include "views/folds/fold_picture.hpp"

#include <QPointF>
#include <QRectF>
#include <vector>

namespace gradus {

/// Sizes that follow from the font, in pixels.
struct FoldSizes {
    double line = 16;    ///< of a name
    double tall = 16;    ///< of a sentence: Korean is higher
    double box = 40;     ///< width of a matrix
    double between = 12; ///< least room between two of them: as wide as the widest word that stands there
    double button = 60;  ///< width of the button
    int words = 1;       ///< most words that stand one above the other between two matrices
};

/// Matrices in a row, or in as many rows as there is no room beside, what stands between them, and under each row the band in
/// which brackets join what folds. Where there is too little height, the sentence goes first, then what brackets say, then all
/// but the button and the count.
struct FoldGeometry {
    struct Place {
        std::size_t step = 0; ///< of the chain
        QRectF rect;
    };
    /// A bracket, or its part in one row.
    struct Bracket {
        std::size_t group = 0;
        double left = 0, right = 0, top = 0, bottom = 0;
        bool opens = true, closes = true; ///< here, not in another row
        QRectF label = {};                ///< of the widest part alone; else null
    };
    QRectF button, count, sentence; ///< the last null where there is no room
    std::vector<Place> boxes, words;
    std::vector<QRectF> bands;      ///< one under each row
    std::vector<Bracket> brackets;
    int label_lines = 2;
    double grow = 1; ///< of boxes and of what is written in and between them: few matrices take the room there is

    /// The box or word under a point; null where there is none.
    const Place* at(QPointF point) const;
};

/// `folds`: null while they are not asked for, or on the way.
FoldGeometry lay_out_folds(const std::vector<ChainStep>& chain, const LegalFolds* folds, const QRectF& area, const FoldSizes& sizes);

} // namespace gradus
