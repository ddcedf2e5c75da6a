#include "lessons/runtime/card_reader.hpp"

#include "engine/simt/kernel_run.hpp"
#include "engine/simt/source_file.hpp"
#include "lessons/experiments/run_kernel/settings.hpp"

#include <array>
#include <set>

namespace gradus {

std::string unknown_parameter(const std::string& name, const Experiment& experiment) {
    if (!name.starts_with("parameter:") || name == "parameter:seed" || name == "parameter:steps") return {};
    const auto& known = experiment.parameters();
    const bool there = std::any_of(known.begin(), known.end(), [&](const ParameterInfo& info) { return info.name == name.substr(10); });
    return there ? "" : fmt::format("'{{{}}}' names no parameter of {}", name, experiment.id());
}

Words filled_words(const CardReader& reader, const toml::table& in, const char* key, const Experiment& experiment) {
    Words words = reader.words(in, key);
    for (const std::string* text : {&words.en, &words.ko})
        for (const LiveName& live : live_names(*text))
            if (const std::string problem = unknown_parameter(live.name, experiment); !problem.empty())
                reader.refuse(reader.need(in, key), problem);
    return words;
}

namespace {

/// The test image that an option shows, one of the data that the card starts with.
std::int64_t read_image(const CardReader& reader, const toml::table& option, Check::Kind kind, const Parameters& parameters) {
    const toml::node& at = reader.need(option, "image");
    const std::int64_t image = reader.integer(option, "image");
    if (kind == Check::Kind::order) reader.refuse(at, "the rows of an order show no images");
    const auto data = parameters.find("data");
    const Dim count = data == parameters.end() ? 0 : test_images_of(data->second);
    if (count == 0) reader.refuse(at, data == parameters.end() ? "this experiment has no data set" : fmt::format("the examples of {} are no images", data->second));
    if (image < 0 || image >= count) reader.refuse(at, fmt::format("image must be a test image of {}, 0 to {}, not {}", data->second, count - 1, image));
    return image;
}

/// A file beside card.toml. `name`: as the card has it.
std::string read_kernel(const CardReader& reader, const toml::node& at, const std::filesystem::path& folder, const std::string& name) {
    if (name.find('/') != std::string::npos || !name.ends_with(".cu")) reader.refuse(at, fmt::format("a .cu file of the card's folder is wanted, not '{}'", shortened(name)));
    std::error_code error;
    const std::uintmax_t size = std::filesystem::file_size(folder / name, error);
    std::ifstream file(folder / name, std::ios::binary);
    if (error || !file) reader.refuse(at, fmt::format("there is no file '{}' in the card's folder", shortened(name)));
    if (size > simt::SourceFile::most_bytes) reader.refuse(at, fmt::format("{} is larger than {} bytes", name, simt::SourceFile::most_bytes));
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

/// Sizes and block that the rung can have.
EditTry read_try(const CardReader& reader, const toml::table& in, const Ladder& ladder, const Rung& rung) {
    reader.only(in, {"sizes", "block", "schedules"});
    EditTry out{reader.text(in, "sizes", "usual"), reader.text(in, "block", "usual"), 0};
    if (in.contains("schedules")) out.schedules = static_cast<int>(std::clamp<std::int64_t>(reader.integer(in, "schedules"), -1, 1000));
    if (out.schedules < 0 || out.schedules > 100) reader.refuse(in, "schedules must be 0 to 100");
    try {
        if (out.sizes != "usual") simt::usual_problem(ladder, kernels::read_sizes(out.sizes));
        if (out.block != "usual" && std::find(rung.blocks.begin(), rung.blocks.end(), kernels::read_block(out.block)) == rung.blocks.end())
            reader.refuse(in, fmt::format("{}/{} cannot have blocks of {}", ladder.id, rung.id, shortened(out.block)));
    } catch (const ArgumentError& error) {
        reader.refuse(in, error.what());
    }
    return out;
}

EditDemand read_demand(const CardReader& reader, const toml::table& in, const std::vector<EditTry>& tries) {
    EditDemand out;
    out.words = reader.words(in);
    out.question = reader.text(in, "question");
    const auto& questions = find_experiment("run_kernel").questions();
    if (std::none_of(questions.begin(), questions.end(), [&](const QuestionInfo& info) { return info.name == out.question; }))
        reader.refuse(in, fmt::format("run_kernel has no question '{}'", shortened(out.question)));
    if (in.contains("equals") == (in.contains("least") || in.contains("most"))) reader.refuse(in, "one of 'equals', or 'least' and 'most', is needed");
    if (in.contains("equals")) out.least = out.most = reader.number(in, "equals");
    if (in.contains("least")) out.least = reader.number(in, "least");
    if (in.contains("most")) out.most = reader.number(in, "most");
    out.sizes = reader.text(in, "sizes", "");
    if (!out.sizes.empty() && std::none_of(tries.begin(), tries.end(), [&](const EditTry& one) { return one.sizes == out.sizes; }))
        reader.refuse(in, fmt::format("it is not tried at '{}'", shortened(out.sizes)));
    for (const auto& [key, node] : in)
        if (constexpr std::array own{"en", "ko", "question", "equals", "least", "most", "sizes"}; std::find(own.begin(), own.end(), key.str()) == own.end())
            out.arguments[std::string(key.str())] = reader.plain(node);
    return out;
}

CheckEdit read_edit(const CardReader& reader, const toml::table& in, const std::filesystem::path& folder) {
    CheckEdit out;
    out.kernel = reader.text(in, "kernel");
    const auto found = [&] {
        try {
            return simt::find_rung(out.kernel);
        } catch (const ArgumentError& error) {
            reader.refuse(reader.need(in, "kernel"), error.what());
        }
    }();
    if (out.kernel == found.first->id) reader.refuse(reader.need(in, "kernel"), "kernel must name a rung, such as transpose/2_tiled");
    out.text = read_kernel(reader, in.contains("file") ? reader.need(in, "file") : in, folder, reader.text(in, "file", "edit.cu"));
    if (in.contains("solution")) out.solution = read_kernel(reader, reader.need(in, "solution"), folder, reader.text(in, "solution"));
    reader.tables(in, "tries", [&](const toml::table& one) { out.tries.push_back(read_try(reader, one, *found.first, *found.second)); });
    if (out.tries.empty()) reader.refuse(in, "'tries' must say at which sizes it is tried");
    reader.tables(in, "accept", [&](const toml::table& one) { out.demands.push_back(read_demand(reader, one, out.tries)); });
    return out;
}

} // namespace

Check read_check(const CardReader& reader, const toml::table& in, const std::filesystem::path& folder, const Experiment& experiment, const Parameters& parameters) {
    Check check;
    check.id = reader.text(in, "id");
    const std::string kind = reader.text(in, "kind");
    if (kind == "choice") check.kind = Check::Kind::choice;
    else if (kind == "number") check.kind = Check::Kind::number;
    else if (kind == "order") check.kind = Check::Kind::order;
    else if (kind == "point") check.kind = Check::Kind::point;
    else if (kind == "edit") check.kind = Check::Kind::edit;
    else reader.refuse(in, fmt::format("kind must be choice, number, order, point or edit, not '{}'", kind));
    if (check.kind == Check::Kind::edit) reader.only(in, {"id", "kind", "ask", "why", "kernel", "file", "solution", "tries", "accept", "veil"});
    else reader.only(in, {"id", "kind", "gut", "set", "ask", "why", "answer", "options", "unit", "tolerance", "digits", "found", "veil", "scene"});
    check.gut = reader.flag(in, "gut");
    check.set = reader.flag(in, "set");
    check.ask = filled_words(reader, in, "ask", experiment);
    check.why = filled_words(reader, in, "why", experiment);
    check.veil = reader.texts(in, "veil");
    if (check.kind == Check::Kind::edit) {
        check.edit = std::make_shared<const CheckEdit>(read_edit(reader, in, folder));
        return check;
    }
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
    return check;
}

} // namespace gradus
