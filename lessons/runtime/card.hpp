#pragma once

#include "lessons/runtime/session.hpp"

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gradus {

/// A text in the languages of the lab.
struct Words {
    std::string en, ko;
    const std::string& in(std::string_view language) const { return language == "ko" ? ko : en; }
};

/// One option of a choice, an order or a place to point at.
struct CheckOption {
    std::string id;
    Words words;
    std::optional<double> from, to; ///< the option is right where the engine's number lies in [from, to)
    std::optional<std::int64_t> image = {}; ///< a test image of the experiment's data that stands beside the words
};

/// Where the lab is put for a part of a lesson.
struct Scene {
    std::string cursor; ///< phase/module/op, or empty; "A | B": B where a learner's run has no A
    std::optional<StepIndex> iteration;
    std::vector<std::string> views; ///< empty: the card's
    std::string select;             ///< the tensor one looks at; empty: what was chosen
    std::optional<std::vector<std::string>> open;  ///< the modules whose ops the graph shows; none: those it showed
    std::vector<std::string> class_views;          ///< that a class sees instead of `views`; empty: the same
    std::map<std::string, std::string> in_class; ///< parameters that a class sees it with; a learner sets them
    std::string ruler = {}; ///< "flops", "bytes", "time" or "none": what the graph measures; empty: what it did
    std::string class_cursor = {}; ///< where it stands for a class instead; empty: at the same place
    const std::string& cursor_for(bool a_class) const { return a_class && !class_cursor.empty() ? class_cursor : cursor; }
};

/// Where a kernel that somebody writes is tried, in the words of run_kernel's parameters.
struct EditTry {
    std::string sizes = "usual", block = "usual";
    int schedules = 0; ///< further orders of the warps, each from a seed
};

/// What is demanded of it beside the reference's result and that nothing is found.
struct EditDemand {
    Words words;          ///< "every request needs 4 sectors"
    std::string question; ///< of run_kernel
    Arguments arguments;
    std::optional<double> least, most;
    std::string sizes; ///< the tries at which it is demanded; empty: at all
};

/// A kernel in which lines are missing.
struct CheckEdit {
    std::string kernel;   ///< "transpose/2_tiled": whose launch runs it, and whose reference it is compared with
    std::string text;     ///< what the learner begins with
    std::string solution; ///< a text that is accepted; empty: the kernel's own
    std::vector<EditTry> tries;
    std::vector<EditDemand> demands;
};

/// One prediction that a card asks for, or a kernel that is to be completed. Its key is computed by the engine, never written in the card.
struct Check {
    enum class Kind : std::uint8_t { choice, number, order, point, edit };
    std::string id;
    Kind kind = Kind::choice;
    bool gut = false; ///< recorded and answered, not scored
    bool set = false; ///< the answer is a set of options
    Words ask, why;
    Words found; ///< what the engine's numbers for the options are; empty: none are shown
    std::string question; ///< of the experiment; an edit has none
    Arguments arguments;
    std::shared_ptr<const CheckEdit> edit; ///< of that kind alone
    std::vector<CheckOption> options;
    std::string unit;
    double tolerance = 0; ///< relative; 0 is exact after rounding
    int digits = 0;
    std::vector<std::string> veil;
    Scene scene; ///< what a class sees beside it; a learner keeps what he has, and may go to its cursor once he has answered
};

struct CardStep : Scene {
    std::string text;   ///< heading in the text
    Words caption = {}; ///< what a class reads of it; empty: a first sentence of the text
};

/// What one must know of a card that is not written yet.
struct Introduction {
    Words words;      ///< one sentence
    std::string step; ///< heading of the step that it ends; empty: the first
};

/// A line of the program that a card shows beside its run, and what of an iteration it stands for.
struct ListingLine {
    std::string code; ///< with its indentation
    std::string at;   ///< phase/module/op; empty: no event is this line's
    std::map<std::string, std::string> without; ///< where a parameter has this value the line is left out
    Words note;                                 ///< empty: none
};

/// A value that a control offers, and what it is called.
struct ControlChoice {
    std::string value;
    Words words;
};

/// A parameter that stands beside the text.
struct CardControl {
    std::string parameter;
    double reach = 10; ///< how far from 0 its slider goes where its range is wider; beyond 10 it is finer around 0
    Words label = {};  ///< what this card calls it; empty: as everywhere
    std::vector<ControlChoice> choices = {}; ///< buttons in place of a field or a slider; empty: as its type has it
};

/// A lesson: one question, one live experiment, one check.
struct Card {
    std::string id;
    Words title, question;
    int minutes = 0;
    std::vector<std::string> prerequisites;
    int prerequisites_line = 1; ///< of card.toml
    std::map<std::string, Introduction> introductions; ///< of prerequisites that are not written yet
    std::string experiment;
    std::string device = "cpu";
    std::uint64_t seed = 1;
    StepIndex steps = -1;
    Parameters parameters;
    std::vector<CardControl> controls;
    std::vector<std::string> views;
    std::vector<CardStep> lesson;
    std::vector<Check> checks;
    std::vector<ListingLine> listing; ///< every line of listing.py; empty: the card has none
    Words text; ///< en.md and ko.md as they are

    RunRequest request() const;
};

struct PathStop {
    std::string card;
    bool core = true;
    Words title;
};
/// A learning track: a line through cards, some of which may not be written yet.
struct LearningPath {
    std::string id;
    Words title, description;
    std::vector<std::string> needs;
    std::vector<PathStop> stops;
};

/// Every card and path of a folder. What cannot be read is reported and left out; the others load.
struct Library {
    std::filesystem::path folder; ///< with cards/ and paths/
    std::vector<Card> cards;
    std::vector<LearningPath> paths;
    std::vector<std::string> problems; ///< one sentence each: file, line, reason

    const Card* find(std::string_view id) const;
    /// Throws FileError where the card cannot be read, ArgumentError where it is not written yet or nobody knows of it.
    const Card& at(const std::string& id) const;
    std::vector<std::string> unreadable; ///< ids of cards that are there and refused; `problems` says why

    /// Ids that paths or prerequisites name and nobody has written yet.
    std::vector<std::string> unwritten() const;
};
Library load_library(const std::filesystem::path& lessons);
/// Throws FileError with file, line and reason.
Card load_card(const std::filesystem::path& folder);

/// Whether a Run with these parameters, all that the experiment has, computes what the check asks for: an argument of the
/// question that has the name of a parameter has its value, too, and where several rungs are compared it is one of them. Else
/// the Run cannot show the answer.
bool asks_of(const Check& check, const Parameters& parameters);
/// A lab's parameters with the values that the check names itself. A rung that it names is asked about as its file has it, whatever somebody wrote
/// in its place.
Parameters asked_parameters(const Check& check, Parameters parameters);
/// Of a lab's parameters those that the check is answered from: with the values that it names itself, without what it varies
/// and what is only recorded. Where two labs agree in these, its answer is the same.
Parameters answered_from(const Check& check, Parameters parameters);

/// What the engine says to a check.
struct Key {
    Answer answer;
    std::vector<std::string> right; ///< ids of the right options, where there are options
    std::string text;               ///< as a sentence shows it, rounded to the check's digits
    std::map<std::string, double> found; ///< by option, where the card says what it is
    std::string unit;                    ///< of these
};
/// Throws ArgumentError naming card and check if no option matches the engine's answer.
Key key_of(const Card& card, const Check& check, const Setup& setup, const Run* run);

struct Verdict {
    bool right = false;
    bool understood = true; ///< false: the answer could not be read
    std::string sentence;   ///< why it could not be
};
/// Grades an answer as typed: option ids or their numbers (from 1), or a number.
Verdict grade(const Check& check, const Key& key, std::string_view typed, std::string_view lang = "en");

/// A {name} in a text, outside its formulas; the braces lie at text[from] and text[until - 1].
struct LiveName {
    std::string name;
    std::size_t from = 0, until = 0;
};
std::vector<LiveName> live_names(std::string_view text);

/// Replaces {parameter:NAME}, {answer} and {NAME} (a scalar of the run or a question without arguments).
std::string fill_in(std::string_view text, const Card& card, const Setup& setup, const Run* run, const Key* key);

} // namespace gradus
