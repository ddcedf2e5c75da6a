#pragma once

#include "engine/autograd/lifetimes.hpp"
#include "engine/autograd/tape.hpp"
#include "engine/trace/run_writer.hpp"

#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace gradus {

struct KernelTrace;

/// A node whose launches are run again lane by lane whenever a step is observed, with the numbers that it had.
struct WatchedNode {
    NodeIndex node = -1;
    std::vector<EventSite> launches; ///< name, path's last part and attributes of each
    std::function<std::shared_ptr<const KernelTrace>(const std::vector<Tensor>& inputs)> record;
};

/// Executes a tape so that a Run can see it: an event per iteration, phase, module and op, nested, always with
/// the same ordinals. Sites are written once; an observed step costs two reads of the clock per event more than
/// an unobserved one, plus fresh buffers for what the Run keeps.
class TapeTrace {
public:
    /// `state` are the values that carry over from iteration to iteration, `fed` those that are written from outside
    /// before each step, such as a batch's row numbers.
    TapeTrace(Tape& tape, std::vector<ValueIndex> state, std::vector<ValueIndex> fed = {});

    /// Of one node more is recorded than its outputs. Before begin().
    void watch(WatchedNode node);

    /// Writes the sites of one iteration. With `setup`, also the events of iteration -1, one per initial value,
    /// keeping their tensors.
    void begin(RunWriter& writer, bool setup);
    /// From now on a step lets go of each buffer once its last reader has run, so that it holds no more than it must; a Run that
    /// observes a step keeps its own references. `kept` are further values that somebody reads after a step.
    void let_go_early(std::span<const ValueIndex> kept = {}) { lifetimes_ = lifetimes_of(tape_, kept); }
    /// Executes all nodes of one training step.
    void step(RunWriter& writer);
    /// As step(), with events; keeps every output, and the state it began with, in the Run.
    void step_observed(RunWriter& writer, StepIndex iteration);

    /// Says that `value` was edited before this iteration, so that its tensor is the edit's.
    void mark_edited(ValueIndex value, StepIndex iteration);
    /// Values and the iterations of their last edits: part of the training state, since ids depend on them.
    const std::unordered_map<ValueIndex, StepIndex>& edited() const { return edited_at_; }
    void forget_edits() { edited_at_.clear(); }

private:
    struct PlanStep {
        enum class Kind : std::uint8_t { open, close, op } kind;
        std::int32_t site; ///< index among this tape's sites
        NodeIndex node;
    };
    void plan();
    std::int32_t plan_open(Level level, Phase phase, const std::string& name, const std::string& path,
                           std::int32_t parent);
    void plan_op(NodeIndex node, std::int32_t parent, const std::string& path);
    TensorRef reference(ValueIndex value, NodeIndex reader) const;
    TensorId state_id(ValueIndex value, StepIndex iteration) const;

    Tape& tape_;
    std::vector<ValueIndex> state_, fed_, constants_;
    std::vector<PlanStep> plan_;
    std::vector<EventSite> sites_;
    std::int32_t first_site_ = 0; ///< index of sites_[0] in the Run
    std::vector<std::int32_t> ordinal_of_node_;
    std::unordered_map<ValueIndex, std::int32_t> setup_ordinal_;
    std::unordered_map<ValueIndex, StepIndex> edited_at_;
    std::vector<RunWriter::Open> open_;
    std::optional<Lifetimes> lifetimes_;
    std::optional<WatchedNode> watched_;
};

/// Tensors that come from outside the plan, edited or fed, have ordinals from here on, far above those of any plan,
/// so that they shift no other id.
constexpr std::int32_t first_edit_ordinal = 1 << 24;

/// Launches of a watched node have ordinals from here on, above those of edits; what lies below them has the 2³⁰ that follow.
constexpr std::int32_t first_kernel_ordinal = 1 << 25;

/// Whether what is read was written from outside before the iteration began: no event made it.
inline bool is_fed(const TensorRef& ref) {
    return ref.when == TensorRef::When::same_iteration && ref.ordinal >= first_edit_ordinal;
}

/// The tensor that input `i` of a site's event read in an iteration, edits considered.
TensorId input_of(const Run& run, const EventSite& site, std::size_t i, StepIndex iteration);

} // namespace gradus
