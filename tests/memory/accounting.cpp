// A training step holds what its account says, byte for byte, and no more than PyTorch's; scratch memory of kernels is counted
// beside it. Gradients and losses do not change where buffers are let go of early.
#include "engine/autograd/memory_account.hpp"

#include "engine/core/error.hpp"
#include "engine/memory/address_checker.hpp"
#include "engine/ops/ops.hpp"
#include "tests/memory/heap.hpp"
#include "tests/memory/models.hpp"
#include "tests/support/check.hpp"
#include "tests/support/safetensors.hpp"
#include "tests/support/tensors.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

using namespace gradus;
using namespace gradus::test;

namespace {

const std::vector<std::string>& model_names() {
    static const std::vector<std::string> names{"mlp", "cnn", "gpt", "gpt_in_steps", "residual_mlp"};
    return names;
}

/// The most that the pool's allocator has handed out during one step in the steady state.
std::int64_t measured_peak(Model& model, const Lifetimes& lifetimes) {
    for (int step = 0; step < 2; ++step) execute_step(*model.tape, lifetimes);
    model.pool->allocator().reset_peaks();
    execute_step(*model.tape, lifetimes);
    return model.pool->allocator().statistics().allocated.peak;
}

std::int64_t pytorch_peak(const std::string& model) {
    std::ifstream stream(source_path("tests/golden/memory_peaks.json"));
    const std::string text{std::istreambuf_iterator<char>(stream), {}};
    return nlohmann::json::parse(text).at("models").at(model).at("peak_bytes").get<std::int64_t>();
}

void execute_all(Tape& tape) {
    for (NodeIndex node = 0; node < static_cast<NodeIndex>(tape.nodes().size()); ++node) tape.execute(node);
}

} // namespace

TEST(memory_account_is_what_the_allocator_holds) {
    for (const std::string& name : model_names())
        for (const bool checkpointed : {false, true})
            for (const auto kind : {Optimizer::Kind::sgd, Optimizer::Kind::adam}) {
                const Row row(fmt::format("{}{} {}", name, checkpointed ? " checkpointed" : "", static_cast<int>(kind)));
                ModelOptions options;
                options.blocks_per_segment = checkpointed ? 1 : 0;
                options.optimizer = {kind, 1e-3};
                Model model = model_named(name, options);
                const Lifetimes lifetimes = lifetimes_of(*model.tape);
                const MemoryAccount account = account_of(*model.tape, lifetimes, model.pool->allocator().rules());
                const std::int64_t held = measured_peak(model, lifetimes);
                CHECK_EQUAL(static_cast<std::int64_t>(account.peak()), held);
                CHECK_EQUAL(static_cast<std::int64_t>(total(account.at_rest)), model.pool->allocator().statistics().allocated.now);
                // and the parts are what they say
                std::size_t parameters = 0;
                for (const ValueIndex parameter : model.parameters)
                    parameters += model.pool->allocator().rules().block(model.tape->tensor(parameter).bytes());
                const auto part = [](const BytesByUse& bytes, MemoryUse use) { return bytes[static_cast<std::size_t>(use)]; };
                CHECK_EQUAL(part(account.at_rest, MemoryUse::parameter), parameters);
                CHECK_EQUAL(part(account.of_all, MemoryUse::gradient), parameters);
                const std::size_t state = kind == Optimizer::Kind::sgd ? 0 : 2 * parameters + model.pool->allocator().rules().block(4);
                CHECK_EQUAL(part(account.at_rest, MemoryUse::optimizer_state), state);
                std::size_t saved = 0;
                for (const BytesByUse& bytes : account.during) saved = std::max(saved, part(bytes, MemoryUse::saved_activation));
                CHECK(saved > 0);
            }
}

TEST(memory_account_holds_node_by_node) {
    for (const std::string& name : model_names()) {
        const Row row(name);
        Model model = model_named(name);
        Tape& tape = *model.tape;
        CachingAllocator& allocator = model.pool->allocator();
        const Lifetimes lifetimes = lifetimes_of(tape);
        const MemoryAccount account = account_of(tape, lifetimes, allocator.rules());
        execute_step(tape, lifetimes);
        for (NodeIndex node = 0; node < static_cast<NodeIndex>(tape.nodes().size()); ++node) {
            const auto at = static_cast<std::size_t>(node);
            tape.execute(node);
            const auto held = static_cast<std::size_t>(allocator.statistics().allocated.now);
            CHECK_EQUAL(held, total(account.during[at]));
            for (const ValueIndex value : lifetimes.ended[at]) tape.release(value);
        }
    }
}

TEST(memory_of_a_step_is_at_most_that_of_pytorch) {
    for (const std::string& name : model_names()) {
        const Row row(name);
        Model model = model_named(name);
        const Lifetimes lifetimes = lifetimes_of(*model.tape);
        // The guards of an address checker are not the model's; that the account is what is held is tested above, guards and all.
        const std::int64_t ours = address_checker::guard == 0 ? measured_peak(model, lifetimes)
                                                              : static_cast<std::int64_t>(account_of(*model.tape, lifetimes, cpu_rules()).peak());
        const std::int64_t theirs = pytorch_peak(name);
        fmt::print("    {}: {} of PyTorch's {} bytes, {:.3f}\n", name, ours, theirs, static_cast<double>(ours) / static_cast<double>(theirs));
        CHECK(ours <= theirs, fmt::format("{} of {} bytes, {:.3f}", ours, theirs, static_cast<double>(ours) / static_cast<double>(theirs)));
    }
}

