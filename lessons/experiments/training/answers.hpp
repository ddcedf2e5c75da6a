#pragma once

#include "engine/autograd/memory_account.hpp"
#include "lessons/experiments/asked.hpp"
#include "lessons/experiments/training/process.hpp"

namespace gradus {

/// Whether the Run at hand is the one that the question is about.
inline bool answers_for(const Asked& asked) {
    return asked.run && asked.run->manifest().parameters == asked.setup.parameters && asked.run->manifest().seed == asked.setup.seed &&
           !asked.run->parent() && asked.run->edits().empty();
}

/// The questions that every training of a TrainingProcess answers: from the Run where it is that of the question, else from a net
/// that is trained for it.
template <class Trained> class TrainingAnswers {
public:
    static Answer final_loss(const Asked& asked) {
        return computed(at_the_end(asked, "loss", [](Trained& process) { return process.loss(); }));
    }
    static Answer test_accuracy(const Asked& asked) {
        return computed(100 * at_the_end(asked, "test_accuracy", [](Trained& process) { return process.test_accuracy(); }), "%");
    }
    static Answer skipped_steps(const Asked& asked) {
        double count = 0;
        if (answers_for(asked) && asked.run->head() >= asked.setup.steps) {
            for (StepIndex step = 0; step < asked.setup.steps; ++step) count += asked.run->value_at("skipped", step).value_or(0);
            return computed(count, "steps");
        }
        Trained process(asked.setup);
        for (StepIndex step = 0; step < asked.setup.steps; ++step) {
            process.replay(step);
            count += process.skipped() ? 1 : 0;
        }
        return computed(count, "steps");
    }
    /// What the tape says, where each buffer ends with its last reader.
    static Answer peak_memory(const Asked& asked) {
        Trained process(asked.setup);
        const Tape& tape = process.tape();
        return counted(static_cast<double>(account_of(tape, lifetimes_of(tape), cpu_rules()).peak()), "bytes");
    }
    static Answer saved_activations(const Asked& asked) {
        Trained process(asked.setup);
        const Tape& tape = process.tape();
        const MemoryAccount account = account_of(tape, lifetimes_of(tape), cpu_rules());
        std::size_t most = 0;
        for (const BytesByUse& bytes : account.during) most = std::max(most, bytes[static_cast<std::size_t>(MemoryUse::saved_activation)]);
        return counted(static_cast<double>(most), "bytes");
    }
    static Answer step_bytes(const Asked& asked) {
        Trained process(asked.setup);
        double bytes = 0;
        for (const Node& node : process.tape().nodes()) bytes += node.cost.bytes_read + node.cost.bytes_written;
        return counted(bytes, "bytes");
    }
    static Answer step_flops(const Asked& asked) {
        Trained process(asked.setup);
        return counted(flops_of(process.tape()).all, "FLOPs");
    }

    static std::vector<AnswerEntry> entries() {
        return {
            {{"final_loss", "the loss of the last batch", true, false}, final_loss},
            {{"test_accuracy", "the share of the test set told right after training", true, false}, test_accuracy},
            {{"skipped_steps", "how many steps were skipped because a gradient overflowed", true, false}, skipped_steps},
            {{"peak_memory", "the most that a step must hold at once, were each buffer let go of after its last reader", false, false}, peak_memory},
            {{"saved_activations", "the most of it that the forward pass keeps for the way back", false, false}, saved_activations},
            {{"step_flops", "operations of a step", false, false}, step_flops},
            {{"step_bytes", "what the ops of a step read and write", false, false}, step_bytes},
        };
    }

private:
    /// What a series of this Run ends with, or what the net says that was trained as it is.
    template <class Told> static double at_the_end(const Asked& asked, const char* series, Told&& told) {
        if (answers_for(asked) && asked.setup.steps > 0)
            if (const auto value = asked.run->value_at(series, asked.setup.steps - 1)) return *value;
        Trained process(asked.setup);
        for (StepIndex step = 0; step < asked.setup.steps; ++step) process.replay(step);
        return told(process);
    }
};

} // namespace gradus
