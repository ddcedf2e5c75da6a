#pragma once

#include <QString>
#include <map>
#include <vector>

namespace gradus {

/// How many hands went up for each choice of one question, in the order of the choices.
struct Vote {
    std::vector<int> hands;
    bool closed = false;
    int all() const;
    int most() const;
};

/// What a class has voted. It is of the sitting: no Run, no file and no learner's progress has it.
class Votes {
public:
    /// The vote on a check of a card; opened by asking for it.
    Vote& on(const QString& card, const QString& check, std::size_t choices);
    /// A hand more, or one less, for a choice counted from 0. Nothing happens once the vote is closed.
    static void count(Vote& vote, int choice, int by);
    /// As many have voted at once as there seem to be; 0 before anybody has.
    int present() const;

private:
    std::map<QString, Vote> votes_;
};

} // namespace gradus
