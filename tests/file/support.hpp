#pragma once

#include "engine/trace/file/reader.hpp"
#include "engine/trace/file/recorder.hpp"
#include "lessons/runtime/session.hpp"

#include <filesystem>
#include <string>

namespace gradus::test {

/// A folder that goes with the test.
class Folder {
public:
    Folder();
    ~Folder();
    std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
    const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
};

/// A small recorded training run with `forks` forks and as many edits; returns the live runs.
std::vector<std::shared_ptr<const Run>> record_example(const std::filesystem::path& file, int forks = 2,
                                                       StepIndex steps = 60);

/// A small recorded run of a kernel, all of its steps in it; returns the live run.
std::shared_ptr<const Run> record_kernel(const std::filesystem::path& file, const std::string& rung = "2_tiled");

/// Either one sentence names the file, or it reads as the undamaged one does, which damage to bytes that carry
/// nothing allows.
bool refused(const std::filesystem::path& file, const RunFile* good = nullptr);

} // namespace gradus::test
