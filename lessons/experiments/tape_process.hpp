#pragma once

#include "engine/trace/tape_trace.hpp"
#include "lessons/experiments/experiment.hpp"

#include <optional>

namespace gradus {

/// A process that executes one tape per iteration. A lesson's experiment derives from it: its constructor writes the
/// tape and ends with ready(); push() tells the numbers of an iteration. Events, checkpoints and edits of elements are
/// the same for all and stand here.
class TapeProcess : public Process {
public:
    TapeProcess(const TapeProcess&) = delete; // the trace refers to the tape
    TapeProcess& operator=(const TapeProcess&) = delete;

    void describe(Manifest& manifest) const override;
    void begin(RunWriter& writer, bool setup) override { trace_->begin(writer, setup); }
    void iterate(RunWriter& writer, StepIndex iteration, bool observe) override;
    void replay(StepIndex iteration) override;
    void finish(RunWriter&, const std::stop_token&) override {}
    std::shared_ptr<const Checkpoint> checkpoint(StepIndex next) const override;
    void restore(const Checkpoint& checkpoint) override;
    void apply(const Edit& edit, StepIndex iteration) override;
    bool not_finite() const override;
    double gradient_norm() const override;

    Tape& tape() { return tape_; }
    const Tape& tape() const { return tape_; }
    /// Element `flat` of the value of this name. Throws ArgumentError if there is none.
    double number(const std::string& name, Dim flat = 0) const;
    /// Writes one element, as an edit does. Throws ArgumentError naming what is wrong.
    void set_element(const std::string& name, const std::vector<Dim>& index, double number);

protected:
    explicit TapeProcess(const Setup& setup);

    /// The tape is written: `state` carries over and can be edited, `fed` is written by feed() before each iteration,
    /// `result` is the number that must stay finite.
    void ready(std::vector<ValueIndex> state, ValueIndex result, std::vector<ValueIndex> fed = {});
    /// Writes what comes from outside into the tape.
    virtual void feed(StepIndex) {}
    /// Notes what the iteration will overwrite.
    virtual void before_step() {}
    /// Pushes the series of the iteration just computed.
    virtual void push(RunWriter& writer, StepIndex iteration) = 0;
    /// Applies an edit of a setting. Throws ArgumentError if there is no such setting.
    virtual void set_setting(const std::string& name, double value, StepIndex iteration);
    /// The settings that can be edited, and what they are now: part of a checkpoint.
    virtual std::vector<std::pair<std::string, double>> settings() const { return {}; }

    /// Appends a node with one output and returns that.
    ValueIndex apply_op(const Op& op, const std::string& module, std::vector<ValueIndex> inputs, const std::string& name,
                        Attributes attributes = {});
    /// A value of numbers in fp64 or, with `dtype`, fp32.
    ValueIndex add_input(const std::string& name, const Shape& shape, const std::vector<double>& values, Role role,
                         bool requires_grad = false, DType dtype = DType::f64);
    std::shared_ptr<Device> device_;
    Tape tape_;

private:
    std::optional<TapeTrace> trace_;
    std::vector<ValueIndex> state_;
    ValueIndex result_ = no_value;
};

/// A tensor of fp32 or fp64 from doubles.
Tensor tensor_of_numbers(BufferPool& pool, const Shape& shape, DType dtype, const std::vector<double>& values);

} // namespace gradus
