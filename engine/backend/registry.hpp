#pragma once

#include "engine/backend/interface.h"
#include "engine/core/dtype.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gradus {

/// What somebody asked a backend for.
struct DeviceOptions {
    std::string device = "cpu";
    std::string isa;  ///< "" for the best path of this machine
    int threads = 0;  ///< 0: one per core
    std::string rungs = {}; ///< simt: kernels in place of the usual ones of their ladders, "matmul/1_naive matmul_nt/1_naive"
};

/// An opened backend. Ops found in it stay callable until it is destroyed.
class Device {
public:
    /// Throws UnavailableError with the reason, ArgumentError for a name nobody knows.
    explicit Device(const DeviceOptions& options);
    ~Device();
    Device(const Device&) = delete;
    Device& operator=(const Device&) = delete;

    struct Found {
        GradusKernel kernel = nullptr;
        const char* implementation = "";
    };
    /// Throws UnavailableError, naming op, dtype and shapes, where this backend has no implementation.
    Found find(const char* op, GradusCall& call) const;
    /// The same, or nothing where it has none.
    std::optional<Found> look_for(const char* op, GradusCall& call) const;
    /// The types on which this backend computes an op, by its kernel's name: of its output, or of its first input where that is
    /// of another (comparisons, argmax, bytes whose rows are gathered as numbers).
    std::vector<DType> dtypes_of(const char* op) const;
    /// Why the last op was not found or failed, in a sentence; empty where there is nothing to add.
    std::string trouble() const { return backend_->trouble(context_); }

    /// From the next call on that text stands in for a rung's own; empty: its own again. Throws ArgumentError where the device has no such rung,
    /// UnavailableError with the reason where the text cannot be used: then nothing has changed.
    void replace_kernel(const std::string& rung, const std::string& text);

    std::string name() const { return backend_->name; }
    std::string isa() const { return backend_->isa(context_); }
    std::string description() const { return backend_->device(context_); }
    int threads() const { return backend_->threads(context_); }

private:
    const GradusBackend* backend_ = nullptr;
    GradusContext* context_ = nullptr;
};

/// A backend as `gradus list devices` shows it.
struct DeviceInfo {
    std::string id;
    std::string title;
    bool available = false;
    std::string reason; ///< why not, in one sentence
};
std::vector<DeviceInfo> list_devices();

} // namespace gradus
