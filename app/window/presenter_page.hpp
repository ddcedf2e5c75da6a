#pragma once

#include <QString>

namespace gradus {

/// What the back row is given to read of a part of a lesson: the first sentence of its text that says something, without
/// emphasis, with the formula that follows on a line of its own. What names a control or has less than four words is passed
/// over. One that has more words ends at its last comma, colon or semicolon before that, or else in the middle, with an ellipsis.
/// A formula counts as one word and is never cut.
QString caption_of(const QString& markdown, int words = 25);

} // namespace gradus
