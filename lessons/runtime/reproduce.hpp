#pragma once

#include "engine/trace/derive/diff.hpp"
#include "lessons/experiments/experiment.hpp"

#include <functional>
#include <memory>
#include <vector>

namespace gradus {

/// A recorded Run beside the one that its manifest and input log alone give.
struct Reproduction {
    std::shared_ptr<const Run> recorded, again;
    DiffResult result;
};

/// Computes Runs again, forks after their parents, from nothing but manifests and input logs, and compares every
/// computed value. Throws UnavailableError where the device or ISA path of the manifest is not here.
/// `progress` hears a share from 0 to 1.
std::vector<Reproduction> reproduce(const std::vector<std::shared_ptr<const Run>>& runs,
                                    const std::function<void(double)>& progress = nullptr,
                                    const std::stop_token& stop = {});

/// The setup that a manifest describes.
Setup setup_of(const Manifest& manifest, std::shared_ptr<DataStore> data);

} // namespace gradus
