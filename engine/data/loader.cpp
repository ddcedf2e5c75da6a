#include "engine/data/loader.hpp"

#include "engine/core/error.hpp"

#include <cstring>
#include <fmt/format.h>

namespace gradus {

namespace {

constexpr std::size_t alignment = 64; // bytes; of a field in a staging buffer

std::size_t aligned(std::size_t bytes) { return (bytes + alignment - 1) / alignment * alignment; }

/// A batch is given up where its loader is destroyed.
struct GivenUp {};

[[noreturn]] void say_what_failed(StepIndex iteration, const std::exception_ptr& error) {
    std::string why = "for a reason that is not an error";
    try {
        std::rethrow_exception(error);
    } catch (const std::exception& known) {
        why = known.what();
    } catch (...) {}
    throw Error(fmt::format("the batch of iteration {} could not be made: {}", iteration, why));
}

} // namespace

std::string_view name_of(BatchWork work) {
    switch (work) {
    case BatchWork::load: return "load";
    case BatchWork::collate: return "collate";
    case BatchWork::stage: return "stage";
    case BatchWork::wait: return "wait";
    case BatchWork::copy: return "copy";
    }
    return "?";
}

Loader::Loader(std::shared_ptr<const Examples> examples, const SamplerSettings& order, Collate collate,
               std::vector<Field> fields, Settings settings)
    : examples_(std::move(examples)), collate_(std::move(collate)), fields_(std::move(fields)), settings_(std::move(settings)),
      sampler_(order) {
    if (settings_.workers < 0 || settings_.workers > 64)
        throw ArgumentError(fmt::format("workers must be 0 to 64, not {}", settings_.workers));
    if (settings_.prefetch < 1 || settings_.prefetch > 1024)
        throw ArgumentError(fmt::format("prefetch must be 1 to 1024 batches, not {}", settings_.prefetch));
    if (order.examples != examples_->size())
        throw ArgumentError(
            fmt::format("the order is one of {} examples, but the set has {}", order.examples, examples_->size()));
    const auto rows = static_cast<std::size_t>(order.batch);
    std::size_t bytes = 0;
    for (const Field& field : fields_) {
        offsets_.push_back(bytes);
        bytes += aligned(rows * field.bytes());
    }
    for (auto& buffer : buffers_) buffer = settings_.staging(bytes);
    cells_.resize(static_cast<std::size_t>(settings_.prefetch));
    for (int worker = 0; worker < settings_.workers; ++worker)
        threads_.emplace_back([this, worker](const std::stop_token& stop) { work(stop, worker + 1); });
    if (settings_.workers > 0) threads_.emplace_back([this](const std::stop_token& stop) { stage_all(stop); });
}

Loader::Loader(std::shared_ptr<const Examples> examples, const SamplerSettings& order, Settings settings)
    : Loader(examples, order, stacked(examples->fields()), examples->fields(), std::move(settings)) {}

Loader::~Loader() {
    for (std::jthread& thread : threads_) thread.request_stop(); // all of them before any is waited for
    threads_.clear();
}

/// Loads and collates; an error is kept for the consumer.
void Loader::make(Desk& desk, StepIndex iteration, std::int32_t lane, const std::stop_token& stop) const {
    Made& made = desk.made;
    made.iteration = iteration;
    made.rows = static_cast<Dim>(desk.rows.size());
    made.records.clear();
    made.error = nullptr;
    try {
        BatchRecord load{BatchWork::load, lane, now_ticks(), 0};
        desk.samples.resize(desk.rows.size());
        for (std::size_t i = 0; i < desk.rows.size(); ++i) {
            if (stop.stop_requested()) throw GivenUp();
            try {
                examples_->load(desk.rows[i], desk.samples[i]);
            } catch (const std::exception& error) {
                throw Error(fmt::format("example {}: {}", desk.rows[i], error.what()));
            }
        }
        load.end = now_ticks();
        BatchRecord collate{BatchWork::collate, lane, now_ticks(), 0};
        made.fields.resize(fields_.size());
        std::vector<std::byte*> to;
        for (std::size_t f = 0; f < fields_.size(); ++f) {
            made.fields[f].resize(static_cast<std::size_t>(sampler_.settings().batch) * fields_[f].bytes());
            to.push_back(made.fields[f].data());
        }
        collate_(desk.samples, to);
        for (std::size_t f = 0; f < fields_.size(); ++f) { // a short batch
            const std::size_t missing = static_cast<std::size_t>(sampler_.settings().batch - made.rows);
            const auto each = static_cast<std::size_t>(fields_[f].shape.elements());
            fill_padding(fields_[f], to[f] + desk.rows.size() * fields_[f].bytes(), missing * each);
        }
        collate.end = now_ticks();
        made.records = {load, collate};
    } catch (...) {
        made.error = std::current_exception();
    }
}

void Loader::stage(Made& made, std::size_t buffer, std::int32_t lane, Staged& staged) const {
    staged.rows = made.rows;
    staged.error = made.error;
    staged.records = made.records;
    if (made.error) return;
    BatchRecord record{BatchWork::stage, lane, now_ticks(), 0};
    for (std::size_t f = 0; f < fields_.size(); ++f)
        if (!made.fields[f].empty())
            std::memcpy(buffers_[buffer]->data() + offsets_[f], made.fields[f].data(), made.fields[f].size());
    record.end = now_ticks();
    staged.records.push_back(record);
}

void Loader::work(const std::stop_token& stop, std::int32_t lane) {
    Desk desk;
    std::unique_lock lock(mutex_);
    for (;;) {
        const auto has_room = [&] { return next_ < staging_ + settings_.prefetch; };
        if (!changed_.wait(lock, stop, has_room)) return;
        const StepIndex iteration = next_++;
        const std::uint64_t generation = generation_;
        std::exception_ptr no_order;
        try {
            sampler_.rows(iteration, desk.rows);
        } catch (...) {
            no_order = std::current_exception();
        }
        lock.unlock();
        if (!no_order) make(desk, iteration, lane, stop);
        else desk.made.iteration = iteration, desk.made.error = no_order;
        lock.lock();
        if (stop.stop_requested()) return;
        if (generation != generation_) continue;
        desk.made.ready = true;
        std::swap(desk.made, cell(iteration)); // its buffers serve for the next
        desk.made.ready = false;
        changed_.notify_all();
    }
}

void Loader::stage_all(const std::stop_token& stop) {
    const std::int32_t lane = settings_.workers + 1;
    Made made;
    Staged staged;
    std::unique_lock lock(mutex_);
    for (;;) {
        const auto can = [&] { return cell(staging_).ready && staging_ < released_until_ + 2; };
        if (!changed_.wait(lock, stop, can) || stop.stop_requested()) return;
        const StepIndex iteration = staging_++;
        const std::uint64_t generation = generation_;
        std::swap(made, cell(iteration));
        cell(iteration).ready = false;
        lock.unlock();
        changed_.notify_all(); // the cell is free
        const auto buffer = static_cast<std::size_t>(iteration % 2);
        stage(made, buffer, lane, staged);
        lock.lock();
        if (generation != generation_) continue;
        std::swap(staged_[buffer], staged);
        staged_until_ = iteration + 1;
        changed_.notify_all();
    }
}

void Loader::seek(StepIndex iteration) {
    if (iteration < 0) throw ArgumentError(fmt::format("there is no batch of iteration {}", iteration));
    const std::lock_guard lock(mutex_);
    at_hand_ = {};
    const bool failed = staged_until_ > wanted_ && staged_[static_cast<std::size_t>(wanted_ % 2)].error;
    if (iteration == wanted_ && !failed) return;
    ++generation_;
    wanted_ = next_ = staging_ = staged_until_ = released_until_ = iteration;
    for (Made& made : cells_) made.ready = false;
    changed_.notify_all();
}

const Batch* Loader::give(Staged& staged, Ticks asked) {
    if (staged.error) say_what_failed(wanted_, staged.error);
    at_hand_.iteration = wanted_;
    at_hand_.rows = staged.rows;
    at_hand_.records = staged.records;
    at_hand_.records.push_back({BatchWork::wait, 0, asked, now_ticks()});
    at_hand_.fields.clear();
    const std::byte* data = buffers_[static_cast<std::size_t>(wanted_ % 2)]->data();
    for (std::size_t f = 0; f < fields_.size(); ++f)
        at_hand_.fields.emplace_back(data + offsets_[f],
                                     static_cast<std::size_t>(sampler_.settings().batch) * fields_[f].bytes());
    ++wanted_;
    return &at_hand_;
}

const Batch* Loader::next(const std::stop_token& stop) {
    if (settings_.workers == 0) {
        if (stop.stop_requested()) return nullptr;
        sampler_.rows(wanted_, own_desk_.rows);
        make(own_desk_, wanted_, 0, stop);
        if (stop.stop_requested()) return nullptr;
        Staged& staged = staged_[static_cast<std::size_t>(wanted_ % 2)];
        stage(own_desk_.made, static_cast<std::size_t>(wanted_ % 2), 0, staged);
        return give(staged, now_ticks());
    }
    const Ticks asked = now_ticks();
    std::unique_lock lock(mutex_);
    released_until_ = wanted_; // what was at hand
    changed_.notify_all();
    if (!changed_.wait(lock, stop, [&] { return staged_until_ > wanted_; })) return nullptr;
    return give(staged_[static_cast<std::size_t>(wanted_ % 2)], asked);
}

void Loader::copy(std::size_t field, std::byte* to) {
    BatchRecord record{BatchWork::copy, 0, now_ticks(), 0};
    const std::span<const std::byte> from = at_hand_.fields.at(field);
    if (!from.empty()) std::memcpy(to, from.data(), from.size());
    record.end = now_ticks();
    if (!at_hand_.records.empty() && at_hand_.records.back().work == BatchWork::copy) at_hand_.records.back().end = record.end;
    else at_hand_.records.push_back(record);
}

Loader::BatchBytes Loader::batch_bytes() const {
    const auto bytes = [&](const std::vector<Field>& fields) {
        double sum = 0;
        for (const Field& field : fields) sum += static_cast<double>(field.bytes());
        return sum * static_cast<double>(sampler_.settings().batch);
    };
    return {bytes(examples_->fields()), bytes(fields_)};
}

} // namespace gradus
