#include "engine/trace/file/recorder.hpp"

#include "engine/core/error.hpp"
#include "engine/trace/file/log_sync.hpp"
#include "engine/trace/file/table_writer.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <fmt/format.h>
#include <limits>

namespace gradus {

namespace {

constexpr auto flush_interval = std::chrono::milliseconds(50); ///< from the beginning of one flush to that of the next
constexpr auto least_pause = std::chrono::milliseconds(10);    ///< between two flushes, however slow the disk
constexpr auto least_tensor_time = std::chrono::milliseconds(20); ///< per flush; else what the scalars leave of it

} // namespace

Recorder::Recorder(const std::filesystem::path& path, Options options)
    : path_(path), options_(options), writer_(std::make_unique<file::TableWriter>(path)),
      log_(std::make_unique<file::LogSync>(path)), thread_([this] { work(); }) {}

Recorder::~Recorder() {
    try {
        close();
    } catch (const Error&) { // a destructor has nobody to tell; close() does
    }
}

std::string Recorder::failure() const {
    const std::lock_guard lock(mutex_);
    return failure_;
}

void Recorder::add(RunWriter& writer) {
    auto events = std::make_shared<std::atomic<std::size_t>>(0);
    writer.protect_events_from(events);
    add(writer.shared_run(), std::move(events));
}

void Recorder::add(std::shared_ptr<const Run> run) { add(std::move(run), std::make_shared<std::atomic<std::size_t>>(0)); }

void Recorder::add(std::shared_ptr<const Run> run, std::shared_ptr<std::atomic<std::size_t>> events) {
    auto recorded = std::make_unique<file::RecordedRun>();
    recorded->run = std::move(run);
    recorded->events = std::move(events);
    const std::lock_guard lock(mutex_);
    if (stop_ || !failure_.empty()) recorded->events->store(std::numeric_limits<std::size_t>::max()); // nobody will write it
    recorded->number = static_cast<std::int64_t>(runs_.size());
    runs_.push_back(std::move(recorded));
}

void Recorder::work() {
    auto next_flush = std::chrono::steady_clock::now() + flush_interval;
    for (;;) {
        bool last;
        {
            std::unique_lock lock(mutex_);
            wake_.wait_until(lock, next_flush, [this] { return stop_; });
            last = stop_;
        }
        next_flush = std::chrono::steady_clock::now() + flush_interval;
        try {
            flush(last);
            if (const std::string failed = log_->failure(); !failed.empty()) throw FileError(failed);
            if (!last && log_->wants_new_log()) writer_->bring_in_log();
        } catch (const std::exception& error) {
            const std::lock_guard lock(mutex_);
            failure_ = writer_->reason_for(error);
            for (const auto& recorded : runs_) // nobody waits for a recorder that has failed
                recorded->events->store(std::numeric_limits<std::size_t>::max());
            return;
        }
        next_flush = std::max(next_flush, std::chrono::steady_clock::now() + least_pause);
        if (last) {
            const std::lock_guard lock(mutex_);
            for (const auto& recorded : runs_) recorded->events->store(std::numeric_limits<std::size_t>::max());
            return;
        }
    }
}

void Recorder::flush(bool last) {
    std::vector<file::RecordedRun*> runs;
    {
        const std::lock_guard lock(mutex_);
        for (const auto& recorded : runs_) runs.push_back(recorded.get());
    }
    const auto began = std::chrono::steady_clock::now();
    writer_->expect_in_place();
    writer_->begin();
    for (file::RecordedRun* recorded : runs) {
        // The state is read before the rest, so that "finished" is never written ahead of the last scalars.
        recorded->next_state = recorded->run->state();
        writer_->scalars(*recorded);
        // Nor ahead of the last tensors.
        writer_->describe(*recorded, recorded->tensors < recorded->observed ? RunState::growing : recorded->next_state);
    }
    writer_->commit();
    // Scalars never wait for tensors: these get what is left of the interval.
    const auto deadline = std::max(began + flush_interval, std::chrono::steady_clock::now() + least_tensor_time);
    std::size_t bytes = bytes_.load(), dropped = dropped_.load();
    writer_->begin();
    for (file::RecordedRun* recorded : runs)
        for (; recorded->tensors < recorded->observed; ++recorded->tensors) {
            if (!last && std::chrono::steady_clock::now() > deadline) break;
            const Run& run = *recorded->run;
            const StepIndex iteration = run.observed()[recorded->tensors].iteration;
            if (options_.planned_tensors_only && iteration % std::max<StepIndex>(1, run.manifest().observe_every) != 0 &&
                iteration > run.first_iteration() && iteration + 1 != run.manifest().planned_steps)
                continue;
            if (const auto kept = run.tensors_of(iteration))
                writer_->tensors(*recorded, *kept, bytes, options_.tensor_bytes, dropped);
            else ++dropped;
        }
    for (file::RecordedRun* recorded : runs)
        if (recorded->tensors == recorded->observed) writer_->describe(*recorded, recorded->next_state);
    writer_->set_dropped_tensors(dropped);
    writer_->commit();
    bytes_.store(bytes);
    dropped_.store(dropped);
    file_bytes_.store(writer_->file_bytes());
    if (options_.most_bytes > 0 && file_bytes_.load() > options_.most_bytes)
        throw FileError(fmt::format("{}: the recording ends here: it has grown to {} MB", path_.string(), file_bytes_.load() / 1'000'000));
}

void Recorder::close() {
    if (closed_) return;
    closed_ = true;
    {
        const std::lock_guard lock(mutex_);
        stop_ = true;
    }
    wake_.notify_all();
    thread_.join();
    log_.reset(); // the file becomes one when nobody else has it open
    std::string failed = failure();
    if (failed.empty() || writer_->has_moved()) { // wherever it is now, it is whole
        try {
            writer_->close();
        } catch (const FileError& error) {
            if (failed.empty()) failed = writer_->reason_for(error);
        }
    }
    writer_.reset();
    if (!failed.empty()) throw FileError(failed);
}

} // namespace gradus
