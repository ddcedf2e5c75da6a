#include "lessons/runtime/card.hpp"

#include "engine/core/error.hpp"
#include "engine/core/text.hpp"
#include "lessons/runtime/view_names.hpp"

#include <algorithm>
#include <array>
#include <exception>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fstream>
#include <initializer_list>
#include <set>
#include <sstream>
#include <toml++/toml.h>

namespace gradus {

namespace {

/// Reads one TOML file; every refusal names file and line.
class Reader {
public:
    explicit Reader(const std::filesystem::path& path) : path_(path.string()) {
        std::error_code error;
        if (!std::filesystem::is_regular_file(path, error)) throw FileError(fmt::format("{}: no such file", path_));
        if (std::filesystem::file_size(path, error) > (std::size_t{1} << 20))
            throw FileError(fmt::format("{}: larger than 1 MiB", path_));
        std::ifstream file(path, std::ios::binary);
        std::stringstream text;
        text << file.rdbuf();
        try {
            root_ = toml::parse(text.str(), path_);
        } catch (const toml::parse_error& problem) {
            throw FileError(fmt::format("{}:{}: {}", path_, problem.source().begin.line, problem.description()));
        }
        if (integer(root_, "schema") != 1) refuse(root_, "schema must be 1");
    }

    const toml::table& root() const { return root_; }

    [[noreturn]] void refuse(const toml::node& at, const std::string& what) const {
        throw FileError(fmt::format("{}:{}: {}", path_, at.source().begin.line, what));
    }
    /// Refuses every field but these, so that a slip of the pen is not silently left out.
    void only(const toml::table& table, std::initializer_list<std::string_view> known) const {
        for (const auto& [key, node] : table)
            if (std::find(known.begin(), known.end(), key.str()) == known.end())
                refuse(node, fmt::format("there is no field '{}' here; there are {}", key.str(), fmt::join(known, ", ")));
    }
    const toml::node& need(const toml::table& table, const char* key) const {
        const toml::node* node = table.get(key);
        if (!node) refuse(table, fmt::format("'{}' is missing", key));
        return *node;
    }
    std::string text(const toml::table& table, const char* key) const {
        const toml::node& node = need(table, key);
        const auto value = node.value_exact<std::string>();
        if (!value) refuse(node, fmt::format("'{}' must be text", key));
        return *value;
    }
    std::string text(const toml::table& table, const char* key, const std::string& standard) const {
        return table.contains(key) ? text(table, key) : standard;
    }
    std::int64_t integer(const toml::table& table, const char* key) const {
        const toml::node& node = need(table, key);
        const auto value = node.value_exact<std::int64_t>();
        if (!value) refuse(node, fmt::format("'{}' must be a whole number", key));
        return *value;
    }
    double number(const toml::table& table, const char* key) const {
        const toml::node& node = need(table, key);
        const auto value = node.value<double>();
        if (!value || node.is_boolean()) refuse(node, fmt::format("'{}' must be a number", key));
        return *value;
    }
    bool flag(const toml::table& table, const char* key) const {
        if (!table.contains(key)) return false;
        const toml::node& node = need(table, key);
        const auto value = node.value_exact<bool>();
        if (!value) refuse(node, fmt::format("'{}' must be true or false", key));
        return *value;
    }
    const toml::table& table(const toml::table& in, const char* key) const {
        const toml::node& node = need(in, key);
        if (!node.is_table()) refuse(node, fmt::format("'{}' must be a table", key));
        return *node.as_table();
    }
    Words words(const toml::table& in, const char* key) const {
        only(table(in, key), {"en", "ko"});
        return words(table(in, key));
    }
    Words words(const toml::table& both) const { return {text(both, "en"), text(both, "ko")}; }

