// Prints what tests/gpu/bundle has to build: for each launch that a check or a measurement makes a line with ladder, rung, the lowest
// compute capability times ten, and the launch's words, divided by tabs. To be run in the project's folder. Fails if two rungs launch
// kernels of one name, which a linker would take for the same, if a ladder has no large problem, or one that no grid covers, or if the
// rungs are not the .cu files of engine/kernels.
#include "engine/core/error.hpp"
#include "tests/gpu/large_problems.hpp"
#include "tests/gpu/words.hpp"

#include <cstdio>
#include <exception>
#include <filesystem>
#include <map>
#include <set>

using namespace gradus;

namespace {

/// "matmul/3_shared" of each .cu in a ladder's folder. Those that are wrong on purpose are run in the interpreter alone.
std::set<std::string> rung_files() {
    std::set<std::string> out;
    for (const auto& entry : std::filesystem::recursive_directory_iterator("engine/kernels"))
        if (const auto& file = entry.path(); file.extension() == ".cu" && file.parent_path().parent_path().filename() != "faulty") out.insert(file.parent_path().filename().string() + "/" + file.stem().string());
    return out;
}

} // namespace

int main() try {
    std::set<std::string> files = rung_files(), large;
    for (const gpu::LargeProblem& problem : gpu::large_problems())
        if (!large.insert(problem.ladder).second) throw ArgumentError("two large problems for the ladder " + problem.ladder);
    std::map<std::string, std::string> owners;
    for (const Ladder& ladder : all_ladders()) {
        const std::vector<Problem> problems = gpu::all_problems(ladder);
        large.erase(ladder.id);
        for (const Rung& rung : ladder.rungs) {
            const std::string owner = ladder.id + "/" + rung.id;
            if (files.erase(owner) == 0) throw ArgumentError("there is no engine/kernels/" + owner + ".cu");
            std::set<std::string> kernels;
            for (const Problem& problem : problems)
                for (const Dim3& block : rung.blocks)
                    for (const KernelStep& step : rung.plan(problem, block).steps) {
                        kernels.insert(step.kernel);
                        if (step.grid.y > 65535 || step.grid.z > 65535) // of the large problems nobody else looks
                            throw ArgumentError(owner + ": a grid of " + gpu::words_of(step.grid) + " blocks for " + gpu::words_of(problem));
                    }
            for (const std::string& kernel : kernels) {
                const std::string name = kernel.substr(0, kernel.find('<'));
                if (const auto [at, is_new] = owners.emplace(name, owner); !is_new && at->second != owner)
                    throw ArgumentError(at->second + " and " + owner + " both launch a kernel " + name);
                std::printf("%s\t%s\t%d\t%s\n", ladder.id.c_str(), rung.id.c_str(), rung.lowest, kernel.c_str());
            }
        }
    }
    if (!files.empty()) throw ArgumentError("no ladder in engine/kernels/ladders.cpp launches engine/kernels/" + *files.begin() + ".cu");
    if (!large.empty()) throw ArgumentError("a large problem for the ladder " + *large.begin() + ", which there is not");
    return 0;
} catch (const std::exception& error) {
    std::fprintf(stderr, "list_kernels: %s\n", error.what());
    return 1;
}
