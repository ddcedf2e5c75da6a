#pragma once

#include "views/theatre/theatre_model.hpp"

#include <QCoreApplication>
#include <QFont>

namespace gradus::theatre_words {

/// What the theatre says, in the language of the lab.
inline QString tr(const char* text) { return QCoreApplication::translate("Theatre", text); }

} // namespace gradus::theatre_words

namespace gradus {

// What the theatre says, in the language of the lab.

/// "race", "out of bounds", … of a finding's name in the file.
QString finding_word(const std::string& kind);
/// "out[0, 5]".
QString word_words(const Selection& selection);
/// "step 17, lane 4, line 12: 0.5 → 0.7" of a step that touches the word.
QString touch_words(const KernelTrace& trace, std::size_t step, const WordAt& word);
/// "load", "store", …
QString op_word(simt::Op op);
/// "active", "waiting", …
QString state_word(LaneState state);
/// "block (3, 1) of (64, 64)", with z where there is one.
QString block_words(const TheatreModel& model);
/// "block 3 of 64, warp 1".
QString where_words(const TheatreModel& model);
/// What a class is told of it: "race: blocks 1 and 0", in so much room its kind alone.
QString class_words(const TheatreFinding& finding, const QFont& font, double width);
/// "(3, 1)": where a block of the launch stands in its grid.
QString block_at(const TheatreModel& model, std::int64_t number);
/// "64 blocks of 256 threads, 16,384 in all".
QString grid_words(const TheatreModel& model);
/// "32 of 32 lanes active".
QString lanes_words(const TheatreModel& model);
/// ", 16 at line 23": where the other lanes are, if they are all in one line; else nothing.
QString others_words(const TheatreModel& model);
/// What the step does: "store to out, line 42"; at a barrier or a collective its name.
QString step_words(const TheatreModel& model);
/// What moves, in one sentence: "32 lanes want 128 bytes and fall into 32 sectors: 1024 bytes are moved."
QString memory_words(const TheatreModel& model);
/// "32 sectors", "8 wavefronts".
QString transfers_words(const TheatreModel& model, int count);
/// "thread (5, 8)": of a lane of the shown warp.
QString thread_words(const TheatreModel& model, int lane);
/// "line 42: 4 sectors per load of A (ideal 4); …", for hover and screen readers.
QString counter_words(const LineAccess& access);
/// What the lanes at a barrier wait for: "96 of 256 at the barrier"; brief: "barrier: 96 of 256".
QString barrier_words(const TheatreModel& model, bool brief = false);
/// "race: line 12: thread …": its kind and its sentence.
QString finding_words(const TheatreFinding& finding);
/// "2 more ›": of findings that have no row.
QString more_findings_words(std::size_t count);
/// "blocks 1 and 0", "warps 2 and 0", "lanes 4 and 5": the first in which the two threads of a finding differ. Where there are not two: the buffer, empty where it has no name.
QString about_words(const KernelTrace::Finding& finding);
/// "Right: off by 3e-7 of the reference, 5e-6 is allowed.", and what was found; empty where nothing was compared.
QString verdict_words(const TheatreModel& model);
/// How the multiply-add was rounded.
QString rounding_words(RoundingStep step);

} // namespace gradus
