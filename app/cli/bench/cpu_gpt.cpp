#include "app/cli/bench/cpu.hpp"

#include "engine/core/philox.hpp"
#include "engine/nn/transformer.hpp"
#include "engine/ops/ops.hpp"
#include "engine/optim/optimizer.hpp"
#include "engine/trace/manifest.hpp"
#include "engine/trace/tape_trace.hpp"

#include <fmt/format.h>
#include <map>

namespace gradus::cli {

namespace {

struct Recipe {
    int layers, heads, channels, time, batch, vocabulary;
    double ratio, share; ///< to reach: PyTorch / Gradus, and of the multiply-adds' rate
};

/// A GPT's whole training step with AdamW, with an event per node, as a lesson runs it.
class GptStep {
public:
    GptStep(const Recipe& r, int threads)
        : tape_(std::make_shared<Device>(DeviceOptions{"cpu", "", threads}), std::make_shared<BufferPool>()),
          run_(std::make_shared<Run>(Manifest{}, std::vector<SeriesInfo>{}, nullptr, RunBudget{})), writer_(run_) {
        std::vector<ValueIndex> parameters;
        const Module gpt(tape_, "gpt", DType::f32, 1, parameters);
        const auto numbers = [&](const char* name, const Shape& shape, unsigned seed, int below) {
            const Philox random(seed, 1);
            std::vector<double> values(static_cast<std::size_t>(shape.elements()));
            for (std::size_t i = 0; i < values.size(); ++i)
                values[i] = below > 0 ? static_cast<int>(random.uniform(i) * below) : static_cast<double>(i);
            return tape_.input(name, Tensor::from_numbers(tape_.pool(), shape, DType::i32, values), Role::data);
        };
        const Shape tokens{{r.batch, "B"}, {r.time, "T"}};
        const ValueIndex index = numbers("index", tokens, 1, r.vocabulary), place = numbers("place", {{r.time, "T"}}, 2, 0);
        const ValueIndex label = numbers("label", {{Dim{r.batch} * r.time, "B·T"}}, 3, r.vocabulary);
        ValueIndex x = gpt.apply(ops::add(),
                                 {Embedding(gpt.part("token"), r.vocabulary, r.channels, 0.02)(index),
                                  Embedding(gpt.part("place"), r.time, r.channels, 0.02)(place)}, "x");
        AttentionShape shape;
        shape.channels = r.channels, shape.heads = shape.key_heads = r.heads, shape.fused = true;
        for (int layer = 0; layer < r.layers; ++layer)
            x = TransformerBlock(gpt.part("block" + std::to_string(layer)), shape, 4 * Dim{r.channels},
                                 TransformerBlock::Style::gpt)(x);
        x = LayerNorm(gpt.part("norm"), r.channels)(x);
        const ValueIndex z = Projection(gpt.part("head"), r.channels, r.vocabulary, false)(x);
        const ValueIndex flat =
            gpt.apply(ops::reshape(), {z}, "z", reshape_to({Dim{r.batch} * r.time, r.vocabulary}));
        const auto loss = gpt.apply(ops::cross_entropy_with_logits(), {flat, label}, std::vector<std::string>{"loss", "lse"})[0];
        tape_.backward(loss);
        loss_ = loss;
        std::vector<ValueIndex> gradients;
        for (const ValueIndex p : parameters) gradients.push_back(tape_.value(p).gradient);
        Optimizer::Settings settings;
        settings.kind = Optimizer::Kind::adamw, settings.lr = 1e-3, settings.weight_decay = 0.01;
        const Optimizer optimizer(tape_, settings, parameters, gradients);
        std::vector<ValueIndex> state = parameters;
        state.insert(state.end(), optimizer.state().begin(), optimizer.state().end());
        trace_ = std::make_unique<TapeTrace>(tape_, state);
        trace_->begin(writer_, false);
        for (const Node& node : tape_.nodes()) products_ += is_product(node) ? node.cost.flops : 0;
    }
    void operator()() {
        writer_.begin_iteration(iteration_++, false);
        trace_->step(writer_);
        writer_.end_iteration();
    }
    double flops() const { return products_; } ///< of matrix products, attention's among them
    double loss() const { return tape_.scalar(loss_); }
    /// What ops take of a step: the six largest, by the clock.
    std::string largest_parts() {
        std::map<std::string, double> least;
        std::vector<double> of_node(tape_.nodes().size(), 1e300);
        for (int round = 0; round < 5; ++round)
            for (std::size_t i = 0; i < of_node.size(); ++i) {
                const Ticks start = now_ticks();
                tape_.execute(static_cast<NodeIndex>(i));
                of_node[i] = std::min(of_node[i], static_cast<double>(now_ticks() - start));
            }
        double all = 0;
        for (std::size_t i = 0; i < of_node.size(); ++i) least[std::string(tape_.nodes()[i].op->name)] += of_node[i], all += of_node[i];
        std::vector<std::pair<double, std::string>> parts;
        for (const auto& [name, ticks] : least) parts.emplace_back(-ticks / all, name);
        std::sort(parts.begin(), parts.end());
        std::string text;
        for (std::size_t i = 0; i < std::min<std::size_t>(6, parts.size()); ++i)
            text += fmt::format("{}{} {:.0f} %", i ? ", " : "", parts[i].second, -100 * parts[i].first);
        return text;
    }

private:
    static bool is_product(const Node& node) {
        return node.op->name.find("matmul") != std::string_view::npos || node.op->name.find("attention") != std::string_view::npos;
    }

