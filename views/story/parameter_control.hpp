#pragma once

#include "views/story/slider.hpp"
#include "views/story/story_button.hpp"
#include "views/story/story_field.hpp"
#include "views/story/story_model.hpp"

namespace gradus {

/// The control of one parameter under the sentence that names it: a slider with its value, a choice, or a field.
class ParameterControl : public QWidget {
    Q_OBJECT

public:
    ParameterControl(const StoryLook& look, const StoryParameter& parameter, QWidget* parent);

    /// Takes over the value of now. What the learner is moving or typing stays theirs.
    void present(const StoryParameter& parameter);
    void setLook(const StoryLook& look);
    const StoryParameter& parameter() const { return parameter_; }
    /// Puts its parts in place if `place`; returns the height for that width, to which `ring_room` comes on each side.
    double layOut(double width, bool place);
    /// What is being moved goes back to the value that holds.
    void cancelDrag();

signals:
    void dragged(const QString& name, const QString& value);
    void committed(const QString& name, const QString& value);
    void cancelled();
    /// What it says changed, and with it perhaps its height.
    void reshaped();

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    bool hasSlider() const;
    void take(const QString& value);
    void submitField();

    StoryLook look_;
    StoryParameter parameter_;
    Slider* slider_ = nullptr;
    StoryField* field_ = nullptr;
    std::vector<StoryButton*> choices_;
    RichGeometry refusal_; ///< why the last value could not be
    double refusal_top_ = 0;
};

} // namespace gradus
