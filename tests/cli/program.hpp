#pragma once

#include <filesystem>
#include <string>

namespace gradus::test {

/// What a run of the program gave.
struct Output {
    int status = -1;
    std::string out, error;
};

std::string text_of(const std::filesystem::path& file);

/// A folder of this process, removed at its end.
const std::filesystem::path& folder();

/// Runs the program as a shell would, with `before` in front of it (variables).
Output gradus(const std::string& words, const std::string& before = {});

/// The name of a file in folder(), quoted for the shell.
std::string file(const std::string& name);

/// A refusal: exit code 2, nothing on standard output, one line that holds `part`.
void check_refused(const std::string& words, const std::string& part, const std::string& before = {});

} // namespace gradus::test
