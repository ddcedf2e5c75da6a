#pragma once

#include "engine/trace/tape_trace.hpp"
#include "lessons/experiments/train_mlp/network.hpp"
#include "lessons/experiments/train_mlp/watched_product.hpp"

#include <functional>
#include <optional>

namespace gradus::mlp {

/// Training as the session drives it, one iteration at a time.
class TrainProcess : public Process {
public:
    explicit TrainProcess(const Setup& setup);

    std::vector<SeriesInfo> series() const override;
    void describe(Manifest& manifest) const override;
    void begin(RunWriter& writer, bool setup) override;
    void iterate(RunWriter& writer, StepIndex iteration, bool observe) override;
    void replay(StepIndex iteration) override;
    void finish(RunWriter& writer, const std::stop_token& stop) override;
    std::shared_ptr<const Checkpoint> checkpoint(StepIndex next) const override;
    void restore(const Checkpoint& checkpoint) override;
    void apply(const Edit& edit, StepIndex iteration) override;
    bool not_finite() const override { return not_finite_; }
    double gradient_norm() const override { return network_.gradient_norm(); }

    Network& network() { return network_; }
    /// The watched product of a first step, lane by lane. Throws ArgumentError where none is watched.
    std::shared_ptr<const KernelTrace> watched_product();

private:
    /// Positions in series().
    enum SeriesIndex : std::size_t { loss, accuracy, step_seconds, gradient_norm_series, test_accuracy, seed_solved, seed_loss, product_error };
    /// Of the test set.
    double evaluate(RunWriter& writer);
    void replace_kernel(const std::string& text);

    Setup setup_;
    std::shared_ptr<Device> device_;
    std::string source_; ///< of the kernel that makes the products, "own" or a text
    Network network_;
    std::optional<WatchedProduct> watched_;
    TapeTrace trace_;
    LoaderLanes lanes_;
    double ns_per_tick_;
    std::int32_t evaluate_site_ = -1;
    StepIndex evaluate_every_;
    bool not_finite_ = false;
};

/// The device of a setup, with the rung of the product that its parameters name.
DeviceOptions device_of(const Setup& setup);
/// That device, with the kernel's text that they name. Throws ArgumentError where it can have none.
std::shared_ptr<Device> open_device(const Setup& setup, int threads = 0);

/// The settings of a setup, its data set loaded.
Settings settings_of(const Setup& setup, std::shared_ptr<const Dataset>& dataset);

/// Trains `seeds` nets silently, seeds setup.seed, +1, …, and says which of them ended with every training point
/// on its right side. Seeds are spread over the threads; each is trained by one. `trained` hears of each net that
/// was trained to its end, in the order of the seeds, on the calling thread.
struct SweepResult {
    std::vector<double> final_loss;
    std::vector<bool> solved;
    double solved_share() const;
};
using SeedTrained = std::function<void(int seed, double final_loss, bool solved)>;
SweepResult sweep(const Setup& setup, int seeds, const std::stop_token& stop = {}, const SeedTrained& trained = {});

} // namespace gradus::mlp
