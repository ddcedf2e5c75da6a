#pragma once

#include <QObject> // first: see presenter.hpp

#include "app/window/option_pictures.hpp"
#include "app/window/presenter.hpp"
#include "views/state/veil.hpp"
#include "views/story/story_model.hpp"

#include <array>
#include <future>
#include <map>
#include <stop_token>

namespace gradus {

class Progress;
struct Check;
struct CheckEdit;

/// Turns the card into what the story column shows, and what is answered there into the engine's verdict. Keys are
/// computed on a thread of their own: some train nets to know.
class LessonDriver : public QObject {
    Q_OBJECT

public:
    /// `progress` may be null: then answers are not kept.
    LessonDriver(Presenter& presenter, Progress* progress, QObject* parent = nullptr);
    ~LessonDriver() override;

    /// Called when the presenter has opened a card; null: there is no lesson.
    void setCard(const Card* card);
    /// The same card as its author has just saved it: an answer that is given stays, unless its check has gone.
    void replaceCard(const Card* card);
    const Card* card() const { return card_; }
    /// The title of the lesson that follows on the track; empty: none does.
    void setNextLesson(const QString& title) { next_lesson_ = title; }
    /// The story as of this frame.
    const StoryModel& look();
    /// What must not be seen while a prediction is open, as the card names it: "graph:layer1/matmul".
    const std::vector<std::string>& veil() const { return veil_; }
    /// The same as views take it. Curves end before the step at which one stands or at which the part was prepared,
    /// whichever is earlier: going on must not show what comes. Where no step is prepared, they are hidden in full.
    Veil cover() const;
    /// An answer is being computed, be it one that nobody waits for any more.
    bool computing() const;

    // --- in class: the engine is asked without anybody's answer, and nothing is kept --------------------------------
    void enterClass(); ///< what the learner has answered here comes back with leaveClass()
    void leaveClass();
    void goToCheck(std::size_t check); ///< from 0; asked anew
    std::size_t check() const { return check_; }
    /// Has the engine compute the key of the open check. The story shows it as committed once it is known.
    void reveal();

    // --- a kernel that the open question asks for -------------------------------------------------------------------
    const CheckEdit* edit() const; ///< null: it asks for none, or a class is asked
    QString editKey() const;       ///< of that question, among all cards'; empty where there is none
    QString editText() const;      ///< what has been written for it; else what one begins with
    void keepKernel(const QString& key, const QString& text); ///< while the lab is open; empty: what one begins with
    void gradeKernel(const QString& text); ///< on a thread of its own; what was graded before is given up
    /// The run that the kernel is part of, with that text. Only where the card's experiment runs a kernel.
    void showKernel(const QString& text);
    void setEditorOpen(bool open) { editor_open_ = open; }

    /// An experiment's parameter, or seed or steps, as it stands at the cursor; none that the experiment has not.
    std::optional<StoryParameter> parameter(const std::string& name) const;

public slots:
    void answer(const QString& check, const QString& typed);
    void nextCheck();
    void previousCheck();
    /// Asks anew what is shown with an answer that was given earlier.
    void answerAgain();
    /// Has the stage compute what was asked, once it is answered.
    void showAsked();
    /// While a parameter that can change in a Run is moved: every view shows what it would do.
    void dragParameter(const QString& name, const QString& value);
    void commitParameter(const QString& name, const QString& value);

signals:
    /// A parameter that a Run starts with was changed: the card is to be opened anew.
    void restartWanted();
    void progressed(); ///< an answer was kept

private:
    struct Verdicted {
        bool right = false, understood = true;
        QString engine;
        std::array<std::string, 2> refusal; ///< in English and in Korean
        std::array<QString, 2> why;         ///< the same
        QStringList right_options;
        QHash<QString, QString> found;
        Provenance provenance = Provenance::computed;
        std::array<QString, 2> not_met; ///< what a kernel does not meet, in English and in Korean
        std::string engine_said;        ///< before that, in the engine's words
    };
    static bool isSetting(const std::string& name); ///< it can change while a Run goes on
    QString partText() const;
    QString introductions(std::size_t part) const;
    void findPlaces();
    void fillNumbers();
    void fillParameters();
    void fillCheck();
    void fillVeil();
    std::vector<int> unpassed() const;
    const Check* current() const;
    void ask(std::optional<std::string> typed); ///< none: only for the key
    /// Shows the open check with what was answered to it, if it was and the question is still the same.
    void recall();
    void recallEdit();
    void fillEdit(StoryCheck& out) const;
    QString notMet() const;
    std::array<QString, 2> whyOf(const Check& check) const;
    std::string language() const { return presenter_.state().language == Language::ko ? "ko" : "en"; }

    Presenter& presenter_;
    Progress* progress_;
    const Card* card_ = nullptr;
    QString next_lesson_;
    StoryModel model_;
    struct {
        QString in; ///< the part's text and caption
        QStringList numbers, parameters;
    } places_;
    std::size_t check_ = 0;
    bool come_to_question_ = false;       ///< the part with the questions was read since the lesson was opened,
    bool class_come_to_question_ = false; ///< and in class since that has begun
    StoryCheck::State check_state_ = StoryCheck::State::asking;
    QString typed_;
    Verdicted verdict_;
    Parameters asked_of_; ///< what the shown verdict holds for: these parameters, as answered_from() gives them,
    std::uint64_t asked_of_seed_ = 0; ///< and this seed
    struct Given {
        QString typed;
        Parameters parameters; ///< of the lab as it was answered: they are part of the question
        std::uint64_t seed = 0;
        bool right = false;
    };
    std::map<QString, QString> written_; ///< kernels, as editKey() names their questions
    std::stop_source grading_;               ///< of the kernel that is graded now
    bool editor_open_ = false;
    std::map<std::string, Given> given_; ///< the learner's last answer to each check, by its id
    bool recalled_ = false;              ///< what is shown, or computed to be shown, was answered earlier
    std::future<Verdicted> pending_;
    std::size_t pending_check_ = 0;
    bool in_class_ = false, pending_in_class_ = false;
    struct Kept {
        std::size_t check = 0;
        StoryCheck::State state = StoryCheck::State::asking;
        QString typed;
        Verdicted verdict;
        bool recalled = false;
        Parameters asked_of;
        std::uint64_t asked_of_seed = 0;
    } kept_; ///< the learner's, while in class
    std::vector<std::future<Verdicted>> given_up_; ///< nobody waits for these any more; a future that dies would
    OptionPictures pictures_;
    std::vector<std::string> veil_;
    QHash<QString, std::string> refusals_; ///< by parameter, in the engine's words
    std::pair<QString, QString> dragged_;  ///< the parameter that was moved last, and to where
    QHash<QString, LiveNumber> answered_;  ///< questions of the text, answered once per Run
    const void* answered_for_ = nullptr;
    QString ask_;                          ///< the open question with its numbers, filled in once per Run and language
    const void* ask_of_ = nullptr;
    const std::string* ask_words_ = nullptr;
};

} // namespace gradus
