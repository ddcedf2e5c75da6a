#pragma once

#include "engine/backend/registry.hpp"
#include "engine/data/dataset.hpp"
#include "engine/trace/run.hpp"
#include "engine/trace/run_writer.hpp"

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace gradus {

/// A parameter as an experiment declares it; values travel as text and are checked against this.
struct ParameterInfo {
    enum class Type : std::uint8_t { integer, number, choice, widths, list, words, text }; ///< words: as the experiment understands them; text: of many lines
    std::string name;
    Type type = Type::number;
    std::string standard; ///< the default
    std::string unit;
    double least = 0, most = 0; ///< of integer and number; of each in a list
    std::vector<std::string> choices;
    std::string meaning; ///< one sentence
};

using Parameters = std::map<std::string, std::string>;
using Arguments = std::map<std::string, std::string>;

/// A named question that an experiment answers from its current parameters.
struct QuestionInfo {
    std::string name;
    std::string meaning;
    bool needs_training = false; ///< the net must be trained (or many of them) to know
    bool needs_arguments = false; ///< or a record that not every run has: nobody asks it without being told to
};

/// An answer of the engine: a number, a word, or a set of names.
struct Answer {
    std::variant<double, std::string, std::vector<std::string>> value = 0.0;
    std::string unit;
    Provenance provenance = Provenance::computed;
    std::map<std::string, double> found = {}; ///< what it was judged by, by name: more names than the answer has, or none
    std::string found_unit = {};
    bool is_number() const { return std::holds_alternative<double>(value); }
    double number() const { return std::get<double>(value); }
    std::string text() const; ///< as a sentence would show it
};

/// How far a process is with the test set, which may take longer than a step, or with the blocks of a kernel; told by its thread, read by any.
struct Evaluating {
    std::atomic<std::int32_t> done{0}, of{0}; ///< pieces, blocks; of = 0: it is not at it
};

/// What a process is made from. Shared things are immutable or thread-safe, so that a second process can be made
/// beside a running one.
struct Setup {
    Parameters parameters; ///< complete and checked
    std::uint64_t seed = 1;
    StepIndex steps = 0;
    DeviceOptions device;
    std::shared_ptr<DataStore> data;
    std::stop_token stop = {};                    ///< heard in the middle of an iteration, which then ends with Interrupted
    std::shared_ptr<Evaluating> evaluating = {};  ///< null: nobody asks
};

/// One computation in progress: the engine with a model in it. Driven by one thread. Everything it tells goes
/// through the RunWriter.
class Process {
public:
    virtual ~Process() = default;

    virtual std::vector<SeriesInfo> series() const = 0;
    /// Fills in what only the process knows: device, ISA path, data set and its hash.
    virtual void describe(Manifest& manifest) const = 0;

    /// Writes the sites, and, where `setup` is true, the events of iteration -1: the initial parameters.
    virtual void begin(RunWriter& writer, bool setup) = 0;
    /// Computes one iteration and pushes its scalars; with `observe`, its events and tensors too.
    virtual void iterate(RunWriter& writer, StepIndex iteration, bool observe) = 0;
    /// The same iteration with nothing recorded: for going back to a place and for going on from a checkpoint.
    virtual void replay(StepIndex iteration) = 0;
    /// What comes after the last iteration.
    virtual void finish(RunWriter& writer, const std::stop_token& stop) = 0;

    /// Training state before `next`, held by reference.
    virtual std::shared_ptr<const Checkpoint> checkpoint(StepIndex next) const = 0;
    /// Throws FileError if the checkpoint is not one of this process.
    virtual void restore(const Checkpoint& checkpoint) = 0;

    /// Applies an edit before `iteration`. Throws ArgumentError if it cannot be.
    virtual void apply(const Edit& edit, StepIndex iteration) = 0;

    /// True if the last iteration's loss was not finite.
    virtual bool not_finite() const = 0;
    /// ‖∂L/∂θ‖₂ of the last iteration.
    virtual double gradient_norm() const = 0;
};

/// A kind of computation that cards are made from. Stateless: parameters in, processes and answers out.
class Experiment {
public:
    virtual ~Experiment() = default;
    virtual std::string id() const = 0;
    virtual std::string title() const = 0;
    virtual const std::vector<ParameterInfo>& parameters() const = 0;
    virtual const std::vector<QuestionInfo>& questions() const = 0;
    virtual StepIndex standard_steps() const = 0;
    virtual std::unique_ptr<Process> start(const Setup& setup) const = 0;
    /// Answers a question. `run` is the Run so far, null if there is none; what needs training then trains.
    /// Throws ArgumentError for an unknown question or argument.
    virtual Answer answer(std::string_view question, const Arguments& arguments, const Setup& setup,
                          const Run* run) const = 0;
    /// Parameters after one is changed: others that must follow it do (a data set's width).
    virtual Parameters with(const Parameters& given, const std::string& name, const std::string& value) const;

    /// The largest value of a parameter that leaves the others, all of which are given, as they are: what a control should
    /// reach. A larger one up to info.most changes them.
    virtual double most_beside(const ParameterInfo& info, const Parameters& others) const;

    /// Defaults overlaid with `given`; throws ArgumentError for an unknown name or an unusable value.
    Parameters complete(const Parameters& given) const;
    /// Throws ArgumentError where an edit sets a parameter to what a run could not begin with.
    void check_edit(const Edit& edit) const;
};

const std::vector<const Experiment*>& all_experiments();
/// Throws ArgumentError naming those there are.
const Experiment& find_experiment(std::string_view id);

} // namespace gradus
