#pragma once

#include "views/text/live_number.hpp"

#include <QHash>
#include <QImage>
#include <QString>
#include <QStringList>
#include <optional>
#include <vector>

namespace gradus {

/// Words with the id that the lesson knows them by.
struct StoryOption {
    QString id, words;
    QImage picture = {}; ///< beside or above the words; null: there is none
    bool operator==(const StoryOption&) const = default;
};

/// A parameter that the learner may change.
struct StoryParameter {
    enum class Kind : std::uint8_t { integer, number, choice, widths };
    QString name, label;
    Kind kind = Kind::number;
    QString value;               ///< of now, as text
    double least = 0, most = 1;  ///< of integer and number
    bool log = false;            ///< equal ratios are equally far apart, on both sides of 0 where `least` is below it
    QString unit;
    std::vector<StoryOption> choices;
    QString refusal;             ///< why the last value that was asked for could not be; empty if it could
    bool operator==(const StoryParameter&) const = default;
    /// Its value as a text shows it: as its button says it, where it has one.
    QString shown() const {
        for (const StoryOption& choice : choices)
            if (choice.id == value) return choice.words;
        return value;
    }
};

/// One prediction, or a kernel to be completed: the question, and, once it is answered, what the engine says.
struct StoryCheck {
    enum class Kind : std::uint8_t { choice, number, order, point, edit };
    enum class State : std::uint8_t { asking, computing, committed };
    QString id;
    Kind kind = Kind::choice;
    bool gut = false; ///< a quick guess, not scored
    bool set = false; ///< several options may be chosen
    QString ask, why; ///< rich text; of a kernel that is not accepted, why says what it does not meet
    bool editing = false; ///< of a kernel: its editor is open
    std::vector<StoryOption> options;
    QString unit;
    State state = State::asking;
    QString refusal;      ///< why the answer could not be read; the question is still open
    QString answer;       ///< what the learner answered, as answered() gave it
    QStringList right;    ///< ids of the right options, of an order in order
    QString engine;       ///< the engine's value as text; empty: the options say it all
    QHash<QString, QString> found; ///< the engine's number for each option, by id; empty: it has none
    QString found_words;           ///< what these are
    Provenance provenance = Provenance::computed;
    bool is_right = false, undecided = false;
    bool recalled = false;     ///< answered earlier and shown again
    bool elsewhere = false;    ///< answered, and the stage computes something else than was asked
    std::vector<int> unpassed; ///< at the end, those that are still to be answered rightly, from 1
    int number = 1, count = 1; ///< which of the card's checks this is, from 1
    bool operator==(const StoryCheck&) const = default;
};

/// Everything the story column shows. Plain data that the window fills in each frame.
struct StoryModel {
    QString title, question;
    int part = 0, parts = 1; ///< part counts from 0
    QString text;            ///< Markdown of the part
    QString caption;         ///< what a class reads of it; empty: a first sentence of the text
    QHash<QString, LiveNumber> numbers; ///< by name, as in {loss}; {parameter:NAME} is taken from the parameters
    std::vector<StoryParameter> parameters;
    std::optional<StoryCheck> check;
    int guess_of = 0;    ///< beside the first part: how many questions come, the first of them a guess that can be made now; 0: that is not said
    QString next_lesson; ///< its title, once all of this one is answered; empty: none follows
    double text_scale = 1;
    bool operator==(const StoryModel&) const = default;
};

} // namespace gradus
