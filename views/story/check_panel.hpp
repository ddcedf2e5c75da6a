#pragma once

#include "views/story/order_list.hpp"
#include "views/story/story_button.hpp"
#include "views/story/story_field.hpp"
#include "views/story/story_model.hpp"
#include "views/text/rich_label.hpp"

namespace gradus {

/// The prediction: the question, the ways to answer, and, once it is answered, the engine's verdict with its why.
class CheckPanel : public QWidget {
    Q_OBJECT

public:
    CheckPanel(const StoryLook& look, QWidget* parent);

    /// True if its height may have changed.
    bool present(const StoryCheck& check, const LiveNumbers& numbers);
    void setLook(const StoryLook& look);
    /// Puts its parts in place if `place`; returns the height for that width.
    double layOut(double width, bool place);
    /// Chooses an option as a click on it does, for what one points at elsewhere.
    void pressDigit(int digit); ///< the option of that number, or a digit of the number
    void choose(const QString& option);
    int verdictTop() const { return static_cast<int>(values_top_); } ///< once it is answered
    /// From where one reads in so many pixels once it is answered: a row of answers from which the verdict is in sight, else that alone.
    int readFrom(int pixels) const;
    int verdictBottom() const; ///< with the first lines of its why
    int waysBottom() const; ///< of the buttons that lead on; 0 where there are none
    /// What could not be read in its texts.
    QStringList problems() const;
    /// What the keyboard comes to in it, as one reads.
    std::vector<QWidget*> stops() const;
    /// Whether nothing in it leads on from here.
    bool ends() const { return check_.state == StoryCheck::State::committed && !next_->isVisibleTo(this) && !toBeWritten(); }
    /// The keyboard comes to what answers it, or back from an editor to the button that opened it.
    void takeFocus();

signals:
    /// Ids of options, separated by commas, or a number as typed.
    void answered(const QString& checkId, const QString& answer);
    void kernelWanted(); ///< its editor, or, where that is open, that it is tried
    void next();
    void previous();
    void again(); ///< a recalled question is to be asked anew
    void stageWanted(); ///< what was asked is to be computed on the stage

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void keepFocus(bool movedOn); ///< movedOn: what had it may be hidden now, and another part have been given it
    void rebuild();
    void show();
    void submit();
    bool needsButton() const; ///< one click is not yet an answer
    bool isEdit() const { return check_.kind == StoryCheck::Kind::edit; }
    bool toBeWritten() const { return isEdit() && !check_.is_right; } ///< a kernel that was not accepted yet
    std::vector<StoryButton*> ways() const; ///< on, back and anew, as far as there are such
    QString heading() const;
    QString sayBelow() const; ///< a quiet sentence: a refusal, what to do, what is still open
    QString note() const;

    StoryLook look_;
    StoryCheck check_;
    QStringList chosen_; ///< ids, before they are committed
    RichLabel* ask_;
    RichLabel* why_;
    RichLabel* said_; ///< a refusal, or that the engine is at work
    std::vector<StoryButton*> options_;
    OrderList* order_ = nullptr;
    StoryField* field_ = nullptr;
    StoryButton* answer_;
    StoryButton* previous_;
    StoryButton *again_, *stage_;
    StoryButton* next_;
    double values_top_ = 0, why_top_ = 0;
};

} // namespace gradus
