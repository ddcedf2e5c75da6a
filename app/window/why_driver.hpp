#pragma once

#include <QObject> // first: see presenter.hpp

#include "app/window/presenter.hpp"
#include "views/why/why_story.hpp"

#include <future>

namespace gradus {

class WhyPanel;

/// Answers "why this number?": walks back from what is selected, or from the loss, in the cursor's iteration, and where that
/// iteration began with what was not finite already, on in the one before, which the session brings back. The walk is
/// computed on a thread of its own.
class WhyDriver : public QObject {
    Q_OBJECT

public:
    WhyDriver(Presenter& presenter, WhyPanel* panel, QObject* parent);
    ~WhyDriver() override;

    /// Once per frame.
    void retranslate() { if (open_) show(); }
    void look();
    const WhyStory& story() const { return story_; }
    bool open() const { return open_; }

public slots:
    void ask();
    void close();
    void go(qint64 iteration, int ordinal, const gradus::Selection& selection);

private:
    struct Answer {
        Why why;
        QString refusal;
        std::optional<StepIndex> first_loss; ///< the first iteration whose loss is not finite, where that was asked
    };
    void take(const Answer& answer);
    void show();

    Presenter& presenter_;
    WhyPanel* panel_;
    WhyStory story_;
    bool open_ = false;
    std::size_t run_ = 0;
    StepIndex iteration_ = 0; ///< to be explained next
    Selection question_;
    std::future<Answer> pending_;
};

} // namespace gradus
