#pragma once

#include "engine/trace/derive/why.hpp"

#include <QString>
#include <optional>
#include <vector>

namespace gradus {

/// The answer to a question about one number, as far as it is there: a chain through one iteration or several.
struct WhyStory {
    std::vector<WhyLink> chain;
    std::size_t picked_of = 0; ///< no element was named: of so many the first link is the largest, or the first that is not finite
    bool broken = false;
    Why::End end = Why::End::unknown;
    std::optional<std::size_t> origin; ///< in the chain
    std::optional<WhyLink> first;      ///< of the iteration in which it broke: the first that is not finite
    StepIndex computing = -1;          ///< the iteration that is waited for; -1: it is all there
    QString refusal;                   ///< why there is no answer
};

/// One line of the panel: a link, in words.
struct WhyLine {
    QString name;   ///< "p[17, 9]"
    QString value;  ///< "0.00031", "✕ NaN"
    QString how;    ///< "softmax_cross_entropy: 12 % of 64 parts"
    QString step;   ///< "step 41" where that differs from the line before
    Role role = Role::activation;
    bool fault = false; ///< here the machine broke
};

/// The chain in words, first to last.
std::vector<WhyLine> why_lines(const WhyStory& story);
/// "Why is loss 2.31?"
QString why_title(const WhyStory& story);
/// What ended the walk, in a sentence.
QString why_end(const WhyStory& story);

} // namespace gradus
