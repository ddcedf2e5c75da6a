#pragma once

#include "views/folds/fold_picture.hpp"
#include "views/theme/theme.hpp"

#include <QImage>
#include <QPainter>

namespace gradus {

/// The numbers of the matrices as colours.
struct FoldImages {
    std::vector<QImage> weights; ///< per step of the chain; null where it is no matrix, or a large one
    std::vector<QImage> folded;  ///< per group
};
FoldImages fold_images(const FoldPicture& picture, const Theme& theme);

/// A matrix: its name over its numbers as an image, with the numbers themselves where cells have room for them; without an image
/// (`strip` 0, or a null one) the name alone. `stroke`: width of its outline.
struct FoldMatrixLook {
    QString name;
    QFont font;
    const QImage* image = nullptr;
    const Tensor* numbers = nullptr;
    double strip = 0, stroke = 1;
};
void paint_fold_matrix(QPainter& painter, const QRectF& box, const FoldMatrixLook& look, const Theme& theme);

/// The colours from −end to end, with both numbers; `clips`: there are numbers beyond them.
void paint_fold_legend(QPainter& painter, const QRectF& box, double end, bool clips, const Theme& theme);
/// How wide that is.
double fold_legend_width(double end, bool clips);

} // namespace gradus
