#pragma once

#include "engine/simt/kernel_report.hpp"
#include "engine/simt/local_variables.hpp"
#include "engine/trace/kernel/kernel_trace.hpp"

namespace gradus::simt {

/// What was recorded of a run, beside the source. Takes the log out of the answer, which must have one. Throws FileError where the
/// child wrote what cannot be. `file`: of the kernel; its text, and that of others in kernels/, becomes part of the trace.
std::shared_ptr<const KernelTrace> trace_of(const PreparedRun& run, const std::string& file, LaunchAnswer& answer, const SourcePlaces& places, const LocalVariables& variables,
                                            const std::vector<StepReport>& steps, const std::vector<KernelFinding>& findings);

} // namespace gradus::simt
