#pragma once

#include "tests/support/stolen.hpp"
#include "tests/window/stall_witness.hpp"

#include <QApplication>
#include <QElapsedTimer>
#include <QTimer>
#include <utility>
#include <vector>

namespace gradus {

/// An application that times what its thread does: every event, every frame of the window, and how long the loop was
/// away from looking for events. By the thread's own time, since engine and other tests want the same cores.
class StormClock : public QApplication {
public:
    struct Event {
        double cpu_ms = 0, wall_ms = 0;
        long new_pages = 0; ///< of memory that the thread wrote to or read from for the first time
        QString what; ///< event, receiver, what was being done
        std::vector<StallWitness::Look> looks; ///< where it was, if it took long
    };
    struct Report {
        std::size_t frames = 0;
        double median_ms = 0, p99_ms = 0;
        double stall_cpu_ms = 0, stall_wall_ms = 0;
        double stall_stolen_ms = 0; ///< by the host of a virtual machine meanwhile; not in stall_cpu_ms
        QString stall_at;
        std::vector<Event> slowest; ///< twelve, longest first
        /// What the slowest hundredth of the frames did: milliseconds per frame, most first.
        std::vector<std::pair<double, QString>> slow_frames;
    };

    using QApplication::QApplication;
    /// The window whose frames are counted: the one with the frame timer.
    void watch(QObject& window);
    void begin();
    Report end();
    /// What happens between these two is not counted.
    void pause();
    void go_on();
    /// What is being done from now on, for the report.
    void now(const QString& what) { doing_ = what; }

    bool notify(QObject* receiver, QEvent* event) override;

private:
    /// From one look to the next.
    struct Frame {
        double ms = 0;
        std::vector<std::pair<double, QString>> parts; ///< those over a tenth of a millisecond
    };

    void beat();

    QTimer heart_;
    QObject* frame_timer_ = nullptr;
    bool counting_ = false;
    int depth_ = 0;
    QString doing_, since_beat_;
    double beat_cpu_ms_ = 0;
    QElapsedTimer clock_;
    qint64 beat_wall_ns_ = 0;
    test::StolenTimes stolen_;
    StallWitness witness_;
    Frame frame_;
    std::vector<Frame> frames_;
    Report report_;
};

/// What the machine's memory is like just now, in this thread's time. A virtual machine that hands back to its host what was
/// freed takes ten times as long for a new MiB, and every picture of a new size with it; one whose neighbours want the same
/// memory reads from it ten times as slowly, while its arithmetic is as fast as ever.
struct MemorySpeed {
    double new_mib_ms = 0; ///< to write to a MiB for the first time: 0.1 to 0.5 on most machines
    double read_ns = 0;    ///< one read of 64 MiB after the other, each of a place that hangs on the one before: about 100
};
MemorySpeed memory_speed();

} // namespace gradus
