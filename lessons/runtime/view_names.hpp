#pragma once

#include <string_view>
#include <vector>

namespace gradus {

/// A view as cards name it.
struct ViewName {
    std::string_view id, title;
};

/// Every view that a card can put on the stage. The window makes them; cards and the command line only name them.
const std::vector<ViewName>& view_names();

/// True for an id of view_names(), and for `series:` with names of series behind it.
bool is_view(std::string_view id);

} // namespace gradus
