#pragma once

#include "engine/trace/derive/contributions.hpp"

#include <optional>

namespace gradus {

/// One element on the way back to where a number comes from.
struct WhyLink {
    std::string tensor;
    Role role = Role::activation;
    std::vector<Dim> element;
    double value = 0;
    StepIndex iteration = 0;
    std::int32_t ordinal = -1; ///< of the event that made it; -1: the iteration began with it
    std::string op, formula;   ///< of that event
    double part = 0;           ///< what it gave to the element before it in the chain
    double share = 1;          ///< |part| of all that the element before it was made from, 0 to 1
    std::size_t of = 1;        ///< how many it was made from
    std::string partner = {};  ///< of a product, the other factor
    std::vector<Dim> partner_element = {};
    double partner_value = 1;
};

/// Where a number comes from.
struct Why {
    /// What ended the walk.
    enum class End : std::uint8_t {
        began,     ///< the iteration began with it: data, a parameter, what an earlier update left
        edited,    ///< somebody set it before this iteration
        not_kept,  ///< its op or what it read is not kept
        unknown    ///< an op that has no rule, or a walk too long
    };
    std::vector<WhyLink> chain; ///< from the element that was asked for to where the walk ended
    std::size_t picked_of = 0;  ///< no element was named: how many the tensor has of which this is the largest, or the first that is not finite
    bool broken = false;        ///< it is about a NaN or an inf
    End end = End::unknown;
    /// Place in the chain of the element that an op made not finite of finite numbers, where there is one; what follows
    /// are the largest of those numbers.
    std::optional<std::size_t> origin;
    /// The first element of the iteration, in the order of execution, that is not finite; none where all are finite.
    std::optional<WhyLink> first;
    /// The walk ended at what the iteration began with, and what made that lies in this earlier one: where it is not finite,
    /// or where it was asked for as the iteration began with it.
    std::optional<StepIndex> earlier;
};

/// Walks back from an element of a tensor of an iteration to its largest contributor, from there to that one's, and so on; for
/// a NaN or an inf to the contributor that was not finite, as far as there is one, and then to the largest of the finite
/// ones. `run` holds the iteration in full, `origin` is the Run that was recorded. An empty element means element 0 of a
/// scalar; of a larger tensor the first that is not finite, else the largest.
/// Of a tensor that the iteration changes, `begun` means the numbers it began with, else those it left.
/// Throws ArgumentError where there is no such tensor or element.
Why why(const Run& run, const Run& origin, StepIndex iteration, std::string_view tensor, std::vector<Dim> element, bool begun = false);

/// The first element of an iteration that is not finite, in the order of execution: what it began with comes first.
std::optional<WhyLink> first_not_finite(const Run& run, StepIndex iteration);

} // namespace gradus
