#pragma once

#include "views/state/view_item.hpp"

#include <vector>

namespace gradus {

/// A widget that paints things of its own and can name them. Screen readers and the keyboard find a widget's things
/// through this; a click at the middle of one is what choosing it means.
class HasItems {
public:
    virtual ~HasItems() = default;
    /// What is on screen now, in the order in which it is read.
    virtual std::vector<ViewItem> items() const { return {}; }
    /// The same as they may be read: a value that a prediction hides is not said.
    virtual std::vector<ViewItem> readable() const { return items(); }
};

} // namespace gradus
