#pragma once

#include "engine/simt/prepared_run.hpp"

#include <algorithm>

namespace gradus::test {

/// The usual problem, and for each size its odd values: alone, and all of one rank together.
inline std::vector<Problem> problems_of(const Ladder& ladder) {
    std::vector<Problem> out{simt::usual_problem(ladder)};
    std::size_t most = 0;
    for (const ProblemSize& size : ladder.sizes) {
        for (const std::int64_t odd : size.odd) out.push_back(simt::usual_problem(ladder, {{size.name, odd}}));
        most = std::max(most, size.odd.size());
    }
    for (std::size_t i = 0; i < most; ++i) {
        Problem all;
        for (const ProblemSize& size : ladder.sizes)
            if (!size.odd.empty()) all[size.name] = size.odd[i % size.odd.size()];
        out.push_back(simt::usual_problem(ladder, all));
    }
    return out;
}

} // namespace gradus::test
