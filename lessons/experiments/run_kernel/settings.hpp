#pragma once

#include "engine/hardware/architectures.hpp"
#include "engine/simt/kernel_run.hpp"
#include "engine/simt/source_file.hpp"
#include "lessons/experiments/experiment.hpp"

#include <memory>

namespace gradus::kernels {

/// The parameters of run_kernel, read and checked.
struct Settings {
    simt::KernelRequest request; ///< with what is to be recorded
    const Architecture* architecture = nullptr;
    std::shared_ptr<const simt::SourceFile> source; ///< that stands in for the rung's; null: its own
    std::string id() const { return request.ladder->id + "/" + request.rung->id; }
};
/// Throws ArgumentError where the parameters do not fit each other. `patience`: for one run.
Settings read_settings(const Setup& setup, std::chrono::milliseconds patience = simt::KernelRequest{}.at_most);

/// "32x8" or "256". Throws ArgumentError.
Dim3 read_block(const std::string& text);
/// "rows=64,columns=32". Throws ArgumentError.
Problem read_sizes(const std::string& text);

} // namespace gradus::kernels
