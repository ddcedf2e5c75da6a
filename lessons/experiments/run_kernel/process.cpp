#include "lessons/experiments/run_kernel/process.hpp"

#include "engine/core/error.hpp"

namespace gradus::kernels {

void KernelProcess::begin(RunWriter& writer, bool setup) {
    launches_.run(0);
    iteration_site_ = writer.add_site(iteration_site(launches_.cost()));
    launches_.add_sites(writer);
    if (setup) launches_.write_setup(writer);
}

void KernelProcess::iterate(RunWriter& writer, StepIndex iteration, bool observe) {
    const Ticks start = now_ticks();
    launches_.run(iteration);
    writer.begin_iteration(iteration, observe);
    if (observe) launches_.observe(writer, iteration, iteration_site_, start);
    launches_.push_counts(writer, iteration);
    writer.end_iteration();
}

std::shared_ptr<const Checkpoint> KernelProcess::checkpoint(StepIndex next) const {
    auto out = std::make_shared<Checkpoint>(); // nothing carries over from one iteration to the next
    out->iteration = next;
    return out;
}

void KernelProcess::apply(const Edit& edit, StepIndex) {
    if (edit.kind != Edit::Kind::breakpoint) throw ArgumentError("run_kernel: a kernel's run has nothing that can be edited; set its parameters instead");
}

} // namespace gradus::kernels
