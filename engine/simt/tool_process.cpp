#include "engine/simt/tool_process.hpp"

#include "engine/core/error.hpp"
#include "engine/simt/spawned_process.hpp"
#include "engine/simt/tool_main.hpp"

#include <sys/wait.h>
#include <unistd.h>

namespace gradus::simt {

namespace {
constexpr std::size_t most_output = 4 << 20; // bytes
}

ToolEnd run_tool(const std::vector<std::string>& words, const ToolLimits& limits, const std::string& temporary_folder, const std::stop_token& stop) {
    Program program{gradus_simt(), {tool_word, std::to_string(getpid()), std::to_string(limits.memory), std::to_string(limits.file)}};
    program.environment = {"LC_ALL=C.UTF-8", "LANGUAGE=C"};
    program.words.insert(program.words.end(), words.begin(), words.end());
    if (!temporary_folder.empty()) program.environment.push_back("TMPDIR=" + temporary_folder);
    SpawnedProcess process(program, most_output);
    ToolEnd end;
    const auto deadline = std::chrono::steady_clock::now() + limits.time;
    while (!process.ended() && !end.too_long && !process.wrote_too_much()) {
        process.wait();
        if (stop.stop_requested()) throw Interrupted(); // which ends it
        end.too_long = std::chrono::steady_clock::now() >= deadline && !process.ended();
    }
    const int status = process.end();
    end.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    end.too_much = process.wrote_too_much();
    end.output = process.output();
    return end;
}

} // namespace gradus::simt
