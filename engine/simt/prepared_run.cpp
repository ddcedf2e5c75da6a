#include "engine/simt/prepared_run.hpp"

#include "engine/core/error.hpp"
#include "engine/core/hash.hpp"
#include "engine/core/worker_pool.hpp"
#include "engine/kernels/kernel_values.hpp"
#include "engine/simt/runtime/kernel_library.hpp"
#include "engine/simt/runtime/plain_runner.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <limits>
#include <thread>

namespace gradus::simt {

namespace {

constexpr std::uint64_t alignment = 256; // bytes, as cudaMalloc's
constexpr std::uint64_t gap = 4096;      // between buffers: what runs out of one does not fall into the next
constexpr std::int64_t most_elements = std::int64_t{1} << 29; // of all buffers: the reference has each as a double, and there are several of it

std::size_t size_in_bytes(const KernelBuffer& buffer) { return static_cast<std::size_t>(buffer.count()) * size_of(buffer.type); }

std::uint64_t bits_of(const KernelStep::Argument& argument) {
    return std::visit(
        [](const auto& value) -> std::uint64_t {
            using T = std::decay_t<decltype(value)>;
            if constexpr (std::is_same_v<T, std::string>) return 0;
            else if constexpr (std::is_same_v<T, float>) return std::bit_cast<std::uint32_t>(value);
            else if constexpr (std::is_same_v<T, double>) return std::bit_cast<std::uint64_t>(value);
            else return static_cast<std::uint64_t>(value);
        },
        argument);
}

void check_sizes(const Ladder& ladder, const std::vector<KernelBuffer>& buffers) {
    std::int64_t all = 0;
    for (const KernelBuffer& buffer : buffers) {
        double count = 1; // which does not overflow
        for (const std::int64_t size : buffer.sizes) count *= static_cast<double>(size);
        if (!(count <= most_elements)) throw ArgumentError(fmt::format("{}: {} would have {:.0f} elements, more than can be held", ladder.id, buffer.name, count));
        all += buffer.count();
    }
    if (all > most_elements) throw ArgumentError(fmt::format("{}: the buffers would have {} elements together, more than can be held", ladder.id, all));
}

void check_launch(const Rung& rung, const KernelStep& step) {
    const auto refuse = [&](const std::string& why) { throw ArgumentError(fmt::format("{}: the launch of {} {}", rung.id, step.kernel, why)); };
    const Dim3 &g = step.grid, &b = step.block;
    if (b.x < 1 || b.y < 1 || b.z < 1 || b.x > 1024 || b.y > 1024 || b.z > 64 || b.count() > 1024)
        refuse(fmt::format("has blocks of {} × {} × {} threads; at most 1024 in all, 64 in z", b.x, b.y, b.z));
    if (g.x < 1 || g.y < 1 || g.z < 1 || g.y > 65535 || g.z > 65535) refuse(fmt::format("has a grid of {} × {} × {} blocks; at most 65535 in y and z", g.x, g.y, g.z));
    if (step.shared_bytes < 0 || step.shared_bytes > 227 * 1024) refuse(fmt::format("asks for {} bytes of dynamic shared memory; at most 232448", step.shared_bytes));
}

} // namespace

Problem usual_problem(const Ladder& ladder, const Problem& given) {
    Problem problem;
    for (const ProblemSize& size : ladder.sizes) problem[size.name] = size.usual;
    for (const auto& [name, value] : given) {
        if (!problem.contains(name)) {
            std::string known;
            for (const ProblemSize& size : ladder.sizes) known += (known.empty() ? "" : ", ") + size.name;
            throw ArgumentError(fmt::format("{} has no size \"{}\"; it has {}", ladder.id, name, known));
        }
        const auto& size = *std::find_if(ladder.sizes.begin(), ladder.sizes.end(), [&, &key = name](const ProblemSize& each) { return each.name == key; });
        const bool zero = size.usual == 0 || std::find(size.odd.begin(), size.odd.end(), 0) != size.odd.end(); // a switch that may be off
        if (value < (zero ? 0 : 1)) throw ArgumentError(fmt::format("{}: {} is {}; at least {}", ladder.id, name, value, zero ? 0 : 1));
        constexpr std::int64_t most = 2147483647; // kernels take it as an int
        if (value > most) throw ArgumentError(fmt::format("{}: {} is {}; at most {}", ladder.id, name, value, most));
        problem[name] = value;
    }
    return problem;
}

PreparedRun::PreparedRun(const Ladder& of, const Rung& with, const Problem& sizes, Dim3 shape, std::uint64_t seed)
    : ladder(&of), rung(&with), problem(usual_problem(of, sizes)), block(shape), seed_(seed) {
    if (std::find(with.blocks.begin(), with.blocks.end(), shape) == with.blocks.end()) {
        std::string legal;
        for (const Dim3& each : with.blocks) legal += fmt::format("{}{}x{}x{}", legal.empty() ? "" : ", ", each.x, each.y, each.z);
        throw ArgumentError(fmt::format("{}/{} cannot have blocks of {}x{}x{}; it has {}", of.id, with.id, shape.x, shape.y, shape.z, legal));
    }
    buffers = of.buffers(problem);
    check_sizes(of, buffers);
    plan = with.plan(problem, shape);
    buffers.insert(buffers.end(), plan.scratch.begin(), plan.scratch.end());
    check_sizes(of, buffers);
    for (const KernelStep& step : plan.steps) check_launch(with, step);
    for (const KernelBuffer& buffer : buffers) {
        offsets.push_back(bytes);
        bytes += (size_in_bytes(buffer) + gap + alignment - 1) / alignment * alignment;
    }
}

std::vector<std::string> kernels_of(const KernelPlan& plan) {
    std::vector<std::string> out;
    for (const KernelStep& step : plan.steps)
        if (std::find(out.begin(), out.end(), step.kernel) == out.end()) out.push_back(step.kernel);
    return out;
}

StorageRef PreparedRun::initial(std::size_t buffer) const {
    std::call_once(initial_->made, [&] {
        const auto pool = std::make_shared<BufferPool>();
        std::vector<StorageRef> made(of_ladder());
        for (std::size_t i = 0; i < made.size(); ++i) {
            if (buffers[i].fill == KernelBuffer::Fill::garbage) continue;
            made[i] = pool->allocate(bytes_of(i));
            write_initial(buffers[i], seed_, static_cast<std::byte*>(made[i].data()));
        }
        initial_->of = std::move(made);
    });
    return buffer < initial_->of.size() ? initial_->of[buffer] : StorageRef();
}

PreparedRun PreparedRun::with(const KernelValues& given) const {
    PreparedRun out = *this;
    out.initial_ = std::make_shared<Initial>();
    std::call_once(out.initial_->made, [&] {
        const auto pool = std::make_shared<BufferPool>();
        for (std::size_t i = 0; i < of_ladder(); ++i) {
            const auto found = given.find(buffers[i].name);
            if (found == given.end()) {
                out.initial_->of.push_back(initial(i));
                continue;
            }
            StorageRef made = pool->allocate(bytes_of(i));
            store_values(buffers[i].type, found->second, static_cast<std::byte*>(made.data()));
            out.initial_->of.push_back(std::move(made));
        }
    });
    return out;
}

KernelValues PreparedRun::initial_numbers() const {
    KernelValues out;
    std::vector<std::byte> garbage;
    for (std::size_t i = 0; i < of_ladder(); ++i) {
        const StorageRef known = initial(i);
        if (!known) garbage.resize(bytes_of(i)), write_initial(buffers[i], seed_, garbage.data());
        out[buffers[i].name] = load_values(buffers[i].type, known ? static_cast<const std::byte*>(known.data()) : garbage.data(), static_cast<std::size_t>(buffers[i].count()));
    }
    return out;
}

std::size_t PreparedRun::bytes_of(std::size_t buffer) const { return size_in_bytes(buffers[buffer]); }

void PreparedRun::fill_buffer(std::size_t buffer, std::byte* to) const {
    const StorageRef known = initial(buffer);
    if (known) std::memcpy(to, known.data(), bytes_of(buffer));
    else write_initial(buffers[buffer], buffer < of_ladder() ? seed_ : 0, to);
}

void PreparedRun::fill(std::byte* memory) const {
    struct Piece {
        std::byte* to;
        const std::byte* from;
        std::size_t bytes;
    };
    constexpr std::size_t piece = 4 << 20; // bytes: what is copied while another thread begins
    std::vector<Piece> pieces;
    for (std::size_t i = 0; i < buffers.size(); ++i) {
        const StorageRef known = initial(i);
        if (!known) fill_buffer(i, memory + offsets[i]);
        for (std::size_t at = 0; known && at < bytes_of(i); at += piece)
            pieces.push_back({memory + offsets[i] + at, static_cast<const std::byte*>(known.data()) + at, std::min(piece, bytes_of(i) - at)});
    }
    WorkerPool workers(std::clamp(static_cast<int>(std::min<std::size_t>(pieces.size() / 2, std::thread::hardware_concurrency())), 1, 8)); // to a new page it is slow
    workers.parallel_for(static_cast<int>(pieces.size()), [&](int i) {
        const Piece& one = pieces[static_cast<std::size_t>(i)];
        std::memcpy(one.to, one.from, one.bytes);
    });
}

KernelValues PreparedRun::outputs(const std::byte* memory) const {
    KernelValues out;
    for (std::size_t i = 0; i < buffers.size(); ++i)
        if (buffers[i].output) out[buffers[i].name] = load_values(buffers[i].type, memory + offsets[i], static_cast<std::size_t>(buffers[i].count()));
    return out;
}

OutputError worst_of(const std::vector<OutputError>& errors) {
    constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
    OutputError worst{{}, unknown, unknown};
    for (const OutputError& one : errors) {
        if (std::isnan(one.error)) return one;
        // Of those that are allowed nothing the larger; else their shares of what is allowed, without a quotient.
        const double here = one.allowed > 0 ? one.error * worst.allowed : one.error, there = one.allowed > 0 ? worst.error * one.allowed : worst.error;
        if (worst.name.empty() || here > there) worst = one;
    }
    return worst;
}

std::string output_hash(const PreparedRun& run, const std::string& output, const std::byte* memory) {
    const auto found = std::find_if(run.buffers.begin(), run.buffers.end(), [&](const KernelBuffer& buffer) { return buffer.name == output; });
    if (found == run.buffers.end()) throw ArgumentError(fmt::format("{}/{} has no buffer \"{}\"", run.ladder->id, run.rung->id, output));
    const auto i = static_cast<std::size_t>(found - run.buffers.begin());
    return hash_hex(hash_bytes(memory + run.offsets[i], run.bytes_of(i)));
}

std::vector<LaunchRequest::Step> PreparedRun::launches(const std::vector<std::string>& entries) const {
    std::vector<LaunchRequest::Step> out;
    for (const KernelStep& step : plan.steps) {
        LaunchRequest::Step made;
        made.entry = static_cast<int>(std::find(entries.begin(), entries.end(), step.kernel) - entries.begin());
        made.shape = {step.grid, step.block, step.shared_bytes};
        for (const KernelStep::Argument& argument : step.arguments) {
            LaunchRequest::Argument one{-1, bits_of(argument)};
            if (const auto* name = std::get_if<std::string>(&argument)) {
                const auto found = std::find_if(buffers.begin(), buffers.end(), [&](const KernelBuffer& buffer) { return buffer.name == *name; });
                if (found == buffers.end()) throw ArgumentError(fmt::format("{}/{}: {} is launched with a buffer \"{}\" that there is not", ladder->id, rung->id, step.kernel, *name));
                one.buffer = static_cast<int>(found - buffers.begin());
            }
            made.arguments.push_back(one);
        }
        out.push_back(std::move(made));
    }
    return out;
}

std::vector<LaunchRequest::Buffer> PreparedRun::request_buffers() const {
    std::vector<LaunchRequest::Buffer> out;
    for (std::size_t i = 0; i < buffers.size(); ++i)
        out.push_back({buffers[i].name, offsets[i], bytes_of(i), static_cast<std::int32_t>(std::min<std::size_t>(size_of(buffers[i].type), 4))});
    return out;
}

std::vector<OutputError> compare(const PreparedRun& run, const KernelValues& outputs) {
    KernelValues wanted = run.initial_numbers();
    run.ladder->reference(run.problem, wanted);
    std::vector<OutputError> out;
    for (const KernelBuffer& buffer : run.buffers) {
        if (!buffer.output) continue;
        std::vector<double> reference = wanted.at(buffer.name);
        if (run.rung->tolerance == 0)
            for (double& value : reference) value = rounded(buffer.type, value);
        const double error = relative_error(outputs.at(buffer.name), reference);
        const double allowed = run.rung->tolerance * (run.ladder->condition ? run.ladder->condition(run.problem, wanted, buffer.name) : 1);
        out.push_back({buffer.name, error, allowed, error <= allowed});
    }
    return out;
}

void run_plain(const PreparedRun& run, const std::string& path, std::byte* memory) {
    const KernelLibrary library(path);
    library.attach(PlainRunner::runtime());
    PlainRunner runner;
    for (const LaunchRequest::Step& step : run.launches(run.kernels())) {
        std::vector<std::uint64_t> values;
        for (const LaunchRequest::Argument& argument : step.arguments)
            values.push_back(argument.buffer < 0 ? argument.bits : reinterpret_cast<std::uint64_t>(memory) + run.offsets[static_cast<std::size_t>(argument.buffer)]);
        std::vector<void*> arguments;
        for (std::uint64_t& value : values) arguments.push_back(&value);
        const KernelEntry entry = library.entry(step.entry);
        for (std::int64_t block = 0; block < step.shape.blocks(); ++block) runner.run_block(step.shape, block, entry, arguments.data());
    }
}

} // namespace gradus::simt