    std::vector<std::string> texts(const toml::table& in, const char* key) const {
        std::vector<std::string> out;
        if (!in.contains(key)) return out;
        const toml::node& node = need(in, key);
        if (!node.is_array()) refuse(node, fmt::format("'{}' must be a list", key));
        for (const toml::node& item : *node.as_array()) {
            const auto value = item.value_exact<std::string>();
            if (!value) refuse(item, fmt::format("'{}' must hold texts", key));
            out.push_back(*value);
        }
        return out;
    }
    template <class Use> void tables(const toml::table& in, const char* key, Use use) const {
        if (!in.contains(key)) return;
        const toml::node& node = need(in, key);
        if (!node.is_array()) refuse(node, fmt::format("'{}' must be a list of tables", key));
        for (const toml::node& item : *node.as_array()) {
            if (!item.is_table()) refuse(item, fmt::format("'{}' must hold tables", key));
            use(*item.as_table());
        }
    }
    /// Any plain value as the text that an experiment reads.
    std::string plain(const toml::node& node) const {
        if (const auto value = node.value_exact<std::string>()) return *value;
        if (const auto value = node.value_exact<std::int64_t>()) return std::to_string(*value);
        if (const auto value = node.value_exact<double>()) return number_text(*value);
        refuse(node, "a text or a number is expected");
    }

private:
    std::string path_;
    toml::table root_;
};

/// Why a {parameter:NAME} in a text names nothing; empty: it names something, or is no parameter.
std::string unknown_parameter(const std::string& name, const Experiment& experiment) {
    if (!name.starts_with("parameter:") || name == "parameter:seed" || name == "parameter:steps") return {};
    const auto& known = experiment.parameters();
    const bool there = std::any_of(known.begin(), known.end(), [&](const ParameterInfo& info) { return info.name == name.substr(10); });
    return there ? "" : fmt::format("'{{{}}}' names no parameter of {}", name, experiment.id());
}

/// Words with numbers in them, all of whose parameters there are.
Words filled_words(const Reader& reader, const toml::table& in, const char* key, const Experiment& experiment) {
    Words words = reader.words(in, key);
    for (const std::string* text : {&words.en, &words.ko})
        for (const LiveName& live : live_names(*text))
            if (const std::string problem = unknown_parameter(live.name, experiment); !problem.empty())
                reader.refuse(reader.need(in, key), problem);
    return words;
}

/// The test image that an option shows, one of the data that the card starts with.
std::int64_t read_image(const Reader& reader, const toml::table& option, Check::Kind kind, const Parameters& parameters) {
    const toml::node& at = reader.need(option, "image");
    const std::int64_t image = reader.integer(option, "image");
    if (kind == Check::Kind::order) reader.refuse(at, "the rows of an order show no images");
    const auto data = parameters.find("data");
    const Dim count = data == parameters.end() ? 0 : test_images_of(data->second);
    if (count == 0) reader.refuse(at, data == parameters.end() ? "this experiment has no data set" : fmt::format("the examples of {} are no images", data->second));
    if (image < 0 || image >= count) reader.refuse(at, fmt::format("image must be a test image of {}, 0 to {}, not {}", data->second, count - 1, image));
    return image;
}

/// `parameters`: all of them, as the card sets them.
Check read_check(const Reader& reader, const toml::table& in, const Experiment& experiment, const Parameters& parameters) {
    Check check;
    reader.only(in, {"id", "kind", "gut", "set", "ask", "why", "answer", "options", "unit", "tolerance", "digits", "found", "veil", "scene"});
    check.id = reader.text(in, "id");
    const std::string kind = reader.text(in, "kind");
    if (kind == "choice") check.kind = Check::Kind::choice;
    else if (kind == "number") check.kind = Check::Kind::number;
    else if (kind == "order") check.kind = Check::Kind::order;
    else if (kind == "point") check.kind = Check::Kind::point;
    else reader.refuse(in, fmt::format("kind must be choice, number, order or point, not '{}'", kind));
    check.gut = reader.flag(in, "gut");
    check.set = reader.flag(in, "set");
    check.ask = filled_words(reader, in, "ask", experiment);
    check.why = filled_words(reader, in, "why", experiment);
    const toml::table& answer = reader.table(in, "answer");
    check.question = reader.text(answer, "question");
    for (const auto& [key, node] : answer)
        if (key.str() != "question") check.arguments[std::string(key.str())] = reader.plain(node);
    const auto& questions = experiment.questions();
    if (std::none_of(questions.begin(), questions.end(),
                     [&](const QuestionInfo& info) { return info.name == check.question; }))
        reader.refuse(answer, fmt::format("{} has no question '{}'", experiment.id(), check.question));
    check.unit = reader.text(in, "unit", ""); // of a choice: of the number that decides it
    if (check.kind == Check::Kind::number) {
        check.tolerance = in.contains("tolerance") ? reader.number(in, "tolerance") : 0;
        check.digits = in.contains("digits") ? static_cast<int>(reader.integer(in, "digits")) : 0;
        if (!(check.tolerance >= 0) || check.digits < 0 || check.digits > 15)
            reader.refuse(in, "tolerance must be 0 or more, digits 0 to 15");
    } else {
        std::set<std::string> ids;
        reader.tables(in, "options", [&](const toml::table& option) {
            reader.only(option, {"id", "en", "ko", "from", "to", "image"});
            CheckOption read{reader.text(option, "id"), reader.words(option), {}, {}};
            if (option.contains("from")) read.from = reader.number(option, "from");
            if (option.contains("to")) read.to = reader.number(option, "to");
            if (read.from.has_value() != read.to.has_value()) reader.refuse(option, "'from' and 'to' go together");
            if (option.contains("image")) read.image = read_image(reader, option, check.kind, parameters);
            if (!ids.insert(read.id).second) reader.refuse(option, fmt::format("option '{}' stands twice", read.id));
            check.options.push_back(std::move(read));
        });
        if (check.options.size() < 2) reader.refuse(in, "at least two options are needed");
        if (in.contains("found")) check.found = reader.words(in, "found");
    }
    check.veil = reader.texts(in, "veil");
    return check;
}

/// A value that the last of the card's controls offers, one that its parameter can have.
ControlChoice read_choice(const Reader& reader, const toml::table& in, const Card& card, const Experiment& experiment) {
    reader.only(in, {"value", "en", "ko"});
    const CardControl& control = card.controls.back();
    ControlChoice choice{reader.plain(reader.need(in, "value")), reader.words(in)};
    for (const ControlChoice& other : control.choices)
        if (other.value == choice.value) reader.refuse(in, fmt::format("the choice '{}' stands twice", choice.value));
    try {
        experiment.with(experiment.complete(card.parameters), control.parameter, choice.value);
    } catch (const ArgumentError& error) {
        reader.refuse(in, error.what());
    }
    return choice;
}

/// A text of a card, of which every heading is a step and every step has one. `steps`: the tables of the steps.
std::string read_text(const std::filesystem::path& path, const Card& card, const Reader& reader,
                      const std::vector<const toml::table*>& steps, const Experiment& experiment) {
    std::ifstream file(path, std::ios::binary);
    if (!file) throw FileError(fmt::format("{}: no such file", path.string()));
    std::stringstream text;
    text << file.rdbuf();
    const std::string whole = text.str();
    const auto line_of = [&](std::size_t at) { return 1 + std::count(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(at), '\n'); };
    for (std::size_t i = 0; i < steps.size(); ++i)
        if (whole.find("\n## " + card.lesson[i].text + "\n") == std::string::npos)
            reader.refuse(*steps[i], fmt::format("{} has no heading '## {}' for this step", path.filename().string(), card.lesson[i].text));
    for (std::size_t at = whole.find("\n## "); at != std::string::npos; at = whole.find("\n## ", at + 1)) {
        const std::string heading = whole.substr(at + 4, whole.find('\n', at + 1) - at - 4);
        if (std::none_of(card.lesson.begin(), card.lesson.end(), [&](const CardStep& step) { return step.text == heading; }))
            throw FileError(fmt::format("{}:{}: no step of card.toml is called '{}'", path.string(), line_of(at + 1), heading));
    }
    for (const LiveName& live : live_names(whole))
        if (const std::string problem = unknown_parameter(live.name, experiment); !problem.empty())
            throw FileError(fmt::format("{}:{}: {}", path.string(), line_of(live.from), problem));
    return whole;
}

/// The lines of a card's listing.py, with what card.toml says of some of them.
std::vector<ListingLine> read_listing(const std::filesystem::path& path, const Card& card, const Reader& reader, const toml::table& root,
                                      const Experiment& experiment) {
    std::vector<ListingLine> out;
    if (!root.contains("listing")) return out;
    std::ifstream file(path, std::ios::binary);
    if (!file) throw FileError(fmt::format("{}: no such file", path.string()));
    constexpr std::size_t most_lines = 200; // that anybody reads beside a run
    for (std::string line; std::getline(file, line);) {
        if (out.size() == most_lines) throw FileError(fmt::format("{}:{}: longer than {} lines", path.string(), most_lines + 1, most_lines));
        out.push_back({line, {}, {}, {}});
    }
    std::set<const ListingLine*> told;
    reader.tables(root, "listing", [&](const toml::table& t) {
        reader.only(t, {"line", "at", "without", "note"});
        const std::string wanted = reader.text(t, "line");
        const auto is_it = [&](const ListingLine& line) {
            const std::size_t indent = line.code.find_first_not_of(' ');
            return indent != std::string::npos && line.code.substr(indent) == wanted;
        };
        const auto at = std::find_if(out.begin(), out.end(), is_it);
        const std::string name = path.filename().string();
        if (at == out.end()) reader.refuse(t, fmt::format("{} has no line '{}'", name, wanted));
        if (std::any_of(at + 1, out.end(), is_it)) reader.refuse(t, fmt::format("{} has the line '{}' twice", name, wanted));
        if (!told.insert(&*at).second) reader.refuse(t, fmt::format("the line '{}' is told of twice", wanted));
        at->at = reader.text(t, "at", "");
        if (t.contains("note")) at->note = reader.words(t, "note");
        if (!t.contains("without")) return;
        Parameters seen = card.parameters;
        for (const auto& [key, node] : reader.table(t, "without"))
            seen[std::string(key.str())] = at->without[std::string(key.str())] = reader.plain(node);
        try {
            experiment.complete(seen);
        } catch (const ArgumentError& error) {
            reader.refuse(t, error.what());
        }
    });
    return out;
}

LearningPath load_path(const std::filesystem::path& file) {
    const Reader reader(file);
    LearningPath path;
    reader.only(reader.root(), {"schema", "id", "title", "description", "needs", "stops"});
    path.id = reader.text(reader.root(), "id");
    if (path.id != file.stem().string()) reader.refuse(reader.need(reader.root(), "id"), "id must be the file's name");
    path.title = reader.words(reader.root(), "title");
    path.description = reader.words(reader.root(), "description");
    path.needs = reader.texts(reader.root(), "needs");
    reader.tables(reader.root(), "stops", [&](const toml::table& stop) {
        reader.only(stop, {"card", "role", "title"});
        const std::string role = reader.text(stop, "role");
        if (role != "core" && role != "optional") reader.refuse(stop, "role must be core or optional");
        path.stops.push_back({reader.text(stop, "card"), role == "core", reader.words(stop, "title")});
    });
    return path;
}

} // namespace

RunRequest Card::request() const {
    RunRequest request;
    request.experiment = experiment;
    request.parameters = parameters;
    request.seed = seed;
    request.steps = steps;
    request.card = id;
    return request;
}

Card load_card(const std::filesystem::path& folder) {
    const Reader reader(folder / "card.toml");
    const toml::table& root = reader.root();
    Card card;
    reader.only(root, {"schema", "id", "title", "question", "minutes", "prerequisites", "introduce", "experiment", "controls", "views", "steps", "check", "listing"});
    card.id = reader.text(root, "id");
    if (card.id != folder.filename().string())
        reader.refuse(reader.need(root, "id"), fmt::format("id is '{}', but the folder is '{}'", card.id, folder.filename().string()));
    card.title = reader.words(root, "title");
    card.question = reader.words(root, "question");
    card.minutes = static_cast<int>(reader.integer(root, "minutes"));
    card.prerequisites = reader.texts(root, "prerequisites");
    if (root.contains("prerequisites")) card.prerequisites_line = static_cast<int>(reader.need(root, "prerequisites").source().begin.line);
    if (root.contains("introduce"))
        for (const auto& [key, node] : reader.table(root, "introduce")) {
            const std::string needed(key.str());
            const toml::table& one = reader.table(reader.table(root, "introduce"), needed.c_str());
            reader.only(one, {"en", "ko", "step"});
            card.introductions[needed] = {reader.words(one), reader.text(one, "step", "")};
        }
    const toml::table& experiment = reader.table(root, "experiment");
    reader.only(experiment, {"id", "seed", "steps", "parameters"});
    card.experiment = reader.text(experiment, "id");
    card.seed = static_cast<std::uint64_t>(experiment.contains("seed") ? reader.integer(experiment, "seed") : 1);
    card.steps = experiment.contains("steps") ? reader.integer(experiment, "steps") : -1;
    if (card.minutes < 1) reader.refuse(reader.need(root, "minutes"), "minutes must be 1 or more");
    if (experiment.contains("steps") && card.steps < 1) reader.refuse(reader.need(experiment, "steps"), "steps must be 1 or more");
    const Experiment* found = nullptr;
    try {
        found = &find_experiment(card.experiment);
        if (experiment.contains("parameters"))
            for (const auto& [key, node] : reader.table(experiment, "parameters"))
                card.parameters[std::string(key.str())] = reader.plain(node);
        found->complete(card.parameters);
    } catch (const ArgumentError& error) {
        reader.refuse(experiment, error.what());
    }
    reader.tables(root, "controls", [&](const toml::table& t) {
        reader.only(t, {"parameter", "reach", "label", "choices"});
        card.controls.push_back({reader.text(t, "parameter"), t.contains("reach") ? reader.number(t, "reach") : CardControl{}.reach});
        if (t.contains("label")) card.controls.back().label = reader.words(t, "label");
        reader.tables(t, "choices", [&](const toml::table& choice) { card.controls.back().choices.push_back(read_choice(reader, choice, card, *found)); });
        if (card.controls.back().choices.size() == 1) reader.refuse(t, "one choice is none");
        if (!(card.controls.back().reach > 0 && card.controls.back().reach <= 1e4)) reader.refuse(t, "reach must be above 0 and at most 10000");
    });
    const auto view = [&](const toml::table& at, const std::string& id) {
        if (!is_view(id)) reader.refuse(at, fmt::format("there is no view '{}'; see gradus list views", id));
    };
    reader.tables(root, "views", [&](const toml::table& t) {
        reader.only(t, {"id"});
        card.views.push_back(reader.text(t, "id"));
        view(t, card.views.back());
    });
    const auto scene = [&](const toml::table& t) {
        Scene out{reader.text(t, "cursor", ""), {}, reader.texts(t, "views"), reader.text(t, "select", ""), {}, reader.texts(t, "class_views"), {}};
        for (const auto* ids : {&out.views, &out.class_views})
            for (const std::string& id : *ids) view(t, id);
        if (t.contains("open")) out.open = reader.texts(t, "open");
        out.ruler = reader.text(t, "ruler", "");
        if (constexpr std::array rulers{"", "none", "flops", "bytes", "time"}; std::find(rulers.begin(), rulers.end(), out.ruler) == rulers.end())
            reader.refuse(reader.need(t, "ruler"), fmt::format("ruler must be flops, bytes, time or none, not '{}'", out.ruler));
        if (t.contains("iteration")) {
            out.iteration = reader.integer(t, "iteration");
            if (*out.iteration < 0 || (card.steps > 0 && *out.iteration >= card.steps))
                reader.refuse(reader.need(t, "iteration"), fmt::format("iteration must be one of the run's, 0 to {}", card.steps - 1));
        }
        if (t.contains("class")) {
            Parameters seen = card.parameters;
            for (const auto& [key, node] : reader.table(t, "class"))
                seen[std::string(key.str())] = out.in_class[std::string(key.str())] = reader.plain(node);
            try {
                found->complete(seen);
            } catch (const ArgumentError& error) {
                reader.refuse(t, error.what());
            }
        }
        return out;
    };
    std::vector<const toml::table*> steps;
    reader.tables(root, "steps", [&](const toml::table& t) {
        steps.push_back(&t);
        reader.only(t, {"text", "caption", "cursor", "iteration", "views", "select", "open", "ruler", "class", "class_views"});
        card.lesson.push_back({scene(t), reader.text(t, "text"),
                               t.contains("caption") ? filled_words(reader, t, "caption", *found) : Words()});
    });
    if (std::any_of(card.lesson.begin(), card.lesson.end(), [](const CardStep& step) { return !step.ruler.empty(); }))
        for (CardStep& step : card.lesson)
            if (step.ruler.empty()) step.ruler = "none"; // it ends with the step that brought it
    for (const auto& [needed, introduction] : card.introductions)
        if (!introduction.step.empty() && std::none_of(card.lesson.begin(), card.lesson.end(), [&, &step = introduction.step](const CardStep& one) { return one.text == step; }))
            reader.refuse(reader.table(reader.table(root, "introduce"), needed.c_str()), fmt::format("there is no step '{}'", introduction.step));
    std::set<std::string> ids;
    reader.tables(root, "check", [&](const toml::table& t) {
        card.checks.push_back(read_check(reader, t, *found, found->complete(card.parameters)));
        if (t.contains("scene")) {
            reader.only(reader.table(t, "scene"), {"cursor", "iteration", "views", "select", "open", "ruler", "class", "class_views"});
            card.checks.back().scene = scene(reader.table(t, "scene"));
        }
        if (!ids.insert(card.checks.back().id).second) reader.refuse(t, "two checks have the same id");
    });
    card.listing = read_listing(folder / "listing.py", card, reader, root, *found);
    card.text = {read_text(folder / "en.md", card, reader, steps, *found), read_text(folder / "ko.md", card, reader, steps, *found)};
    return card;
}

Library load_library(const std::filesystem::path& lessons) {
    Library library;
    library.folder = lessons;
    std::error_code error;
    std::vector<std::filesystem::path> folders, files;
    for (const auto& entry : std::filesystem::directory_iterator(lessons / "cards", error))
        if (entry.is_directory()) folders.push_back(entry.path());
    if (error) library.problems.push_back(fmt::format("{}: {}", (lessons / "cards").string(), error.message()));
    for (const auto& entry : std::filesystem::directory_iterator(lessons / "paths", error))
        if (entry.path().extension() == ".toml") files.push_back(entry.path());
    std::sort(folders.begin(), folders.end());
    std::sort(files.begin(), files.end());
    const auto attempt = [&](auto&& load) {
        try {
            load();
        } catch (const std::exception& problem) {
            library.problems.push_back(problem.what());
        }
    };
    for (const auto& folder : folders) {
        const std::size_t readable = library.cards.size();
        attempt([&] { library.cards.push_back(load_card(folder)); });
        if (library.cards.size() == readable) library.unreadable.push_back(folder.filename().string());
    }
    for (const auto& file : files) attempt([&] { library.paths.push_back(load_path(file)); });
    for (const Card& card : library.cards)
        for (const std::string& needed : card.prerequisites)
            if (!library.find(needed) && !card.introductions.contains(needed))
                library.problems.push_back(fmt::format("{}:{}: the prerequisite '{}' is not written yet and not introduced",
                                                       (lessons / "cards" / card.id / "card.toml").string(),
                                                       card.prerequisites_line, needed));
    return library;
}

const Card* Library::find(std::string_view id) const {
    for (const Card& card : cards)
        if (card.id == id) return &card;
    return nullptr;
}

const Card& Library::at(const std::string& id) const {
    if (const Card* card = find(id)) return *card;
    for (const std::string& problem : problems)
        if (problem.find("/cards/" + id + "/") != std::string::npos) throw FileError(problem);
    const std::vector<std::string> planned = unwritten();
    const bool known = std::find(planned.begin(), planned.end(), id) != planned.end();
    throw ArgumentError(known ? fmt::format("the card '{}' is not written yet; gradus list cards shows those that are", id)
                              : fmt::format("there is no card '{}'; gradus list cards shows those there are", id));
}

std::vector<std::string> Library::unwritten() const {
    std::set<std::string> ids;
    for (const Card& card : cards) ids.insert(card.prerequisites.begin(), card.prerequisites.end());
    for (const LearningPath& path : paths)
        for (const PathStop& stop : path.stops) ids.insert(stop.card);
    std::vector<std::string> out;
    for (const std::string& id : ids)
        if (!find(id) && std::find(unreadable.begin(), unreadable.end(), id) == unreadable.end()) out.push_back(id);
    return out;
}

} // namespace gradus
