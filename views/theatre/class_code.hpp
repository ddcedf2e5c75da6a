#pragma once

#include "views/theatre/theatre_model.hpp"

namespace gradus {

/// A row of code: these columns of a line, [from, to) from 0.
struct CodePiece {
    std::int32_t line = 0;
    qsizetype from = 0, to = 0;
    bool goes_on = false; ///< begins within its line
    qsizetype at = 0;     ///< the column in which it is shown
};

constexpr qsizetype indent_of_rest = 2; // columns, by which the rows with which a line goes on stand behind its first

/// A line in rows of so many columns, ended after a blank where that is not too early, else where a bracket opens; empty: a name is too long for it.
std::vector<CodePiece> broken_code(const QString& text, qsizetype from, qsizetype columns);

/// What a class reads of the code, in `rows` rows at most: the line that one stands on, whole, and above it those that say what its index is, or
/// else what stands round it. Without the comments behind code, and without the blanks that all of it begins with.
std::vector<CodePiece> class_code(const TheatreModel& model, qsizetype columns, std::size_t rows);

} // namespace gradus
