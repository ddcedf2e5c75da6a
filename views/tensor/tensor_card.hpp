#pragma once

#include "views/tensor/tensor_scene.hpp"
#include "views/theme/words.hpp"

#include <QPainter>
#include <QString>
#include <vector>

namespace gradus {

/// What is said of one element.
struct ElementCard {
    QString place;   ///< "[138, 6]"
    QString value;   ///< three significant digits; "✕ NaN"
    QString digits;  ///< all that identify it
    QString formula; ///< with its indices where they are known: "Σₙ a₁[n, 138] · ∂z₂[n, 6]"
    QString numbers; ///< the same with numbers: "max(0, −0.123)"; of a sum its terms say them
    QString total;   ///< what the terms add up to, where that is not the value yet: "1.03 → 0.257"
    std::vector<std::string> sources; ///< the tensors that it was made from
    QString maker;   ///< "matmul, step 412, fp32"
    bool typed = false; ///< a person set the element: nothing computed it
    QString heading; ///< of the terms: "largest of 64 terms"; without terms: "local derivative 0.91"
    std::vector<QString> terms;
    std::vector<QString> products; ///< the same without their places: "0.71 · (−0.031)"
    QString remaining;      ///< "… (784 terms)": stands for those that are left out
    bool all_terms = false; ///< there are no more
    bool finite = true;
};

/// Reads the operands of a sum; a few microseconds for a thousand terms.
ElementCard card_of(const TensorModel& model, const std::vector<Dim>& index);

/// A sum in one line, its largest terms with their numbers, as many as there is room for and three at most, or all four:
/// "0.71 · (−0.031) + 0.4 · 0.05 + … (784 terms) = 0.0121". Empty for what is no sum, and in too little room for one.
QString sum_line(const ElementCard& card, double width, const TextMetrics& fm);

/// The card in its place, as many lines of it as there is room for; without a card one quiet hint.
void paint_card(QPainter& painter, const TensorScene& scene, const ElementCard* card);

} // namespace gradus