    Tape tape_;
    std::shared_ptr<Run> run_;
    RunWriter writer_;
    std::unique_ptr<TapeTrace> trace_;
    ValueIndex loss_ = no_value;
    StepIndex iteration_ = 0;
    double products_ = 0;
};

} // namespace

void gpt_rows(CpuPeers& peers, std::vector<BenchRow>& rows) {
    for (const Recipe& r : {Recipe{4, 4, 128, 64, 12, 65, 2.2, 0.6}, Recipe{6, 6, 384, 64, 4, 65, 1.6, 0.65}})
        for (const int threads : {1, 2}) {
            GptStep ours(r, threads);
            std::vector<Contestant> all{{"Gradus", [&] { return least_seconds(ours, 0.6); }}};
            for (const char* mode : {"eager", "compiled"})
                if (peers.torch)
                    all.push_back(peers.torch_turn(fmt::format("PyTorch {}", mode),
                                                   {{"cmd", "gpt"}, {"layers", r.layers}, {"heads", r.heads}, {"channels", r.channels},
                                                    {"time", r.time}, {"batch", r.batch}, {"vocabulary", r.vocabulary},
                                                    {"threads", threads}, {"mode", mode}, {"seconds", 0.6}}));
            race(all, 4);
            const std::string name = fmt::format("GPT {} layers, C {}, T {}, B {}, one step, {} thread{}", r.layers, r.channels, r.time,
                                                 r.batch, threads, threads > 1 ? "s" : "");
            BenchRow row{"cpu", name + ", PyTorch / Gradus", 0, "ratio", r.ratio, true, ""};
            for (const Contestant& each : all) row.beside.emplace_back(each.name, each.seconds * 1e3);
            row.beside_unit = "ms";
            row.skipped = all.size() == 1;
            if (row.skipped) row.note = "no PyTorch to compare with";
            else row.value = std::min(all[1].seconds, all[2].seconds) / all[0].seconds;
            rows.push_back(std::move(row));
            BenchRow share{"cpu", name + ", products / peak", ours.flops() / all[0].seconds / peers.peak[threads], "ratio", r.share, true,
                           fmt::format("{:.2f} GFLOP in {:.4g} ms", ours.flops() * 1e-9, all[0].seconds * 1e3)};
            share.limited_by = ours.largest_parts();
            rows.push_back(std::move(share));
        }
}

} // namespace gradus::cli
