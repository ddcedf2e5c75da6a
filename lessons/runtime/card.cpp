#include "lessons/runtime/card.hpp"

#include "engine/core/error.hpp"
#include "lessons/runtime/card_reader.hpp"
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

/// A value that the last of the card's controls offers, one that its parameter can have.
ControlChoice read_choice(const CardReader& reader, const toml::table& in, const Card& card, const Experiment& experiment) {
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
std::string read_text(const std::filesystem::path& path, const Card& card, const CardReader& reader,
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
std::vector<ListingLine> read_listing(const std::filesystem::path& path, const Card& card, const CardReader& reader, const toml::table& root,
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
    const CardReader reader(file);
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
    request.device.device = device;
    return request;
}

Card load_card(const std::filesystem::path& folder) {
    const CardReader reader(folder / "card.toml");
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
    reader.only(experiment, {"id", "device", "seed", "steps", "parameters"});
    card.experiment = reader.text(experiment, "id");
    card.device = reader.text(experiment, "device", "cpu");
    if (card.device != "cpu" && card.device != "simt") reader.refuse(reader.need(experiment, "device"), "device must be cpu or simt");
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
        out.class_cursor = reader.text(t, "class_cursor", "");
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
        reader.only(t, {"text", "caption", "cursor", "iteration", "views", "select", "open", "ruler", "class", "class_cursor", "class_views"});
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
        const bool kernels = !card.checks.empty() && card.checks.back().edit;
        card.checks.push_back(read_check(reader, t, folder, *found, found->complete(card.parameters)));
        if (t.contains("scene")) {
            reader.only(reader.table(t, "scene"), {"cursor", "iteration", "views", "select", "open", "ruler", "class", "class_cursor", "class_views"});
            card.checks.back().scene = scene(reader.table(t, "scene"));
        }
        if (kernels && !card.checks.back().edit) reader.refuse(t, "a kernel that is to be completed comes after all other checks");
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
