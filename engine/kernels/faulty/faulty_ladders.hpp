#pragma once

#include "engine/kernels/ladder.hpp"

namespace gradus {

/// What is wrong with a rung.
struct KernelFault {
    std::string sentence;  ///< empty: nothing is, and it is there to compare the others with
    Problem sizes = {};    ///< with which it shows, where it does not with the usual ones
};

/// A ladder some of whose rungs are wrong on purpose, so that one can look at what comes of it. Its id is "faulty/<folder>".
struct FaultyLadder {
    Ladder ladder;
    std::vector<KernelFault> faults; ///< of each rung
};

/// All of them; none is among all_ladders().
const std::vector<FaultyLadder>& faulty_ladders();

/// All ladders that can be run: all_ladders(), then the faulty ones.
const std::vector<const Ladder*>& known_ladders();

/// The fault of a rung; null of a ladder that is not faulty, and of a right rung.
const KernelFault* fault_of(const Ladder& ladder, const Rung& rung);

} // namespace gradus
