#include "app/window/history.hpp"

#include <utility>

namespace gradus {

void History::remember(const Moment& before, const char* kind, bool joins) {
    future_.clear();
    const bool same = joins && kind_ == kind;
    kind_ = kind;
    if (same) return;
    if (past_.size() == most) past_.erase(past_.begin());
    past_.push_back({before, kind});
}

std::optional<Moment> History::undo(const Moment& now) {
    if (past_.empty()) return std::nullopt;
    Step before = std::move(past_.back());
    past_.pop_back();
    future_.push_back({now, before.kind});
    kind_ = nullptr;
    moved_ = before.kind;
    return std::move(before.moment);
}

std::optional<Moment> History::redo(const Moment& now) {
    if (future_.empty()) return std::nullopt;
    Step after = std::move(future_.back());
    future_.pop_back();
    past_.push_back({now, after.kind});
    kind_ = nullptr;
    moved_ = after.kind;
    return std::move(after.moment);
}

} // namespace gradus
