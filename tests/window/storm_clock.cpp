#include "tests/window/storm_clock.hpp"

#include <QAbstractEventDispatcher>
#include <QMetaEnum>
#include <QThread>
#include <algorithm>
#include <cstdint>
#include <ctime>
#include <map>
#include <sys/mman.h>
#include <sys/resource.h>

namespace gradus {

namespace {

constexpr std::size_t most_slow = 12;
constexpr double most_untold_ms = 30; // of an event that took longer it is told where it was

/// A virtual machine books what was taken from it as the thread's time later, all at once: the thread was never busy for
/// longer than the clock says.
double busy_ms(double cpu_ms, qint64 wall_ns) { return std::min(cpu_ms, static_cast<double>(wall_ns) / 1e6); }

double thread_ms() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
}

/// Source: getrusage(2), of this thread.
long pages_found() {
    rusage usage{};
    getrusage(RUSAGE_THREAD, &usage);
    return usage.ru_minflt;
}

QString name_of_event(QEvent::Type type) {
    const char* name = QMetaEnum::fromType<QEvent::Type>().valueToKey(type);
    return name ? QString::fromLatin1(name) : QString::number(static_cast<int>(type));
}

} // namespace

void StormClock::watch(QObject& window) {
    frame_timer_ = window.findChild<QTimer*>(QString(), Qt::FindDirectChildrenOnly);
    heart_.setTimerType(Qt::PreciseTimer);
    // A round of the loop begins with a look at what the window system has for it. Only when a round is over does it say so;
    // a timer's beat would come in the middle of one and count two halves with a look between them as one.
    connect(QAbstractEventDispatcher::instance(), &QAbstractEventDispatcher::awake, this, [this] {
        if (counting_ && depth_ == 0) beat();
    });
}

void StormClock::begin() {
    report_ = {};
    frames_.clear();
    go_on();
}

void StormClock::go_on() {
    counting_ = true;
    frame_ = {};
    clock_.start();
    beat_wall_ns_ = 0;
    beat_cpu_ms_ = thread_ms();
    since_beat_.clear();
    heart_.start(1); // no round waits for something to happen
}

void StormClock::pause() {
    heart_.stop();
    counting_ = false;
}

/// One round of the loop has ended: how long had it been away?
void StormClock::beat() {
    const double cpu = thread_ms();
    const qint64 wall = clock_.nsecsElapsed();
    if (const double busy = busy_ms(cpu - beat_cpu_ms_, wall - beat_wall_ns_); busy > report_.stall_cpu_ms) {
        const double stolen = stolen_.since(std::chrono::steady_clock::now() - std::chrono::nanoseconds(wall - beat_wall_ns_));
        if (busy - stolen > report_.stall_cpu_ms) {
            report_.stall_cpu_ms = busy - stolen;
            report_.stall_stolen_ms = stolen;
            report_.stall_at = since_beat_;
        }
    }
    report_.stall_wall_ms = std::max(report_.stall_wall_ms, static_cast<double>(wall - beat_wall_ns_) / 1e6);
    beat_cpu_ms_ = cpu;
    beat_wall_ns_ = wall;
    since_beat_.clear();
}

StormClock::Report StormClock::end() {
    pause();
    std::sort(frames_.begin(), frames_.end(), [](const Frame& a, const Frame& b) { return a.ms < b.ms; });
    report_.frames = frames_.size();
    if (frames_.empty()) return report_;
    const std::size_t slow = std::min(frames_.size() - 1, frames_.size() * 99 / 100);
    report_.median_ms = frames_[frames_.size() / 2].ms;
    report_.p99_ms = frames_[slow].ms;
    std::map<QString, double> parts;
    for (std::size_t i = slow; i < frames_.size(); ++i)
        for (const auto& [ms, what] : frames_[i].parts) parts[what] += ms / static_cast<double>(frames_.size() - slow);
    for (const auto& [what, ms] : parts) report_.slow_frames.emplace_back(ms, what);
    std::sort(report_.slow_frames.rbegin(), report_.slow_frames.rend());
    if (report_.slow_frames.size() > most_slow) report_.slow_frames.resize(most_slow);
    return report_;
}

bool StormClock::notify(QObject* receiver, QEvent* event) {
    if (!counting_ || depth_ > 0 || thread() != QThread::currentThread()) return QApplication::notify(receiver, event);
    const QEvent::Type type = event->type();
    const QString who = receiver->metaObject()->className(); // it may be gone afterwards
    const bool frame = receiver == frame_timer_ && type == QEvent::Timer;
    if (frame) { // the frame before ends here: its look, its painting and what people did meanwhile
        frames_.push_back(std::exchange(frame_, {}));
    }
    ++depth_;
    const double begin = thread_ms();
    const long pages = pages_found();
    const qint64 wall = clock_.nsecsElapsed();
    witness_.begin();
    const bool result = QApplication::notify(receiver, event);
    std::vector<StallWitness::Look> looks = witness_.end();
    const qint64 wall_ns = clock_.nsecsElapsed() - wall;
    const double took = busy_ms(thread_ms() - begin, wall_ns);
    --depth_;
    frame_.ms += took;
    if (took > 0.1) frame_.parts.emplace_back(took, name_of_event(type) + " of " + who);
    if (took > 3) {
        const QString what = QStringLiteral("%1 of %2, after: %3").arg(name_of_event(type), who, doing_);
        since_beat_ += QStringLiteral("[%1 ms %2] ").arg(took, 0, 'f', 1).arg(what);
        auto& slow = report_.slowest;
        slow.push_back({took, static_cast<double>(wall_ns) / 1e6, pages_found() - pages, what, took > most_untold_ms ? std::move(looks) : std::vector<StallWitness::Look>{}});
        std::sort(slow.begin(), slow.end(), [](const Event& a, const Event& b) { return a.cpu_ms > b.cpu_ms; });
        if (slow.size() > most_slow) slow.pop_back();
    }
    return result;
}

MemorySpeed memory_speed() {
    constexpr std::size_t mib = 64, bytes = mib << 20, page = 4096;
    constexpr int reads = 20'000;
    void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return {};
    volatile char* const at = static_cast<volatile char*>(memory);
    const double begin = thread_ms();
    for (std::size_t i = 0; i < bytes; i += page) at[i] = 0;
    const double touched = thread_ms();
    std::uint32_t place = 1;
    for (int i = 0; i < reads; ++i) place = place * 1664525u + 1013904223u + static_cast<std::uint32_t>(at[place >> 6]); // 2³² / 2⁶: all of it
    const double read = thread_ms();
    munmap(memory, bytes);
    return {(touched - begin) / mib, (read - touched) * 1e6 / reads};
}

} // namespace gradus
