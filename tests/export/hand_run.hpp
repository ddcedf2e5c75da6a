#pragma once

#include "engine/io/export/export.hpp"
#include "engine/trace/run_writer.hpp"
#include "tests/support/tensors.hpp"

#include <string>

namespace gradus::test {

/// A Run written by hand, whose numbers are known: four iterations, of which 0 and 2 were recorded in full, with
/// names that need quoting, scalars that are not finite, two edits, and tensors of every type. One tick is half a
/// nanosecond; iteration i takes ticks [2000 i, 2000 i + 1600) from the clock's origin.
std::shared_ptr<Run> hand_run();
/// A fork that leaves it at iteration 3, with two iterations of its own.
std::shared_ptr<Run> hand_fork(std::shared_ptr<const Run> parent);
/// Nothing but a manifest and the names of the series.
std::shared_ptr<Run> empty_run();

constexpr const char* odd_name = "say \"hi\", \\ / x·W1";

/// A finished run of the real engine. `parameters` differ from the standard; every `observe`-th iteration in full.
std::shared_ptr<const Run> trained_run(const std::map<std::string, std::string>& parameters, StepIndex steps,
                                       StepIndex observe);

/// Exports into `folder` and returns the file's path.
std::string exported(const TemporaryFolder& folder, const Run& run, std::string_view format, const std::string& name,
                     const ExportOptions& options = {});
std::string contents_of(const std::string& path);

} // namespace gradus::test
