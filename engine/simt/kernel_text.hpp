#pragma once

#include "engine/simt/compile.hpp"

#include <filesystem>
#include <iosfwd>
#include <string>
#include <vector>

namespace gradus::simt {

/// A file's bytes. Throws FileError.
std::string text_of(const std::filesystem::path& file);
void write_text(const std::filesystem::path& file, const std::string& text);

/// A file's text and that of what it includes in quotes from its own folder or one of the others, as far as it is found there.
std::string text_with_includes(const std::filesystem::path& file, const std::vector<std::filesystem::path>& folders);

/// The text of all files in the folder and below, with their paths.
std::string text_of_all(const std::filesystem::path& folder);

/// What the build with -march=native depends on, from /proc/cpuinfo: whose processor it is, which model, what it can do. Not its present clock.
std::string processor_of(std::istream& cpuinfo);

/// What is compiled behind the kernel's file: a C function for each launch.
std::string entry_unit(const KernelSource& source);

} // namespace gradus::simt
