#pragma once

#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>
#include <sys/types.h>

namespace gradus::cli {

/// A child process that answers one JSON line per JSON line: tests/bench/peer_*.py.
class Peer {
public:
    /// `script` is a file of tests/bench. Throws Error where it is not there or cannot be started.
    Peer(const std::string& python, const std::string& script);
    ~Peer();
    Peer(const Peer&) = delete;
    Peer& operator=(const Peer&) = delete;

    /// Throws Error where the peer ends or says "error".
    nlohmann::json ask(const nlohmann::json& question);

private:
    pid_t child_ = -1;
    std::FILE* to_ = nullptr;
    std::FILE* from_ = nullptr;
};

} // namespace gradus::cli
