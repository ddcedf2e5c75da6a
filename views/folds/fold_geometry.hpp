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
    double box = 40;     ///< least width of a matrix
    double between = 34; ///< width of what stands between two matrices
    double button = 60;  ///< width of the button
    int words = 1;       ///< most steps that stand one above the other between two matrices
    double data = 48;    ///< width of what goes in, and of what comes out
    double arrow = 14;   ///< least length of an arrow
    double count = 120;  ///< width of what is said beside the button
    double legend = 0;   ///< width of the legend of colours; 0: matrices have no picture
    double sentence = 32; ///< height of the sentence
    double folded = 60;  ///< width of the longest name of a folded matrix
    double said = 130;   ///< and of what is said about one
    double step_pad = 8; ///< of a step that stands between matrices: what its box and the air round it add to its line
    bool in_line = false;         ///< steps between two matrices stand one behind the other, not one above the other
    std::vector<double> steps = {}; ///< then so wide, by step of the chain
};

/// What is to be laid out besides the chain.
struct FoldWanted {
    const LegalFolds* folds = nullptr; ///< null while they are not asked for, or on the way
    bool covered = false;              ///< room is kept for what they come to, but nothing tells what that is
    bool own_colours = false;          ///< the folded matrices have a legend of their own
};

/// x enters from the left, matrices stand in a row, or in as many rows as there is no room beside, with what is between them, and
/// y leaves on the right. Under each row lies the band in which brackets join what folds, and under all a row like the first:
/// what is left. Where there is too little height, the sentence goes first, then that row, then what brackets say, then
/// all but the button and the count.
struct FoldGeometry {
    struct Place {
        std::size_t step = 0; ///< of the chain
        QRectF rect;
    };
    /// What flows: the output of a step, or what goes in.
    struct Arrow {
        QPointF from, to;
        std::ptrdiff_t step = -1; ///< -1: what goes in
    };
    /// A bracket, or its part in one row.
    struct Bracket {
        std::size_t group = 0;
        double left = 0, right = 0, top = 0, bottom = 0;
        bool opens = true, closes = true; ///< here, not in another row
        QRectF label = {};                ///< of the widest part alone; else null
    };
    /// The matrix that a group folds into.
    struct Folded {
        std::size_t group = 0;
        QRectF rect;
        QRectF words; ///< what is said about it, under it or beside it
    };
    QRectF button, count, legend, sentence; ///< the last two null where there is no room
    QRectF input, output;                   ///< null where there is no room
    std::vector<Place> boxes, words;
    std::vector<Arrow> arrows;
    std::vector<QRectF> bands; ///< one under each row
    std::vector<Bracket> brackets;
    int label_lines = 2;       ///< under a bracket
    QRectF result;             ///< the row of what is left, with its words; null where there is none
    std::vector<Folded> folded;
    std::vector<Place> kept;   ///< steps that parted the chain, in that row
    QRectF folded_input, folded_output, folded_legend;
    std::vector<Arrow> folded_arrows;
    bool falls = false;        ///< each folded matrix stands under its bracket
    bool beside = false;       ///< what is said about one stands at its right, under the arrow
    double name = 0;           ///< height of the strip with its name over the picture of a matrix; 0: no pictures
    double grow = 1;           ///< of what is written in and between the boxes: few matrices take the room there is

    /// What tells below the rows what is left; null where nothing does.
    QRectF told() const { return result.united(sentence); }
    /// The box or word under a point; null where there is none.
    const Place* at(QPointF point) const;
    /// The folded matrix under a point; null where there is none.
    const Folded* folded_at(QPointF point) const;
    /// Where the numbers of a matrix are shown; null where there is no room for them.
    QRectF picture(const QRectF& box) const { return name > 0 ? box.adjusted(0, name, 0, 0) : QRectF(); }
};

FoldGeometry lay_out_folds(const std::vector<ChainStep>& chain, const FoldWanted& wanted, const QRectF& area, const FoldSizes& sizes);

} // namespace gradus
