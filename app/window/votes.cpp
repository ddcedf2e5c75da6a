#include "app/window/votes.hpp"

#include <algorithm>
#include <numeric>

namespace gradus {

int Vote::all() const { return std::accumulate(hands.begin(), hands.end(), 0); }
int Vote::most() const { return hands.empty() ? 0 : *std::max_element(hands.begin(), hands.end()); }

Vote& Votes::on(const QString& card, const QString& check, std::size_t choices) {
    Vote& vote = votes_[card + u'/' + check];
    vote.hands.resize(choices);
    return vote;
}

void Votes::count(Vote& vote, int choice, int by) {
    if (vote.closed || choice < 0 || choice >= static_cast<int>(vote.hands.size())) return;
    int& hands = vote.hands[static_cast<std::size_t>(choice)];
    hands = std::max(0, hands + by);
}

int Votes::present() const {
    int most = 0;
    for (const auto& [check, vote] : votes_) most = std::max(most, vote.all());
    return most;
}

} // namespace gradus
