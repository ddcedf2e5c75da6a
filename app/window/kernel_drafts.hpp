#pragma once

#include <QObject>

#include "engine/trace/derive/newest_wish.hpp"
#include "engine/trace/kernel/kernel_trace.hpp"
#include "lessons/experiments/experiment.hpp"
#include "views/state/kernel_draft.hpp"

#include <memory>
#include <optional>

namespace gradus {

/// Tries what a learner writes in place of a kernel, on a thread of its own: compiled, and, if that is wanted, run to its end under the same
/// limits as any kernel. Only what comes to its end becomes the lesson's kernel.
class KernelDrafts : public QObject {
    Q_OBJECT

public:
    explicit KernelDrafts(QObject* parent);

    /// `setup`: of the run_kernel that it stands in for, see setup_of_kernel(). `asked`: a question of the lesson judges it.
    void want(const Setup& setup, const QString& text, bool run, bool asked = false);
    /// The same, as what was wanted last: the kernel that it stands in for has ended with its run. Nothing where nothing was.
    void again(const QString& text, bool run);
    /// An editor is to open with that text of that kernel; `own`: nobody has written in it yet.
    void begin(const QString& text, const QString& kernel, bool own);
    void drop();
    /// Once per frame: what is known now; null where nobody writes. Says ran() once for each text that came to its end.
    std::shared_ptr<const KernelDraft> look();

signals:
    void ran(const QString& text);

private:
    struct Wish {
        Setup setup;
        QString text;
        bool run = false, asked = false;
        std::uint64_t number = 0;
    };
    struct Tried {
        std::uint64_t number = 0;
        KernelDraft draft;
    };
    static std::shared_ptr<const Tried> tried(const Wish& wish, const std::atomic<bool>& outdated);

    std::uint64_t number_ = 0, told_ = 0;
    std::shared_ptr<const KernelDraft> now_;
    std::optional<Setup> setup_; ///< of what was wanted last
    NewestWish<Wish, Tried> tries_;
};

/// A run_kernel of the kernel that is on stage: the session's own, or one of the same sizes as what a net's session runs.
Setup setup_of_kernel(const Setup& session, const KernelTrace& trace);
/// The parameter of a session that holds a kernel's text, "source" or "matmul_source"; empty: it has none.
std::string source_parameter(const Setup& session);

} // namespace gradus
