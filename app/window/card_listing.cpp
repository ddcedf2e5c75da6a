#include "app/window/card_listing.hpp"

#include "lessons/runtime/card.hpp"

namespace gradus {

std::shared_ptr<const Listing> listing_of(const Card& card) {
    if (card.listing.empty()) return nullptr;
    auto out = std::make_shared<Listing>();
    for (const ListingLine& line : card.listing)
        out->lines.push_back({QString::fromStdString(line.code), line.at, line.without,
                              {QString::fromStdString(line.note.en), QString::fromStdString(line.note.ko)}});
    return out;
}

} // namespace gradus
