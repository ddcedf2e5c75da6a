#pragma once

#include "engine/autograd/tape.hpp"
#include "engine/core/clock.hpp"
#include "engine/core/ids.hpp"
#include "engine/trace/provenance.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gradus {

/// The levels of a Run, outermost first. The spine records down to op; the levels below are replayed.
enum class Level : std::uint8_t { run, iteration, phase, module, op, kernel, block, warp_instruction, lane, bits };
std::string_view name_of(Level level);

/// Which tensor an event reads, relative to the event's own iteration, so that one record serves every iteration.
struct TensorRef {
    enum class When : std::uint8_t {
        same_iteration,     ///< written earlier in this iteration, by the event of that ordinal
        previous_iteration, ///< state: written by the update of the iteration before, or by setup in iteration 0
        setup               ///< constant: written before iteration 0
    };
    When when = When::same_iteration;
    std::int32_t ordinal = -1;
    std::int32_t output = 0;
    std::int32_t setup_ordinal = -1; ///< for previous_iteration, where iteration 0 (or a fork's first) finds it
    std::string name;
    std::optional<DType> dtype = {}; ///< nothing where it is not known: in a file of format 1
    Shape shape = {};

    /// The tensor's id as seen from an event of this iteration.
    TensorId at(StepIndex iteration) const {
        switch (when) {
        case When::same_iteration: return {{iteration, ordinal}, output};
        case When::previous_iteration:
            if (iteration > 0) return {{iteration - 1, ordinal}, output};
            return {{-1, setup_ordinal}, 0};
        case When::setup: return {{-1, setup_ordinal}, 0};
        }
        return {};
    }
};

/// One output of an event.
struct OutputInfo {
    std::string name;
    Role role = Role::activation;
    DType dtype = DType::f32;
    Shape shape;
};

/// What else there is to say of an event.
struct EventAttribute {
    std::string name;  ///< "mask", "sectors"
    std::string value;
    std::string unit;
    Provenance provenance = Provenance::counted;
    bool operator==(const EventAttribute&) const = default;
};

/// Everything about an event that is the same each time it happens: written once, named by every record.
struct EventSite {
    Level level = Level::op;
    Phase phase = Phase::forward;
    std::string name;           ///< "matmul", "layer1", "forward"
    std::string path;           ///< "forward/layer1/matmul z1": unique within a Run
    std::string module;         ///< "layer1"
    std::string implementation; ///< what computed it: "avx512"
    std::string formula;
    std::int32_t ordinal = -1; ///< its place in an iteration; -1 if that varies
    std::int32_t parent = -1;  ///< ordinal of the event around it
    std::int32_t forward = -1; ///< for a backward op: the ordinal of the forward op it differentiates
    std::int32_t lane = 0;     ///< thread, stream, rank or SM it is drawn on
    Cost cost;                 ///< counted
    Provenance provenance = Provenance::computed;
    std::vector<TensorRef> inputs;
    std::vector<OutputInfo> outputs;
    std::vector<EventAttribute> attributes = {};
};

/// One event as it happened. Its times are measured; the rest stands at its site.
struct EventRecord {
    std::int32_t ordinal = -1;
    std::int32_t site = -1;
    Ticks start = 0, end = 0;
};
static_assert(sizeof(EventRecord) == 24);

} // namespace gradus
