#pragma once

#include <chrono>
#include <string>

namespace gradus::gpu {

/// Ends the program with a sentence and exit code 1 if it lives too long: a kernel that never ends cannot be stopped otherwise. One at a
/// time; a new one takes the place of the old.
class Deadline {
public:
    Deadline(const std::string& what, std::chrono::seconds at_most);
    ~Deadline();
    Deadline(const Deadline&) = delete;
    Deadline& operator=(const Deadline&) = delete;
};

} // namespace gradus::gpu
