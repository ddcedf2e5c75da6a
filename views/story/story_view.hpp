#pragma once

#include "views/story/scroll_fade.hpp"
#include "views/story/story_page.hpp"

#include <QScrollArea>

namespace gradus {

/// The story column: one part of a card's text at a time, its controls beside the sentences that speak of them, then
/// the check. Scrolls up and down only; at the bottom stand the steps between the parts.
class StoryView : public QWidget {
    Q_OBJECT

public:
    explicit StoryView(const Theme& theme, QWidget* parent = nullptr);

    /// Shows what is there to be read. Called once per frame; costs nothing when nothing changed.
    void present(const StoryModel& model);
    void setTheme(const Theme& theme);
    /// Scrolls to the open check: its end, or its head where it has no room. A part is read from its beginning; its way on leads here.
    void showCheck(bool told = false);
    void pressDigit(int digit); ///< shows the question and answers it with that option, or writes it into the field
    void focusCheck(); ///< back from the editor of a kernel that it asks for
    /// Chooses an option of the open check as a click on it does: what one points at in a view.
    void chooseOption(const QString& option);
    /// What is being moved goes back to where it was: nothing is committed.
    void cancelDrag();
    /// What lies over its head takes so many pixels: what is read begins below. Where too few lines would be left, nothing gives way.
    void giveWay(int pixels);
    bool isPresented() const { return presented_; } ///< there is something to read
    /// Whether so much may be taken from its head.
    bool hasRoomBelow(int pixels) const;
    QSize sizeHint() const override { return {340, 640}; }
    QSize minimumSizeHint() const override { return {280, 200}; }

signals:
    void partChanged(int part); ///< counts from 0
    void parameterDragged(const QString& name, const QString& value);
    void parameterCommitted(const QString& name, const QString& value);
    void parameterCancelled();
    /// Ids of options separated by commas, or a number as typed.
    void answered(const QString& checkId, const QString& answer);
    void nextLesson();
    void kernelWanted(); ///< as CheckPanel's
    void nextCheck();
    void previousCheck();
    void checkAgain();
    void stageWanted(); ///< as CheckPanel's
    /// A text of the card could not be read in full: one sentence for its author.
    void problem(const QString& sentence);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void retranslate();
    void lead(); ///< the ways back and on: what they say, whether they lead anywhere, and where they stand
    bool leadsOn() const;
    bool leadsToCheck() const; ///< what it asks lies below what is in sight
    bool leadsBack() const { return guesses_ && model_.part > 0 && model_.part + 1 >= model_.parts; } ///< to the first part, from where the guess was made
    void restyle();
    QRectF signArea() const; ///< above the part's number: where it is said that there is more below
    int foot() const; ///< pixels: where one goes from part to part
    void fit();
    void orderTabs();

    StoryLook look_;
    StoryModel model_;
    bool presented_ = false, ring_ = false;
    bool keeps_ = false; ///< the open question is to be in sight, until somebody scrolls
    bool guesses_ = false; ///< came to the questions from the first part
    bool fits_ = false;  ///< what scrolls now is not a person
    std::vector<QWidget*> stops_; ///< as they were put in order
    int given_ = 0; ///< pixels at its head
    QScrollArea* area_;
    StoryPage* page_;
    ScrollFade *above_, *below_;
    StoryButton *back_, *forward_;
};

} // namespace gradus
