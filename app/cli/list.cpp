#include "app/cli/cli.hpp"
#include "app/say.hpp"
#include "engine/core/error.hpp"
#include "engine/core/text.hpp"
#include "engine/kernels/faulty/faulty_ladders.hpp"
#include "engine/ops/ops.hpp"
#include "lessons/runtime/view_names.hpp"

#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>

namespace gradus::cli {

using nlohmann::json;

namespace {

json words_json(const Words& words) { return {{"en", words.en}, {"ko", words.ko}}; }

json cards(const Library& lessons) {
    json items = json::array();
    for (const Card& card : lessons.cards)
        items.push_back({{"id", card.id},
                         {"title", card.title.en},
                         {"titles", words_json(card.title)},
                         {"question", words_json(card.question)},
                         {"minutes", card.minutes},
                         {"prerequisites", card.prerequisites},
                         {"experiment", card.experiment},
                         {"written", true}});
    for (const std::string& id : lessons.unreadable)
        items.push_back({{"id", id}, {"title", id}, {"written", true}, {"readable", false}});
    for (const std::string& id : lessons.unwritten())
        items.push_back({{"id", id}, {"title", id}, {"written", false}});
    return items;
}

json paths(const Library& lessons) {
    json items = json::array();
    for (const LearningPath& path : lessons.paths) {
        json stops = json::array();
        for (const PathStop& stop : path.stops)
            stops.push_back({{"card", stop.card},
                             {"title", stop.title.en},
                             {"core", stop.core},
                             {"written", lessons.find(stop.card) != nullptr}});
        items.push_back({{"id", path.id},
                         {"title", path.title.en},
                         {"titles", words_json(path.title)},
                         {"description", path.description.en},
                         {"needs", path.needs},
                         {"stops", stops}});
    }
    return items;
}

const char* type_name(ParameterInfo::Type type) {
    switch (type) {
    case ParameterInfo::Type::integer: return "integer";
    case ParameterInfo::Type::number: return "number";
    case ParameterInfo::Type::choice: return "choice";
    case ParameterInfo::Type::widths: return "widths";
    case ParameterInfo::Type::list: return "list";
    case ParameterInfo::Type::words: return "words";
    case ParameterInfo::Type::text: return "text";
    }
    return "?";
}

json experiments() {
    json items = json::array();
    for (const Experiment* experiment : all_experiments()) {
        json parameters = json::array(), questions = json::array();
        for (const ParameterInfo& info : experiment->parameters()) {
            json one{{"name", info.name}, {"type", type_name(info.type)}, {"default", info.standard},
                     {"unit", info.unit}, {"meaning", info.meaning}};
            if (!info.choices.empty()) one["choices"] = info.choices;
            if (info.most > info.least) one["range"] = {info.least, info.most};
            parameters.push_back(one);
        }
        for (const QuestionInfo& info : experiment->questions())
            questions.push_back({{"name", info.name}, {"meaning", info.meaning}});
        items.push_back({{"id", experiment->id()},
                         {"title", experiment->title()},
                         {"steps", experiment->standard_steps()},
                         {"parameters", parameters},
                         {"questions", questions}});
    }
    return items;
}

json views() {
    json items = json::array();
    for (const ViewName& view : view_names()) items.push_back({{"id", view.id}, {"title", view.title}});
    return items;
}

json ops() {
    json items = json::array();
    const Device cpu{DeviceOptions{"cpu", "", 1}};
    std::unique_ptr<Device> simt; // where it can be used
    try {
        simt = std::make_unique<Device>(DeviceOptions{"simt", "", 1});
    } catch (const UnavailableError&) {
    }
    for (const gradus::Op* op : all_ops()) {
        // A view computes nothing, and so on every type a tensor can be laid out in.
        json dtypes = json::object(); // by backend
        for (const Device* device : {&cpu, static_cast<const Device*>(simt.get())}) {
            if (!device) continue;
            json names = json::array();
            for (const DType dtype : (op->view ? cpu : *device).dtypes_of(op->view ? ops::contiguous().kernel : op->kernel)) names.push_back(name_of(dtype));
            if (!names.empty()) dtypes[device->name()] = std::move(names);
        }
        json backends = json::array();
        for (const auto& [backend, names] : dtypes.items()) backends.push_back(backend);
        json one{{"id", op->name},
                 {"title", op->formula},
                 {"dtypes", dtypes["cpu"]},
                 {"backend_dtypes", dtypes},
                 {"backends", backends},
                 {"differentiable", op->backward != nullptr},
                 {"view", op->view != nullptr}};
        if (!op->fused_from.empty()) one["fused_from"] = op->fused_from;
        items.push_back(one);
    }
    return items;
}

json devices() {
    json items = json::array();
    for (const DeviceInfo& device : list_devices()) {
        json one{{"id", device.id}, {"title", device.title}, {"available", device.available}};
        if (!device.available) one["reason"] = device.reason;
        items.push_back(one);
    }
    return items;
}

/// "[cpu: fp32 fp64 fp16 bf16; simt: fp32; fused from softmax + cross_entropy]".
std::string op_note(const json& op) {
    std::string note;
    for (const auto& [backend, dtypes] : op["backend_dtypes"].items()) {
        note += (note.empty() ? "[" : "; ") + backend + ":";
        for (const json& dtype : dtypes) note += " " + dtype.get<std::string>();
    }
    if (op["view"].get<bool>()) note += "; a view";
    if (op.contains("fused_from")) note += "; fused from " + op["fused_from"].get<std::string>();
    return note + "]";
}

void print_items(const json& items) {
    if (items.empty()) fmt::print("  none yet\n");
    for (const json& item : items) {
        std::string note;
        if (item.contains("written") && !item["written"].get<bool>()) note = "  (not written yet)";
        if (item.contains("readable")) note = "  (cannot be read; the reason is above)";
        if (item.contains("available") && !item["available"].get<bool>()) note = "  (" + item["reason"].get<std::string>() + ")";
        if (item.contains("dtypes")) note = "  " + op_note(item);
        if (item.contains("fault")) note = "  (wrong on purpose: " + item["fault"].get<std::string>() + ")";
        const auto id = item["id"].get<std::string>(), title = item["title"].get<std::string>();
        fmt::print("  {:<29} {}{}\n", id, title == id ? "" : title, note);
        if (item.contains("parameters"))
            for (const json& parameter : item["parameters"]) {
                std::string choices;
                if (parameter.contains("choices"))
                    for (const json& choice : parameter["choices"]) choices += (choices.empty() ? ": " : ", ") + choice.get<std::string>();
                fmt::print("      {:<25} {}{} (default {})\n", parameter["name"].get<std::string>(), parameter["meaning"].get<std::string>(),
                           choices, parameter["default"].get<std::string>());
            }
    }
}

json kernels() {
    json items = json::array();
    for (const Ladder* ladder : known_ladders())
        for (const Rung& rung : ladder->rungs) {
            json sizes = json::object(), blocks = json::array();
            for (const ProblemSize& size : ladder->sizes) sizes[size.name] = size.usual;
            for (const Dim3& block : rung.blocks) blocks.push_back({block.x, block.y, block.z});
            items.push_back({{"id", ladder->id + "/" + rung.id}, {"title", ladder->title + ": " + rung.title}, {"ladder", ladder->id}, {"sizes", sizes}, {"blocks", blocks},
                             {"lowest_capability", rung.lowest / 10.0}, {"tolerance", rung.tolerance}});
            if (const KernelFault* fault = fault_of(*ladder, rung)) items.back()["fault"] = fault->sentence;
        }
    return items;
}

} // namespace

int list(const std::string& what, bool json_wanted) {
    const Library lessons = library();
    for (const std::string& problem : lessons.problems) say("{}\n", problem);
    const std::vector<std::pair<std::string, json (*)(const Library&)>> kinds{
        {"cards", cards},
        {"paths", paths},
        {"experiments", [](const Library&) { return experiments(); }},
        {"views", [](const Library&) { return views(); }},
        {"ops", [](const Library&) { return ops(); }},
        {"kernels", [](const Library&) { return kernels(); }},
        {"devices", [](const Library&) { return devices(); }},
    };
    if (what.empty()) {
        json all{{"schema", 1}};
        for (const auto& [name, make] : kinds) {
            if (json_wanted) {
                all[name] = make(lessons);
                continue;
            }
            fmt::print("{}\n", name);
            print_items(make(lessons));
        }
        if (json_wanted) print_json(all);
        return done;
    }
    for (const auto& [name, make] : kinds) {
        if (name != what) continue;
        const json items = make(lessons);
        if (json_wanted) print_json({{"schema", 1}, {"items", items}});
        else print_items(items);
        return done;
    }
    std::vector<std::string> names;
    for (const auto& [name, make] : kinds) names.emplace_back(name);
    throw ArgumentError(fmt::format("there is no list of '{}'; there are {}", what, joined(names)));
}

} // namespace gradus::cli
