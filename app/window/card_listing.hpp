#pragma once

#include "views/state/listing.hpp"

#include <memory>

namespace gradus {

struct Card;

/// A card's program as a view takes it; null where it has none.
std::shared_ptr<const Listing> listing_of(const Card& card);

} // namespace gradus
