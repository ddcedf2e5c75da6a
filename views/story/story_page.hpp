#pragma once

#include "views/story/check_panel.hpp"
#include "views/story/parameter_control.hpp"

#include <map>

namespace gradus {

/// What scrolls in the story column: title, question, the text with its controls, and the check.
class StoryPage : public QWidget {
    Q_OBJECT

public:
    StoryPage(const StoryLook& look, QWidget* parent);

    void present(const StoryModel& model);
    void setLook(const StoryLook& look);
    /// Takes that width and the height it needs. Does nothing if neither the width nor what is shown has changed.
    void fit(int width);
    CheckPanel* check() const { return check_->isHidden() ? nullptr : check_; }
    /// Area of the check's panel; empty if there is none.
    QRect checkArea() const;
    /// What the keyboard comes to, as one reads: those that are made anew would be the window's last.
    std::vector<QWidget*> stops() const;
    /// What is being moved goes back to where it was.
    void cancelDrag();

signals:
    void problem(const QString& sentence);
    void parameterDragged(const QString& name, const QString& value);
    void parameterCommitted(const QString& name, const QString& value);
    void parameterCancelled();
    void answered(const QString& checkId, const QString& answer);
    void kernelWanted(); ///< as CheckPanel's
    void nextCheck();
    void previousCheck();
    void checkAgain();
    void stageWanted();
    void guessWanted(); ///< the first question, before the rest is read
    /// Its height may have changed outside present().
    void reshaped();

private:
    void presentControls(const StoryModel& model);
    void report(const QString& where, const QStringList& problems);
    double contents() const; ///< width between the margins

    StoryLook look_;
    RichLabel *title_, *question_, *text_;
    CheckPanel* check_;
    RichLabel* ahead_; ///< beside the first part: that questions come
    StoryButton* guess_;
    std::map<QString, ParameterControl*> controls_;
    QHash<QString, LiveNumber> numbers_;
    bool first_ = true; ///< it is the lesson's first part
    bool stale_ = true; ///< to be laid out again
    int fitted_ = -1;
};

} // namespace gradus
