#pragma once

#include "engine/core/ids.hpp"
#include "engine/core/shape.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace gradus {

/// One change that somebody makes to a Run, applied between iterations and logged. A Run's manifest and its
/// edits give its computed values again, bit for bit.
struct Edit {
    enum class Kind : std::uint8_t {
        setting,   ///< a hyperparameter: lr = 0.05
        element,   ///< one entry of a parameter: W2[86, 7] = 3
        point,     ///< one data point: point 3 = 0.5, -1 (its class stays)
        breakpoint ///< stop at: break nan | break iteration 100 | break gradient_norm 10; with "off" behind it, no longer
    };
    Kind kind = Kind::setting;
    std::string target;       ///< "lr", "W2", "point", "iteration"
    std::vector<Dim> index;   ///< [86, 7]; the point's number
    std::vector<double> values; ///< the new number, or the point's coordinates
    std::string text_value;   ///< for settings that are words; "off" takes a breakpoint away

    /// Of a breakpoint: it is taken away.
    bool is_off() const { return kind == Kind::breakpoint && text_value == "off"; }

    /// As it is written and read: "W2[86, 7] = 3".
    std::string text() const;
    /// Throws ArgumentError with the grammar in a sentence.
    static Edit parse(std::string_view text);

    /// The same change: a NaN is one, like any other number.
    bool operator==(const Edit& other) const;
};

/// A breakpoint joins those there are, or takes its like away. False where there was nothing to take.
bool change_breakpoints(std::vector<Edit>& breakpoints, const Edit& edit);

/// An edit with the iteration before which it took effect.
struct LoggedEdit {
    StepIndex iteration = 0;
    Edit edit;
};

} // namespace gradus
