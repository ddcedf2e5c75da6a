#include "app/window/history.hpp"

#include <utility>

namespace gradus {

void History::remember(const Moment& before, const char* kind, bool joins) {
    future_.clear();
    const bool same = joins && kind_ == kind;
    kind_ = kind;
    if (same) return;
    if (past_.size() == most) past_.erase(past_.begin());
    past_.push_back(before);
}

std::optional<Moment> History::undo(const Moment& now) {
    if (past_.empty()) return std::nullopt;
    future_.push_back(now);
    Moment before = std::move(past_.back());
    past_.pop_back();
    kind_ = nullptr;
    return before;
}

std::optional<Moment> History::redo(const Moment& now) {
    if (future_.empty()) return std::nullopt;
    past_.push_back(now);
    Moment after = std::move(future_.back());
    future_.pop_back();
    kind_ = nullptr;
    return after;
}

} // namespace gradus
