#pragma once

#include <QString>
#include <vector>

namespace gradus {

/// What came of a kernel's text that somebody has written.
struct KernelDraft {
    enum class State : std::uint8_t {
        compiling,
        compiles,
        refused, ///< the compiler does not take it: `messages`
        running,
        failed,  ///< it did not come to its end: `sentence`
        ran,     ///< it is the lesson's kernel now: what it computes and costs stands in the run
        begun,   ///< nothing yet: the text that an editor is to open with
    };
    struct Message {
        int line = 0, column = 0; ///< 0: not known
        QString text;
    };
    QString text;
    State state = State::compiling;
    std::vector<Message> messages; ///< errors, in the compiler's order; failed: where, if that is known
    std::vector<Message> found;    ///< ran, or failed: at its lines
    QString sentence;              ///< why it failed, in the engine's words
    double seconds = 0;            ///< measured: of compiling
    QString printed;               ///< by its printf
    std::uint64_t printed_more = 0; ///< bytes of that which are not kept
    bool asked = false;            ///< a question of the lesson judges it
    QString kernel;                ///< what it is begun in: "transpose/2_tiled"
    int line = 1;                  ///< where one begins to write
    bool own = false;              ///< begun: nobody has written in it yet
};

} // namespace gradus
