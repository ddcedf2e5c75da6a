#include "app/cli/bench/peer.hpp"

#include "app/cli/cli.hpp"
#include "engine/core/error.hpp"

#include <csignal>
#include <filesystem>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

namespace gradus::cli {

using nlohmann::json;

Peer::Peer(const std::string& python, const std::string& name) {
    const std::string script = (std::filesystem::path(lessons_folder()).parent_path() / "tests/bench" / name).string();
    if (!std::filesystem::exists(script)) throw Error("the peer's script is not here");
    std::signal(SIGPIPE, SIG_IGN); // a peer that is not there must not end us
    int to_child[2], from_child[2];
    if (pipe(to_child) != 0 || pipe(from_child) != 0) throw Error("no pipe to the peer");
    child_ = fork();
    if (child_ < 0) throw Error("the peer cannot be started");
    if (child_ == 0) {
        dup2(to_child[0], STDIN_FILENO);
        dup2(from_child[1], STDOUT_FILENO);
        for (const int end : {to_child[0], to_child[1], from_child[0], from_child[1]}) close(end);
        execlp(python.c_str(), python.c_str(), script.c_str(), static_cast<char*>(nullptr));
        _exit(127);
    }
    close(to_child[0]);
    close(from_child[1]);
    to_ = fdopen(to_child[1], "w");
    from_ = fdopen(from_child[0], "r");
}

Peer::~Peer() {
    std::fclose(to_);
    std::fclose(from_);
    waitpid(child_, nullptr, 0);
}

json Peer::ask(const json& question) {
    fmt::print(to_, "{}\n", question.dump());
    if (std::fflush(to_) != 0) throw Error("PyTorch is not installed for this Python");
    std::string line;
    for (int c; (c = std::fgetc(from_)) != EOF && c != '\n';) line += static_cast<char>(c);
    const json answer = json::parse(line, nullptr, false);
    if (!answer.is_object()) throw Error("PyTorch is not installed for this Python");
    if (answer.contains("error")) throw Error(answer["error"].get<std::string>());
    return answer;
}

} // namespace gradus::cli
