#pragma once

#include "views/story/story_look.hpp"
#include "views/story/story_model.hpp"

#include <QPainter>

namespace gradus {

/// Height of the lines between the question and the why: what the learner said, what the engine says.
double verdict_height(const StoryCheck& check, const StoryLook& look, double width);

/// Draws them from the top of `box` downwards, and the tick of a right answer beside the why.
void paint_verdict(QPainter& painter, const StoryCheck& check, const StoryLook& look, const QRectF& box, double why_top);

/// The ids of an answer as answered() gives it.
QStringList split_answer(const QString& answer);

} // namespace gradus
