#pragma once

#include "engine/autograd/tape.hpp"
#include "engine/data/loader.hpp"
#include "engine/data/sampler.hpp"
#include "engine/trace/lane_trace.hpp"
#include "lessons/experiments/experiment.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gradus {

/// The batches of a data set on a tape. Without workers the tape holds the whole set and gathers an iteration's rows; with them
/// a Loader makes batches ahead on threads of its own, which have lanes in the Run, and they come in from outside. The numbers
/// are the same, to the bit.
class BatchSource {
public:
    struct Settings {
        Dim batch = 1;
        std::uint64_t seed = 1;   ///< of the order
        DType dtype = DType::f32; ///< of a batch's x
        double scale = 1;         ///< what x is multiplied by
        int workers = 0;          ///< 0 to 64
        std::string x_name = "x";
    };
    /// Rows of set_x (N, …) and set_y (N, …). With `workers`, set_x are bytes (uint8).
    BatchSource(Tape& tape, const Tensor& set_x, const Tensor& set_y, const Settings& settings);

    ValueIndex x = no_value, y = no_value;          ///< of the batch: (B, …)
    ValueIndex all_x = no_value, all_y = no_value;  ///< the whole set, where the tape holds it
    const std::vector<ValueIndex>& fed() const { return fed_; } ///< what is written before each iteration
    const Loader* loader() const { return loader_.get(); }      ///< null without workers

    /// Places an iteration's batch.
    void load(Tape& tape, StepIndex iteration);
    /// Places rows `from`, `from` + 1, … where there are no workers: the way one goes through a test set.
    void load_rows(Tape& tape, Dim from);

private:
    void gather(Tape& tape, const Tensor& set_x, const Tensor& set_y, const Settings& settings);
    void feed(Tape& tape, const Tensor& set_x, const Tensor& set_y, const Settings& settings);

    ValueIndex index_ = no_value; ///< (B) int32: rows of the set
    std::vector<ValueIndex> fed_;
    std::optional<BatchSampler> sampler_;
    std::unique_ptr<Loader> loader_;
};

/// The lanes of a loader in a Run: the engine's thread, its workers, its stager. Nothing where there is no loader.
class LoaderLanes {
public:
    void begin(RunWriter& writer, const Loader* loader);
    /// What was done for the batch at hand; where the iteration is observed.
    void write(RunWriter& writer, const Loader* loader) const;

private:
    std::optional<LaneTrace> lanes_;
};

/// The parameter of that name, the same for every experiment that has batches to load.
ParameterInfo workers_parameter();
constexpr int most_workers = 64;

} // namespace gradus
