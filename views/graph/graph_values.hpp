#pragma once

#include "views/graph/graph_model.hpp"

#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

namespace gradus {

/// The numbers of one iteration, one entry per node of the model.
struct GraphValues {
    StepIndex iteration = -1;
    std::vector<std::optional<double>> value;   ///< computed: the number, or ‖·‖₂ of the node's tensor where it has more
    std::vector<std::optional<double>> seconds; ///< measured: of the node's ops together
};

/// Takes the values from a Run that holds the iteration in full.
GraphValues values_of(const GraphModel& model, const Run& run, StepIndex iteration);

/// Computes values on a thread of its own; the newest wish replaces an older one. Nobody waits.
class GraphValueWorker {
public:
    GraphValueWorker();
    void want(std::shared_ptr<const GraphModel> model, std::shared_ptr<const Run> run, StepIndex iteration);
    /// The last values computed for this model, null if there are none.
    std::shared_ptr<const GraphValues> latest(const GraphModel* model) const;

private:
    struct Wish {
        std::shared_ptr<const GraphModel> model;
        std::shared_ptr<const Run> run;
        StepIndex iteration = -1;
    };
    void work(const std::stop_token& stop);

    mutable std::mutex mutex_; // protects wish_, done_, values_
    std::condition_variable_any wake_;
    std::optional<Wish> wish_;
    std::shared_ptr<const GraphModel> done_;
    std::shared_ptr<const GraphValues> values_;
    std::jthread thread_;
};

} // namespace gradus
