#include "engine/trace/file/codec.hpp"

#include "engine/core/error.hpp"
#include "engine/core/hash.hpp"
#include "engine/core/text.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <exception>

namespace gradus::file {

using nlohmann::json;

std::string in_quotes(std::string_view text) {
    constexpr std::size_t most = 60;
    std::string out = "'";
    for (const char c : text.substr(0, most)) out += static_cast<unsigned char>(c) < ' ' || c == '\x7f' ? '?' : c;
    return out + (text.size() > most ? "…'" : "'");
}

ColumnReader::ColumnReader(std::span<const std::byte> bytes, std::int64_t count, std::size_t record_bytes,
                           const std::string& where)
    : bytes_(bytes) {
    if (count < 0 || static_cast<std::uint64_t>(count) != bytes.size() / record_bytes ||
        bytes.size() % record_bytes != 0)
        throw FileError(fmt::format("{}: says {} records of {} bytes, but holds {} bytes", where, count, record_bytes,
                                    bytes.size()));
    count_ = static_cast<std::size_t>(count);
}

namespace {

template <class Enum> Enum named(const std::string& name, std::initializer_list<Enum> all, const std::string& where) {
    for (const Enum candidate : all)
        if (name_of(candidate) == name) return candidate;
    throw FileError(fmt::format("{}: {} is no known value", where, in_quotes(name)));
}

constexpr auto levels = {Level::run,   Level::iteration,        Level::phase, Level::module, Level::op, Level::kernel,
                         Level::block, Level::warp_instruction, Level::lane,  Level::bits};
constexpr auto phases = {Phase::data, Phase::forward, Phase::backward, Phase::update, Phase::evaluate};

const char* when_name(TensorRef::When when) {
    return when == TensorRef::When::same_iteration       ? "same"
           : when == TensorRef::When::previous_iteration ? "previous"
                                                         : "setup";
}

} // namespace

DType dtype_from_text(const std::string& name, const std::string& where) {
    return named(name, {DType::f32, DType::f64, DType::i32, DType::i64, DType::u8, DType::f16, DType::bf16, DType::boolean}, where);
}
Role role_from_text(const std::string& name, const std::string& where) {
    return named(name,
                 {Role::data, Role::activation, Role::gradient, Role::parameter, Role::optimizer_state, Role::loss,
                  Role::metric},
                 where);
}
RunState state_from_text(const std::string& name, const std::string& where) {
    return named(name, {RunState::growing, RunState::finished, RunState::stopped, RunState::failed}, where);
}

std::uint64_t hash_fields(const std::vector<std::string>& fields) {
    std::string text;
    for (const std::string& field : fields) {
        text += field;
        text += '\0';
    }
    return hash_text(text);
}

std::uint64_t hash_of(const SeriesInfo& info) {
    return hash_fields({info.name, info.unit, std::string(name_of(info.provenance)), info.every_iteration ? "1" : "0"});
}

std::uint64_t hash_of(const RecordedTensor& recorded, const Shape& shape, DType dtype, std::uint64_t contents) {
    return hash_fields({std::to_string(recorded.id.event.iteration), std::to_string(recorded.id.event.ordinal),
                        std::to_string(recorded.id.output), recorded.name, std::string(name_of(recorded.role)),
                        std::string(name_of(dtype)), shape_to_text(shape), axes_to_text(shape), hash_hex(contents)});
}

std::string shape_to_text(const Shape& shape) {
    std::string out;
    for (int axis = 0; axis < shape.rank(); ++axis) out += (axis > 0 ? "," : "") + std::to_string(shape[axis]);
    return out;
}

std::string axes_to_text(const Shape& shape) {
    std::string out;
    for (int axis = 0; axis < shape.rank(); ++axis) {
        if (axis > 0) out += ',';
        out += shape.name(axis).view();
    }
    return out;
}

Shape shape_from_text(const std::string& sizes, const std::string& names, const std::string& where) {
    Shape shape;
    if (sizes.empty() && names.empty()) return shape;
    const auto size_parts = split(sizes, ',');
    auto name_parts = split(names, ',');
    name_parts.resize(size_parts.size());
    for (std::size_t i = 0; i < size_parts.size(); ++i) {
        const auto size = parse_integer(size_parts[i]);
        if (!size || *size < 0) throw FileError(fmt::format("{}: {} is no shape", where, in_quotes(sizes)));
        try {
            shape.append({*size, AxisName(name_parts[i])});
        } catch (const ShapeError&) {
            throw FileError(fmt::format("{}: {} with axes {} is no shape", where, in_quotes(sizes), in_quotes(names)));
        }
    }
    if (shape_to_text(shape) != sizes || axes_to_text(shape) != names) // no second way to write the same
        throw FileError(fmt::format("{}: {} with axes {} is not how a shape is written", where, in_quotes(sizes), in_quotes(names)));
    return shape;
}

std::string site_to_json(const EventSite& site) {
    json inputs = json::array(), outputs = json::array();
    for (const TensorRef& ref : site.inputs) {
        inputs.push_back({{"name", ref.name},
                          {"when", when_name(ref.when)},
                          {"ordinal", ref.ordinal},
                          {"output", ref.output},
                          {"setup", ref.setup_ordinal}});
        if (ref.dtype)
            inputs.back().update({{"dtype", name_of(*ref.dtype)},
                                  {"shape", shape_to_text(ref.shape)},
                                  {"axes", axes_to_text(ref.shape)}});
    }
    for (const OutputInfo& out : site.outputs)
        outputs.push_back({{"name", out.name},
                           {"role", name_of(out.role)},
                           {"dtype", name_of(out.dtype)},
                           {"shape", shape_to_text(out.shape)},
                           {"axes", axes_to_text(out.shape)}});
    json out{{"level", name_of(site.level)},
                {"phase", name_of(site.phase)},
                {"name", site.name},
                {"path", site.path},
                {"module", site.module},
                {"implementation", site.implementation},
                {"formula", site.formula},
                {"ordinal", site.ordinal},
                {"parent", site.parent},
                {"forward", site.forward},
                {"lane", site.lane},
                {"flops", site.cost.flops},
                {"bytes_read", site.cost.bytes_read},
                {"bytes_written", site.cost.bytes_written},
                {"provenance", name_of(site.provenance)},
                {"inputs", inputs},
                {"outputs", outputs}};
    for (const EventAttribute& attribute : site.attributes)
        out["attributes"].push_back({{"name", attribute.name}, {"value", attribute.value}, {"unit", attribute.unit}, {"provenance", name_of(attribute.provenance)}});
    return out.dump(-1, ' ', false, json::error_handler_t::replace);
}

EventSite site_from_json(const std::string& text, const std::string& where) {
    const json root = json::parse(text, nullptr, false);
    try {
        EventSite site;
        site.level = named(root.at("level").get<std::string>(), levels, where);
        site.phase = named(root.at("phase").get<std::string>(), phases, where);
        root.at("name").get_to(site.name);
        root.at("path").get_to(site.path);
        root.at("module").get_to(site.module);
        root.at("implementation").get_to(site.implementation);
        root.at("formula").get_to(site.formula);
        root.at("ordinal").get_to(site.ordinal);
        root.at("parent").get_to(site.parent);
        root.at("forward").get_to(site.forward);
        root.at("lane").get_to(site.lane);
        root.at("flops").get_to(site.cost.flops);
        root.at("bytes_read").get_to(site.cost.bytes_read);
        root.at("bytes_written").get_to(site.cost.bytes_written);
        const auto provenance = provenance_named(root.at("provenance").get<std::string>());
        if (!provenance) throw std::runtime_error("provenance");
        site.provenance = *provenance;
        for (const json& item : root.at("inputs")) {
            TensorRef ref;
            item.at("name").get_to(ref.name);
            const auto when = item.at("when").get<std::string>();
            ref.when = when == "same"       ? TensorRef::When::same_iteration
                       : when == "previous" ? TensorRef::When::previous_iteration
                                            : TensorRef::When::setup;
            item.at("ordinal").get_to(ref.ordinal);
            item.at("output").get_to(ref.output);
            item.at("setup").get_to(ref.setup_ordinal);
            if (item.contains("dtype")) {
                ref.dtype = dtype_from_text(item.at("dtype").get<std::string>(), where);
                ref.shape = shape_from_text(item.at("shape").get<std::string>(), item.at("axes").get<std::string>(), where);
            }
            site.inputs.push_back(std::move(ref));
        }
        for (const json& item : root.at("outputs")) {
            OutputInfo out;
            item.at("name").get_to(out.name);
            out.role = role_from_text(item.at("role").get<std::string>(), where);
            out.dtype = dtype_from_text(item.at("dtype").get<std::string>(), where);
            out.shape = shape_from_text(item.at("shape").get<std::string>(), item.at("axes").get<std::string>(), where);
            site.outputs.push_back(std::move(out));
        }
        if (root.contains("attributes"))
            for (const json& item : root.at("attributes")) {
                const auto from = provenance_named(item.at("provenance").get<std::string>());
                if (!from) throw std::runtime_error("provenance");
                site.attributes.push_back({item.at("name").get<std::string>(), item.at("value").get<std::string>(), item.at("unit").get<std::string>(), *from});
            }
        return site;
    } catch (const FileError&) {
        throw;
    } catch (const std::exception&) {
        throw FileError(fmt::format("{}: the description of a site is damaged", where));
    }
}

} // namespace gradus::file