TEST(memory_peak_with_the_scratch_of_kernels_is_within_a_percent) {
    if (!heap::is_counted) skip("a sanitizer has its own operator new");
    for (const std::string& name : model_names()) {
        const Row row(name);
        Model model = model_named(name);
        Tape& tape = *model.tape;
        const Lifetimes lifetimes = lifetimes_of(tape);
        const auto account = static_cast<std::size_t>(measured_peak(model, lifetimes));
        const std::int64_t reserved = model.pool->allocator().statistics().reserved.now;
        std::size_t peak = 0, most_scratch = 0;
        for (NodeIndex node = 0; node < static_cast<NodeIndex>(tape.nodes().size()); ++node) {
            const std::size_t start = heap::now();
            heap::reset_peak();
            tape.execute(node);
            const std::size_t scratch = heap::peak() - start;
            most_scratch = std::max(most_scratch, scratch);
            peak = std::max(peak, static_cast<std::size_t>(model.pool->allocator().statistics().allocated.now) + scratch);
            for (const ValueIndex value : lifetimes.ended[static_cast<std::size_t>(node)]) tape.release(value);
        }
        CHECK_EQUAL(model.pool->allocator().statistics().reserved.now, reserved); // nothing new of the system
        fmt::print("    {}: {} bytes with scratch, {} accounted for; the most scratch of a kernel {}\n", name, peak, account, most_scratch);
        CHECK(peak >= account && static_cast<double>(peak) <= 1.01 * static_cast<double>(account), fmt::format("{} and {}", peak, account));
    }
}

TEST(memory_let_go_of_changes_no_bit) {
    for (const std::string& name : model_names())
        for (const bool checkpointed : {false, true}) {
            const Row row(fmt::format("{} {}", name, checkpointed));
            ModelOptions options;
            options.dropout = 0.1;
            Model kept = model_named(name, options);
            options.blocks_per_segment = checkpointed ? 1 : 0;
            Model freed = model_named(name, options);
            const Lifetimes lifetimes = lifetimes_of(*freed.tape);
            for (int step = 0; step < 3; ++step) {
                for (Model* model : {&kept, &freed})
                    for (const NodeIndex node : model->dropouts) model->tape->set_attribute(node, 2, step);
                execute_all(*kept.tape);
                execute_step(*freed.tape, lifetimes);
                CHECK(same_bits(kept.tape->tensor(kept.loss), freed.tape->tensor(freed.loss)));
                for (std::size_t i = 0; i < kept.parameters.size(); ++i)
                    CHECK(same_bits(kept.tape->tensor(kept.parameters[i]), freed.tape->tensor(freed.parameters[i])),
                          kept.tape->value(kept.parameters[i]).name);
            }
            CHECK(kept.dropouts.size() > 1);
        }
}

TEST(memory_lifetimes_end_with_the_last_reader) {
    Tape tape(cpu(), std::make_shared<BufferPool>());
    const ValueIndex x = tape.input("x", random_tensor(shape_of({4, 6}), DType::f32, 1), Role::data);
    const auto made = [&](const Op& op, ValueIndex in, const char* name, Attributes attributes = {}) {
        return tape.node(tape.apply(op, Phase::forward, "m", {in}, {name}, attributes)).outputs[0];
    };
    const ValueIndex a = made(ops::relu(), x, "a"), turned = made(ops::transpose(), a, "aT", {0, 1});
    const ValueIndex b = made(ops::tanh(), a, "b"), c = made(ops::contiguous(), turned, "c"), d = made(ops::relu(), b, "d");
    const Lifetimes ends = lifetimes_of(tape, std::vector{d});
    CHECK_EQUAL(ends.values[static_cast<std::size_t>(a)].last, 3); // read through its view
    CHECK(ends.values[static_cast<std::size_t>(turned)].first > ends.values[static_cast<std::size_t>(turned)].last);
    CHECK_EQUAL(ends.values[static_cast<std::size_t>(b)].last, 4);
    CHECK_EQUAL(ends.values[static_cast<std::size_t>(c)].last, 3); // nobody reads it
    CHECK_EQUAL(ends.values[static_cast<std::size_t>(d)].last, 5);
    CHECK_EQUAL(ends.values[static_cast<std::size_t>(x)].last, 5);
    execute_step(tape, ends);
    CHECK_EQUAL(values_of(tape.tensor(d)).size(), 24u);
    CHECK_THROWS(tape.tensor(a), Error, "a has no buffer");
    CHECK_THROWS(tape.execute(2), Error, "tanh in m reads a, which has no buffer");
    CHECK_THROWS(tape.release(x), Error, "x cannot be let go of");
    const Tensor held = tape.tensor(d); // a snapshot stays with whoever has it
    tape.release(d);
    CHECK_EQUAL(values_of(held).size(), 24u);
}
