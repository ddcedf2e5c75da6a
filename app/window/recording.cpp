#include "app/window/recording.hpp"

#include "engine/core/error.hpp"
#include "engine/core/text.hpp"

#include <cerrno>
#include <csignal>
#include <fmt/format.h>
#include <mutex>
#include <unistd.h>

namespace gradus {

namespace fs = std::filesystem;

namespace {

void remove_recording(const fs::path& path) {
    std::error_code error;
    for (const char* suffix : {"", "-wal", "-shm"}) fs::remove(path.string() + suffix, error);
}

/// run-4711-2.gradus belongs to process 4711.
bool belongs_to_a_running_lab(const fs::path& path) {
    const std::string name = path.filename().string();
    const std::size_t from = name.find('-'), until = name.find('-', from + 1);
    if (from == std::string::npos || until == std::string::npos) return false;
    const auto process = parse_integer(std::string_view(name).substr(from + 1, until - from - 1));
    if (!process || *process <= 1 || *process == ::getpid()) return false;
    return ::kill(static_cast<pid_t>(*process), 0) == 0 || errno == EPERM;
}

} // namespace

/// One session's recording. The engine's thread adds Runs, the window asks how it stands, others open and close it.
struct Recording::Tape {
    mutable std::mutex mutex; // protects what follows; may be held while a file is made or closed
    fs::path path;
    bool on = false;
    std::vector<std::shared_ptr<const Run>> runs;
    std::unique_ptr<Recorder> recorder;
    std::string failure;
    std::atomic<bool> writing{false}; ///< there is a file
    std::atomic<std::size_t> bytes{0};

    /// Makes the file; `newest` is the Run that is just starting and protected from losing events, or null.
    void open(RunWriter* newest) {
        try {
            std::error_code error;
            fs::create_directories(path.parent_path(), error);
            Recorder::Options options;
            options.most_bytes = most_bytes;
            options.planned_tensors_only = true;
            recorder = std::make_unique<Recorder>(path, options);
            for (const auto& run : runs)
                if (newest && run == newest->shared_run()) recorder->add(*newest);
                else recorder->add(run);
            failure.clear();
            writing = true;
        } catch (const Error& problem) {
            recorder.reset();
            failure = problem.what();
        }
    }
    void close() {
        if (!recorder) return;
        try {
            recorder->close();
        } catch (const Error& problem) {
            failure = problem.what();
        }
        recorder.reset();
        writing = false;
    }
};

Recording::Recording(fs::path folder, const fs::path& keep, bool on) : folder_(std::move(folder)), on_(on) {
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder_, error))
        if (entry.path().extension() == ".gradus" && entry.path() != keep && entry.path().filename().string().starts_with("run-") &&
            !belongs_to_a_running_lab(entry.path()))
            remove_recording(entry.path());
}

Recording::~Recording() {
    under_way_.clear(); // waits
    if (!tape_) return;
    const std::lock_guard lock(tape_->mutex);
    tape_->close();
}

void Recording::later(std::function<void()> work) {
    std::erase_if(under_way_, [](std::future<void>& one) { return one.wait_for(std::chrono::seconds(0)) == std::future_status::ready; });
    under_way_.push_back(std::async(std::launch::async, std::move(work)));
}

Session::RunStarted Recording::begin() {
    if (tape_) {
        former_.push_back(tape_->path);
        later([old = tape_] {
            const std::lock_guard lock(old->mutex);
            old->on = false;
            old->close();
        });
    }
    tape_ = std::make_shared<Tape>();
    tape_->on = on_;
    do tape_->path = folder_ / fmt::format("run-{}-{}.gradus", ::getpid(), ++count_);
    while (fs::exists(tape_->path));
    return [tape = tape_](RunWriter& writer) {
        const std::lock_guard lock(tape->mutex);
        tape->runs.push_back(writer.shared_run());
        if (!tape->on) return;
        if (tape->recorder) tape->recorder->add(writer);
        else if (tape->failure.empty()) tape->open(&writer);
    };
}

void Recording::dropFormer() {
    if (former_.empty()) return;
    later([files = std::exchange(former_, {})] { // one that is still being closed is gone when that is done
        for (const fs::path& file : files) remove_recording(file);
    });
}

void Recording::setOn(bool on) {
    if (on == on_) return;
    on_ = on;
    if (!tape_) return;
    later([tape = tape_, on] {
        const std::lock_guard lock(tape->mutex);
        if (on == tape->on) return;
        tape->on = on;
        tape->close();
        remove_recording(tape->path);
        tape->failure.clear();
        tape->bytes = 0;
        if (on && !tape->runs.empty()) tape->open(nullptr);
    });
}

fs::path Recording::file() const {
    return on_ && tape_ && tape_->writing ? tape_->path : fs::path(); // the path is never changed
}

std::size_t Recording::bytes() const {
    if (!tape_) return 0;
    std::unique_lock lock(tape_->mutex, std::try_to_lock); // a frame does not wait while a file is being made
    if (lock && tape_->recorder) tape_->bytes = tape_->recorder->file_bytes();
    return tape_->bytes;
}

std::string Recording::failure() const {
    if (!tape_) return {};
    std::unique_lock lock(tape_->mutex, std::try_to_lock);
    if (!lock) return {};
    if (tape_->recorder && tape_->failure.empty()) return tape_->recorder->failure();
    return tape_->failure;
}

} // namespace gradus
