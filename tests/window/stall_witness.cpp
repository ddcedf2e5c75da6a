#include "tests/window/stall_witness.hpp"

#include <QStringList>
#include <csignal>
#include <cstdlib>
#include <cxxabi.h>
#include <dlfcn.h>
#include <execinfo.h>
#include <memory>

namespace gradus {

namespace {

using Clock = std::chrono::steady_clock;

QString name_of(void* address) {
    Dl_info info{};
    if (!dladdr(address, &info) || !info.dli_sname) return {};
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> plain(abi::__cxa_demangle(info.dli_sname, nullptr, nullptr, &status), &std::free);
    const QString name = QString::fromUtf8(status == 0 ? plain.get() : info.dli_sname);
    return name.section(QLatin1Char('('), 0, 0);
}

} // namespace

StallWitness* StallWitness::only_ = nullptr;

StallWitness::StallWitness() : watched_(pthread_self()) {
    only_ = this;
    void* first = nullptr;
    backtrace(&first, 1); // loads what it needs, which a signal's handler may not
    struct sigaction action {};
    action.sa_handler = &StallWitness::look;
    action.sa_flags = SA_RESTART;
    sigaction(SIGUSR2, &action, nullptr);
    watcher_ = std::jthread([this](const std::stop_token& stop) {
        while (!stop.stop_requested()) {
            std::this_thread::sleep_for(between);
            const auto since = since_.load();
            if (since != 0 && Clock::now().time_since_epoch().count() - since > std::chrono::nanoseconds(long_after).count())
                pthread_kill(watched_, SIGUSR2);
        }
    });
}

StallWitness::~StallWitness() {
    watcher_.request_stop();
    watcher_.join();
    std::signal(SIGUSR2, SIG_IGN);
    only_ = nullptr;
}

void StallWitness::begin() {
    seen_ = 0;
    since_ = Clock::now().time_since_epoch().count();
}

void StallWitness::look(int) {
    const int seen = only_->seen_;
    if (only_->since_ == 0 || seen >= most_looks) return;
    Look& look = only_->looks_[static_cast<std::size_t>(seen)];
    look.depth = backtrace(look.frames.data(), most_frames);
    only_->seen_ = seen + 1;
}

std::vector<StallWitness::Look> StallWitness::end() {
    since_ = 0;
    return {looks_.begin(), looks_.begin() + seen_};
}

QString StallWitness::told(const std::vector<Look>& looks) {
    std::vector<std::pair<QString, int>> counted;
    for (const Look& look : looks) {
        QStringList names;
        for (int at = 2; at < look.depth && names.size() < 14; ++at) { // the handler and the signal's frame stand before
            const QString name = name_of(look.frames[static_cast<std::size_t>(at)]);
            if (!name.isEmpty() && (names.isEmpty() || names.back() != name)) names += name;
        }
        const QString line = names.join(QStringLiteral(" < "));
        if (!counted.empty() && counted.back().first == line) ++counted.back().second;
        else counted.emplace_back(line, 1);
    }
    QString text;
    for (const auto& [line, times] : counted) text += QStringLiteral("          %1 x  %2\n").arg(times).arg(line);
    return text;
}

} // namespace gradus
