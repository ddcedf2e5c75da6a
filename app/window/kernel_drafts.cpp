#include "app/window/kernel_drafts.hpp"

#include "engine/core/error.hpp"
#include "engine/simt/compile.hpp"
#include "engine/simt/kernel_run.hpp"
#include "lessons/experiments/run_kernel/run_kernel.hpp"
#include "lessons/experiments/run_kernel/settings.hpp"
#include "views/derive/engine_words.hpp"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>

namespace gradus {

namespace {

constexpr std::chrono::milliseconds patience{6'000}; // for a kernel that somebody waits for

/// A stop that is requested once something newer is wanted.
class StopWhenOutdated {
public:
    explicit StopWhenOutdated(const std::atomic<bool>& outdated)
        : watch_([this, &outdated](const std::stop_token& end) {
              while (!end.stop_requested() && !outdated) std::this_thread::sleep_for(std::chrono::milliseconds(10));
              if (outdated) source_.request_stop();
          }) {}
    std::stop_token token() const { return source_.get_token(); }

private:
    std::stop_source source_;
    std::jthread watch_;
};

/// Its beginning, in whole lines where there are any: more than that nobody reads, and to lay it out would stall the window.
void keep_printed(KernelDraft& draft, const simt::PrintedText& printed) {
    constexpr std::size_t most = 16'384;
    std::size_t kept = printed.text.size();
    if (kept > most) {
        const std::size_t line = printed.text.rfind('\n', most - 1);
        kept = line == std::string::npos ? most : line + 1;
    }
    draft.printed = QString::fromUtf8(printed.text.data(), static_cast<qsizetype>(kept));
    draft.printed_more = printed.text.size() - kept + printed.left_out;
}

KernelDraft refused(KernelDraft draft, const simt::CompileError& error) {
    draft.state = KernelDraft::State::refused;
    for (const simt::CompilerMessage& message : error.messages())
        if (message.severity != "warning" && message.severity != "note")
            // What is missing at the end is noticed behind it, in what the lab adds there.
            draft.messages.push_back({std::min(message.line, static_cast<int>(draft.text.trimmed().count('\n')) + 1), message.column, QString::fromStdString(message.message)});
    draft.sentence = QString::fromStdString(error.what());
    return draft;
}

} // namespace

KernelDrafts::KernelDrafts(QObject* parent) : QObject(parent), tries_(&KernelDrafts::tried) {}

std::shared_ptr<const KernelDrafts::Tried> KernelDrafts::tried(const Wish& wish, const std::atomic<bool>& outdated) {
    KernelDraft draft;
    draft.text = wish.text;
    draft.asked = wish.asked;
    const StopWhenOutdated stop(outdated);
    const auto start = std::chrono::steady_clock::now();
    try {
        Setup setup = wish.setup;
        setup.parameters["source"] = wish.text.toStdString();
        kernels::Settings settings = kernels::read_settings(setup);
        simt::compile_request(settings.request, stop.token());
        draft.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        draft.state = KernelDraft::State::compiles;
        if (wish.run) {
            settings.request.recording = {};
            settings.request.at_most = patience;
            const simt::KernelRun run = simt::run_kernel(settings.request, stop.token());
            draft.state = run.end.done ? KernelDraft::State::ran : KernelDraft::State::failed;
            keep_printed(draft, run.answer.printed);
            if (!run.end.done) draft.sentence = tr("The kernel %1").arg(engine_words(run.end.why));
            for (const simt::KernelFinding& finding : run.findings) // as the lesson's kernel it would take as long as anything may
                if (finding.kind == simt::Finding::Kind::endless) {
                    draft.state = KernelDraft::State::failed;
                    draft.sentence = engine_words(finding.sentence);
                    if (finding.place.line > 0 && finding.place.file.ends_with(".cu")) draft.messages.push_back({finding.place.line, finding.place.column, draft.sentence});
                } else if (finding.place.line > 0 && finding.place.file.ends_with(".cu")) {
                    draft.found.push_back({finding.place.line, finding.place.column, engine_words(finding.sentence)});
                }
        }
    } catch (const simt::CompileError& error) {
        draft = refused(std::move(draft), error);
    } catch (const Interrupted&) {
        return nullptr; // something newer is wanted
    } catch (const Error& error) {
        draft.state = KernelDraft::State::failed;
        draft.sentence = engine_words(error.what());
    }
    if (outdated) return nullptr;
    return std::make_shared<const Tried>(Tried{wish.number, std::move(draft)});
}

void KernelDrafts::want(const Setup& setup, const QString& text, bool run, bool asked) {
    auto draft = std::make_shared<KernelDraft>();
    draft->text = text;
    draft->asked = asked;
    draft->state = run ? KernelDraft::State::running : KernelDraft::State::compiling;
    now_ = std::move(draft);
    setup_ = setup;
    Wish wish{setup, text, run, asked, ++number_};
    wish.setup.stop = {};
    tries_.want(std::move(wish));
}

void KernelDrafts::again(const QString& text, bool run) {
    if (setup_) want(Setup(*setup_), text, run);
}

void KernelDrafts::begin(const QString& text, const QString& kernel, bool own) {
    drop();
    auto draft = std::make_shared<KernelDraft>();
    draft->state = KernelDraft::State::begun;
    draft->text = text;
    draft->kernel = kernel;
    draft->own = own;
    draft->line = static_cast<int>(text.left(std::max<qsizetype>(0, text.indexOf(QLatin1String("// Yours")))).count('\n')) + 1;
    now_ = std::move(draft);
}

void KernelDrafts::drop() {
    now_.reset();
    told_ = ++number_; // what is still being tried is nobody's
}

std::shared_ptr<const KernelDraft> KernelDrafts::look() {
    const auto latest = tries_.latest();
    if (!now_ || !latest || latest->number != number_ || told_ == number_) return now_;
    told_ = number_;
    now_ = std::make_shared<const KernelDraft>(latest->draft);
    if (now_->state == KernelDraft::State::ran) emit ran(now_->text);
    return now_;
}

std::string source_parameter(const Setup& session) {
    for (const char* name : {"source", "matmul_source"})
        if (session.parameters.contains(name)) return name;
    return {};
}

Setup setup_of_kernel(const Setup& session, const KernelTrace& trace) {
    if (source_parameter(session) != "matmul_source") return session;
    const auto sizes_of = [&](const char* name) {
        const auto range = std::ranges::find(trace.ranges, name, &KernelTrace::Range::name);
        return range != trace.ranges.end() && range->sizes.size() == 2 ? range->sizes : std::vector<std::int64_t>{1, 1};
    };
    const auto a = sizes_of("A"), b = sizes_of("B");
    Setup setup;
    setup.seed = session.seed;
    setup.parameters = run_kernel_experiment().complete({{"ladder", trace.ladder}, {"rung", trace.rung}, {"sizes", fmt::format("M={},N={},K={}", a[0], b[1], a[1])}});
    return setup;
}

} // namespace gradus
