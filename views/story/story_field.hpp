#pragma once

#include "views/story/story_look.hpp"

#include <QLineEdit>

namespace gradus {

/// A field for a number or for widths, in the story's size. The frame appears only with the focus if it is `bare`.
class StoryField : public QLineEdit {
    Q_OBJECT

public:
    StoryField(const StoryLook& look, bool bare, QWidget* parent);
    void setLook(const StoryLook& look);
    int heightNeeded() const;

protected:
    /// What is typed is taken back here; where nothing is, the window takes back what was done.
    bool event(QEvent* event) override;

private:
    bool bare_;
    StoryLook look_;
};

} // namespace gradus
