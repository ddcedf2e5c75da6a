#pragma once

#include <filesystem>

namespace gradus {

/// A name beside `path` under which a file is written until it is whole, and then renamed: ".NAME.gradus-PID-COUNT.part".
/// No two calls of a process give the same, and no other process does.
std::filesystem::path part_of(const std::filesystem::path& path);

/// Removes what processes that were killed left under such names beside `path`. What is younger than a minute stays: the
/// folder may be another machine's, whose processes are not known here.
void remove_old_parts(const std::filesystem::path& path);

} // namespace gradus
