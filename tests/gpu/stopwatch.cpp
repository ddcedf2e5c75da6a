#include "tests/gpu/stopwatch.hpp"

#include "tests/gpu/cuda_call.hpp"

#include <algorithm>
#include <utility>

namespace gradus::gpu {

namespace {

constexpr std::size_t fewest = 3, most = 25; // repeats
constexpr double enough_us = 500'000;
constexpr double too_slow_us = 2'000'000; // once is enough of what takes that long

class Event {
public:
    Event() { check(cudaEventCreate(&event_), "cudaEventCreate"); }
    ~Event() {
        if (event_) static_cast<void>(cudaEventDestroy(event_));
    }
    Event(Event&& other) noexcept : event_(std::exchange(other.event_, nullptr)) {}
    void record() const { check(cudaEventRecord(event_, nullptr), "cudaEventRecord"); }
    void wait() const { check(cudaEventSynchronize(event_), "running"); }
    double us_since(const Event& earlier) const {
        float ms = 0;
        check(cudaEventElapsedTime(&ms, earlier.event_, event_), "cudaEventElapsedTime");
        return 1000.0 * ms;
    }

private:
    cudaEvent_t event_ = nullptr;
};

} // namespace

std::vector<double> median_times(const std::vector<std::function<void()>>& parts) {
    for (const auto& part : parts) part();
    check(cudaDeviceSynchronize(), "running");
    const std::vector<Event> events(parts.size() + 1);
    std::vector<std::vector<double>> times(parts.size());
    double sum = 0;
    for (std::size_t repeat = 0; repeat < most && (repeat < fewest || sum < enough_us) && sum < too_slow_us; ++repeat) {
        events[0].record();
        for (std::size_t i = 0; i < parts.size(); ++i) {
            parts[i]();
            events[i + 1].record();
        }
        events.back().wait();
        for (std::size_t i = 0; i < parts.size(); ++i) times[i].push_back(events[i + 1].us_since(events[i]));
        sum += events.back().us_since(events.front());
    }
    std::vector<double> medians;
    for (std::vector<double>& each : times) {
        std::nth_element(each.begin(), each.begin() + static_cast<std::ptrdiff_t>(each.size() / 2), each.end());
        medians.push_back(each[each.size() / 2]);
    }
    return medians;
}

} // namespace gradus::gpu
