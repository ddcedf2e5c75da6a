// Prints what tests/gpu/bundle has to build: for each launch that a check or a measurement makes a line with ladder, rung, the lowest
// compute capability times ten, and the launch's words, divided by tabs. Fails if two rungs launch kernels of one name, which a linker
// would take for the same, or if a ladder has no large problem, or one that no grid covers.
#include "engine/core/error.hpp"
#include "tests/gpu/large_problems.hpp"
#include "tests/gpu/words.hpp"
#include "tests/kernels/problems.hpp"

#include <cstdio>
#include <exception>
#include <map>
#include <set>

using namespace gradus;

int main() try {
    std::map<std::string, std::string> owners;
    for (const Ladder& ladder : all_ladders()) {
        std::vector<Problem> problems = test::problems_of(ladder);
        problems.push_back(simt::usual_problem(ladder, gpu::large_problem(ladder).sizes));
        for (const Rung& rung : ladder.rungs) {
            std::set<std::string> kernels;
            for (const Problem& problem : problems)
                for (const Dim3& block : rung.blocks)
                    for (const KernelStep& step : rung.plan(problem, block).steps) {
                        kernels.insert(step.kernel);
                        if (step.grid.y > 65535 || step.grid.z > 65535) // of the large problems nobody else looks
                            throw ArgumentError(ladder.id + "/" + rung.id + ": a grid of " + gpu::words_of(step.grid) + " blocks for " + gpu::words_of(problem));
                    }
            for (const std::string& kernel : kernels) {
                const std::string name = kernel.substr(0, kernel.find('<')), owner = ladder.id + "/" + rung.id;
                if (const auto [at, is_new] = owners.emplace(name, owner); !is_new && at->second != owner)
                    throw ArgumentError(at->second + " and " + owner + " both launch a kernel " + name);
                std::printf("%s\t%s\t%d\t%s\n", ladder.id.c_str(), rung.id.c_str(), rung.lowest, kernel.c_str());
            }
        }
    }
    return 0;
} catch (const std::exception& error) {
    std::fprintf(stderr, "list_kernels: %s\n", error.what());
    return 1;
}
