#include "lessons/experiments/train_gpt/settings.hpp"

#include "engine/core/error.hpp"
#include "engine/core/text.hpp"

#include <fmt/format.h>

namespace gradus::gpt {

namespace {

SequenceTask task_of(const Parameters& parameters) {
    const std::string& name = parameters.at("task");
    const auto kind = name == "sort"      ? SequenceTask::Kind::sort
                      : name == "reverse" ? SequenceTask::Kind::reverse
                                          : SequenceTask::Kind::add;
    const Dim length = parse_integer(parameters.at("length")).value_or(0), symbols = parse_integer(parameters.at("symbols")).value_or(0);
    try {
        return {kind, length, symbols};
    } catch (const ArgumentError& error) {
        throw ArgumentError(fmt::format("train_gpt: {}", error.what()));
    }
}

void check(const Settings& s) {
    const auto refuse = [](std::string why) { throw ArgumentError("train_gpt: " + why); };
    if (s.channels % s.heads != 0) refuse(fmt::format("{} channels cannot be shared by {} heads", s.channels, s.heads));
    if (s.attention == Attention::grouped_query && s.heads % 2 != 0)
        refuse(fmt::format("grouped-query attention has half as many key heads as heads, and {} is odd", s.heads));
    if (s.rotary && s.head_size() % 2 != 0) refuse(fmt::format("rotary positions turn a head's numbers in pairs, and {} is odd", s.head_size()));
    if (s.attention == Attention::latent && s.head_size() % 4 != 0)
        refuse(fmt::format("latent attention turns half of a head's numbers in pairs, and {} is no multiple of 4", s.head_size()));
    if (s.mlp == Mlp::experts && s.top_k > s.experts) refuse(fmt::format("a token cannot go to {} of {} experts", s.top_k, s.experts));
}

} // namespace

Settings read_settings(const Parameters& parameters, StepIndex steps) {
    const auto integer = [&](const char* name) { return parse_integer(parameters.at(name)).value_or(0); };
    Settings s;
    s.task = task_of(parameters);
    s.layers = integer("layers");
    s.channels = integer("channels");
    s.heads = integer("heads");
    const std::string& attention = parameters.at("attention");
    s.attention = attention == "multi-head"      ? Attention::multi_head
                  : attention == "grouped-query" ? Attention::grouped_query
                  : attention == "multi-query"   ? Attention::multi_query
                                                 : Attention::latent;
    s.fused = parameters.at("attention_form") == "fused";
    const std::string& fusion = parameters.at("fusion");
    s.fusion = fusion == "none" ? Settings::Fusion::none : fusion == "loss" ? Settings::Fusion::loss : Settings::Fusion::all;
    const std::string& mlp = parameters.at("mlp");
    s.mlp = mlp == "gelu" ? Mlp::gelu : mlp == "swiglu" ? Mlp::swiglu : Mlp::experts;
    s.experts = integer("experts");
    s.top_k = integer("top_k");
    s.rms_norm = parameters.at("norm") == "rms";
    s.rotary = parameters.at("positions") == "rotary";
    s.tied = parameters.at("head") == "tied";
    s.dropout = parse_number(parameters.at("dropout")).value_or(0);
    s.batch = integer("batch");
    s.training = read_training("train_gpt", parameters, steps);
    check(s);
    return s;
}

} // namespace gradus::gpt
