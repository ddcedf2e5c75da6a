#pragma once

#include "views/text/formula.hpp"

#include <QString>
#include <QStringList>
#include <vector>

namespace gradus {

/// A stretch of a paragraph in one style, or one thing in it.
struct RichSpan {
    enum class Kind : std::uint8_t { text, code, key, formula, live };
    Kind kind = Kind::text;
    bool bold = false, italic = false;
    QString text;    ///< words; of a formula its TeX, of a live number its name
    Formula formula; ///< of kind formula
};

/// A paragraph, or a formula on a line of its own.
struct RichBlock {
    bool display = false; ///< one span of kind formula
    std::vector<RichSpan> spans;
    QStringList parameters; ///< those it is the first to name; their controls belong under it
};

/// A text of a card: a small part of Markdown, as it was read.
struct RichText {
    std::vector<RichBlock> blocks;
    QStringList problems; ///< what could not be read, and stands there as it was written
    QString plain() const; ///< for screen readers
};

/// Reads paragraphs, **bold**, *italic*, `code` (drawn as a key cap if it names a key), $formula$, $$formula$$, and
/// {NAME} for live numbers; {parameter:NAME} is one too, and asks for the control of that parameter. A paragraph that
/// is only a formula stands on a line of its own if `display`. What cannot be read stays as it is written and is among the problems.
RichText parse_rich(const QString& markdown, bool display = true);

/// True if that is written on a key: Home, Ctrl+Z, M, ].
bool names_a_key(const QString& text);

} // namespace gradus
