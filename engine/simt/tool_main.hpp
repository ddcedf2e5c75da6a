#pragma once

namespace gradus::simt {

constexpr const char* tool_word = "tool"; ///< the first word by which gradus-simt is asked for it

/// gradus-simt tool PARENT MEMORY FILE PROGRAM WORDS…: runs a program whose processes may each take so many bytes of memory and write files of
/// so many bytes, and ends with its exit code, 127 where there is no such program. If the process PARENT ends, however it does, its whole
/// group, and so whatever the program started, ends at once.
int tool_main(int count, char** words);

} // namespace gradus::simt
