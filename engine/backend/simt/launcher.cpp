#include "engine/backend/simt/launcher.hpp"

#include "engine/backend/simt/binding_parts.hpp"
#include "engine/core/error.hpp"
#include "engine/simt/compile.hpp"
#include "engine/simt/kernel_run.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <limits>
#include <sstream>

namespace gradus::simt {

namespace {

bool holds(const KernelBuffer& buffer, DType dtype) {
    switch (dtype) {
    case DType::f32: return buffer.type == ElementType::f32;
    case DType::f16: return buffer.type == ElementType::f16;
    case DType::bf16: return buffer.type == ElementType::bf16;
    case DType::f64: return buffer.type == ElementType::f64;
    case DType::i32: return buffer.type == ElementType::i32;
    case DType::i64: return buffer.type == ElementType::i64;
    case DType::u8: return buffer.type == ElementType::u8;
    case DType::boolean: return false;
    }
    return false;
}

bool fits(const KernelBuffer& buffer, const GradusArray& array) {
    return holds(buffer, static_cast<DType>(array.dtype)) && buffer.count() == elements(array) &&
           buffer.count() <= std::numeric_limits<int>::max();
}

/// What every GPU takes as a grid.
bool is_legal(const KernelPlan& plan) {
    return std::all_of(plan.steps.begin(), plan.steps.end(), [](const KernelStep& step) {
        return step.grid.x >= 1 && step.grid.y >= 1 && step.grid.z >= 1 && step.grid.y <= 65535 && step.grid.z <= 65535 &&
               step.shared_bytes <= 227 * 1024;
    });
}

/// Places the call's arrays in the ladder's buffers. False where one does not fit.
bool place(const Binding& binding, const GradusCall& call, std::vector<ReadyRung::Buffer>& buffers) {
    const auto find = [&](const char* name) {
        const auto at =
            std::find_if(buffers.begin(), buffers.end(), [&](const ReadyRung::Buffer& buffer) { return buffer.what.name == name; });
        if (at == buffers.end()) throw Error(fmt::format("{} is bound to a buffer '{}' that {} has not", binding.op, name, binding.ladder));
        return at;
    };
    for (std::size_t i = 0; i < binding.inputs.size(); ++i) {
        if (!*binding.inputs[i]) continue;
        const auto buffer = find(binding.inputs[i]);
        if (!fits(buffer->what, call.inputs[i])) return false;
        buffer->input = static_cast<int>(i);
    }
    for (std::size_t i = 0; i < binding.outputs.size(); ++i) {
        const auto buffer = find(binding.outputs[i]);
        if (!fits(buffer->what, call.outputs[i])) return false;
        buffer->output = static_cast<int>(i);
    }
    return true;
}

ReadyRung::Argument argument_of(const KernelStep::Argument& argument, const ReadyRung& rung, int& number) {
    return std::visit(
        [&](const auto& value) -> ReadyRung::Argument {
            using T = std::decay_t<decltype(value)>;
            if constexpr (std::is_same_v<T, std::string>) {
                const auto at =
                    std::find_if(rung.buffers.begin(), rung.buffers.end(), [&](const auto& buffer) { return buffer.what.name == value; });
                return {.buffer = static_cast<int>(at - rung.buffers.begin())};
            } else if constexpr (std::is_same_v<T, float>) {
                return {.number = rung.binding->numbers ? number++ : -1, .bits = std::bit_cast<std::uint32_t>(value)};
            } else if constexpr (std::is_same_v<T, double>) return {.bits = std::bit_cast<std::uint64_t>(value)};
            else return {.bits = static_cast<std::uint64_t>(value)};
        },
        argument);
}

} // namespace

Launcher::Launcher(int threads, const std::string& rungs) : pool_(threads), runners_(static_cast<std::size_t>(threads)) {
    std::istringstream words(rungs);
    for (std::string word; words >> word;) {
        const auto [ladder, rung] = find_rung(word);
        rungs_[ladder->id] = rung->id;
    }
}

const Rung& Launcher::chosen(const Binding& binding, const Ladder& ladder) const {
    const auto wanted = rungs_.find(ladder.id);
    const std::string id = wanted == rungs_.end() ? binding.rung : wanted->second;
    return *find_rung(ladder.id + "/" + id).second;
}

std::string Launcher::key_of(const Ladder& ladder, const Rung& rung, const std::vector<std::string>& entries) {
    std::string key = ladder.id + "/" + rung.id;
    for (const std::string& entry : entries) key += " " + entry;
    return key;
}

const KernelLibrary& Launcher::library_of(const Ladder& ladder, const Rung& rung, const KernelPlan& plan) {
    std::unique_ptr<KernelLibrary>& library = libraries_[key_of(ladder, rung, kernels_of(plan))];
    if (!library) {
        library = std::make_unique<KernelLibrary>(compile_kernel(source_of(ladder, rung, plan), KernelBuild::plain));
        library->attach(PlainRunner::runtime());
    }
    return *library;
}

const ReadyRung* Launcher::ready(const Binding& binding, const GradusCall& call) {
    if (call.input_count != static_cast<int>(binding.inputs.size()) || call.output_count != static_cast<int>(binding.outputs.size()))
        return nullptr;
    const std::optional<Problem> problem = binding.problem(call);
    if (!problem || std::any_of(problem->begin(), problem->end(),
                                [](const auto& size) { return size.second < 0 || size.second > std::numeric_limits<int>::max(); }))
        return nullptr;
    const auto known = ready_.find({&binding, *problem});
    if (known != ready_.end()) {
        // the same problem may be asked for with arrays of other types
        for (const ReadyRung::Buffer& buffer : known->second->buffers)
            if ((buffer.input >= 0 && !fits(buffer.what, call.inputs[buffer.input])) ||
                (buffer.output >= 0 && !fits(buffer.what, call.outputs[buffer.output])))
                return nullptr;
        return known->second.get();
    }
    const Ladder& ladder = *find_rung(binding.ladder).first;
    const Rung& rung = chosen(binding, ladder);
    auto made = std::make_unique<ReadyRung>();
    made->binding = &binding;
    made->problem = *problem;
    made->name = names_.insert(ladder.id + "/" + rung.id).first->c_str();
    for (KernelBuffer& buffer : ladder.buffers(*problem)) {
        if (buffer.name == binding.zero) buffer.fill = KernelBuffer::Fill::zero;
        made->buffers.push_back({.what = std::move(buffer)});
    }
    if (!place(binding, call, made->buffers)) return nullptr;
    KernelPlan plan = rung.plan(*problem, rung.blocks.front());
    if (!is_legal(plan)) return nullptr;
    for (KernelBuffer& buffer : plan.scratch) made->buffers.push_back({.what = std::move(buffer)});
    for (ReadyRung::Buffer& buffer : made->buffers)
        if (buffer.input < 0 && buffer.output < 0) {
            const std::size_t bytes = (static_cast<std::size_t>(buffer.what.count()) * size_of(buffer.what.type) + 256) / 256 * 256;
            buffer.own = {static_cast<std::byte*>(std::aligned_alloc(256, bytes)), &std::free};
            if (!buffer.own) throw std::bad_alloc();
        }
    const std::vector<std::string> entries = kernels_of(plan);
    const KernelLibrary* library = texts_.contains(ladder.id) ? nullptr : &library_of(ladder, rung, plan);
    if (!library) made->served = &served_of(ladder, rung, plan);
    int number = 0;
    for (const KernelStep& step : plan.steps) {
        ReadyRung::Launch launch;
        launch.number = static_cast<int>(std::find(entries.begin(), entries.end(), step.kernel) - entries.begin());
        if (library) launch.entry = library->entry(launch.number);
        launch.shape = {step.grid, step.block, step.shared_bytes};
        for (const KernelStep::Argument& argument : step.arguments) launch.arguments.push_back(argument_of(argument, *made, number));
        made->launches.push_back(std::move(launch));
    }
    return (ready_[{&binding, *problem}] = std::move(made)).get();
}

void Launcher::run(const ReadyRung& rung, const GradusCall& call) {
    const Binding& binding = *rung.binding;
    if (binding.index >= 0) {
        const GradusArray& array = call.inputs[binding.index];
        const std::int64_t most = rung.problem.at(binding.below);
        const auto* values = static_cast<const std::int32_t*>(array.data);
        for (std::int64_t i = 0; i < elements(array); ++i)
            if (values[i] < 0 || values[i] >= most)
                throw ArgumentError(fmt::format("{} of {} is outside of 0 to {}", binding.op, values[i], most - 1));
    }
    const std::vector<float> numbers = binding.numbers ? binding.numbers(call) : std::vector<float>{};
    if (rung.served) return serve(rung, call, numbers);
    std::vector<std::uint64_t> memory; // where each buffer begins
    for (const ReadyRung::Buffer& buffer : rung.buffers) {
        void* data = buffer.input >= 0    ? call.inputs[buffer.input].data
                     : buffer.output >= 0 ? call.outputs[buffer.output].data
                                          : buffer.own.get();
        // Rungs move sixteen bytes at a time where they can, as an allocation's first element lets them.
        if (reinterpret_cast<std::uint64_t>(data) % 16)
            throw Error(fmt::format("{} begins at an address that is no multiple of 16 bytes", buffer.what.name));
        if (buffer.input < 0 && buffer.what.fill == KernelBuffer::Fill::zero)
            std::memset(data, 0, static_cast<std::size_t>(buffer.what.count()) * size_of(buffer.what.type));
        memory.push_back(reinterpret_cast<std::uint64_t>(data));
    }
    for (const ReadyRung::Launch& launch : rung.launches) {
        std::vector<std::uint64_t> values;
        for (const ReadyRung::Argument& argument : launch.arguments)
            values.push_back(argument.buffer >= 0   ? memory[static_cast<std::size_t>(argument.buffer)]
                             : argument.number >= 0 ? std::bit_cast<std::uint32_t>(numbers.at(static_cast<std::size_t>(argument.number)))
                                                    : argument.bits);
        std::vector<void*> arguments;
        for (std::uint64_t& value : values) arguments.push_back(&value);
        run_blocks(launch, arguments.data());
    }
}

void Launcher::run_blocks(const ReadyRung::Launch& launch, void** arguments) {
    const std::int64_t blocks = launch.shape.blocks();
    const int pieces = static_cast<int>(std::min<std::int64_t>(pool_.threads(), blocks));
    std::vector<std::string> troubles(static_cast<std::size_t>(pieces));
    std::atomic<std::int64_t> next{0};
    auto take_blocks = [&](int piece) {
        const auto at = static_cast<std::size_t>(piece);
        try {
            if (!runners_[at]) runners_[at] = std::make_unique<PlainRunner>();
            for (std::int64_t block; (block = next.fetch_add(1)) < blocks;)
                runners_[at]->run_block(launch.shape, block, launch.entry, arguments);
        } catch (const std::exception& error) {
            troubles[at] = error.what();
        }
    };
    if (pieces == 1) take_blocks(0);
    else pool_.parallel_for(pieces, take_blocks);
    for (const std::string& why : troubles)
        if (!why.empty()) throw Error(why);
}

} // namespace gradus::simt
