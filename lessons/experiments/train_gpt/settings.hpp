#pragma once

#include "engine/data/sequences.hpp"
#include "lessons/experiments/training/settings.hpp"

namespace gradus::gpt {

enum class Attention : std::uint8_t { multi_head, grouped_query, multi_query, latent };
enum class Mlp : std::uint8_t { gelu, swiglu, experts };

/// The parameters of train_gpt, read and checked.
struct Settings {
    SequenceTask task{SequenceTask::Kind::sort, 1, 2};
    Dim layers = 2, channels = 64, heads = 4;
    Attention attention = Attention::multi_head;
    bool fused = false; ///< attention as one node instead of its steps
    enum class Fusion : std::uint8_t { none, loss, all } fusion = Fusion::loss; ///< what else is done in one pass
    Mlp mlp = Mlp::gelu;
    Dim experts = 4, top_k = 2;
    bool rms_norm = false, rotary = false, tied = false;
    double dropout = 0;
    Dim batch = 64;
    TrainingSettings training;

    Dim head_size() const { return channels / heads; }
    Dim key_heads() const {
        return attention == Attention::multi_query ? 1 : attention == Attention::grouped_query ? heads / 2 : heads;
    }
};

/// Throws ArgumentError where the parameters do not fit each other or the `steps` of the run.
Settings read_settings(const Parameters& parameters, StepIndex steps);

} // namespace gradus::gpt
