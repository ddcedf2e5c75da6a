#include "engine/trace/manifest.hpp"

#include "engine/core/error.hpp"
#include "engine/core/text.hpp"

#include <fmt/format.h>
#include <libdeflate.h>
#include <nlohmann/json.hpp>
#include <sqlite3.h>
#include <xxhash.h>
#include <zlib.h>

#include <exception>

namespace gradus {

using nlohmann::json;

std::string Manifest::to_json() const {
    return json{
        {"format", format},
        {"id", id},
        {"experiment", experiment},
        {"parameters", parameters},
        {"seed", std::to_string(seed)}, // as text: JSON readers lose integers above 2^53
        {"planned_steps", planned_steps},
        {"observe_every", observe_every},
        {"card", card},
        {"device", device},
        {"isa", isa},
        {"threads", threads},
        {"processor", processor},
        {"build", build},
        {"libraries", libraries},
        {"dataset", dataset},
        {"dataset_hash", dataset_hash},
        {"clock",
         {{"origin_ticks", std::to_string(clock.origin_ticks)},
          {"origin_unix_ns", clock.origin_unix_ns},
          {"ns_per_tick", clock.ns_per_tick}}},
        {"parent", parent},
        {"fork_iteration", fork_iteration},
        {"parent_edits", parent_edits},
    }
        .dump();
}

namespace {

std::uint64_t unsigned_from(const json& value) {
    const auto text = value.get<std::string>();
    std::uint64_t out = 0;
    for (const char c : text) {
        if (c < '0' || c > '9') throw std::runtime_error("not a number");
        if (__builtin_mul_overflow(out, std::uint64_t{10}, &out) ||
            __builtin_add_overflow(out, static_cast<std::uint64_t>(c - '0'), &out))
            throw std::runtime_error("too large");
    }
    return out;
}

} // namespace

Manifest Manifest::from_json(const std::string& text, const std::string& where) {
    const json root = json::parse(text, nullptr, false);
    if (!root.is_object()) throw FileError(fmt::format("{}: the manifest is not a JSON object", where));
    const char* field = "";
    try {
        Manifest m;
        const auto get = [&](const char* name) -> const json& {
            field = name;
            return root.at(name);
        };
        m.format = get("format").get<int>();
        if (m.format != 1)
            throw FileError(fmt::format("{}: manifest format {} is newer than this program knows (1)", where, m.format));
        get("id").get_to(m.id);
        get("experiment").get_to(m.experiment);
        get("parameters").get_to(m.parameters);
        m.seed = unsigned_from(get("seed"));
        get("planned_steps").get_to(m.planned_steps);
        get("observe_every").get_to(m.observe_every);
        get("card").get_to(m.card);
        get("device").get_to(m.device);
        get("isa").get_to(m.isa);
        get("threads").get_to(m.threads);
        get("processor").get_to(m.processor);
        get("build").get_to(m.build);
        get("libraries").get_to(m.libraries);
        get("dataset").get_to(m.dataset);
        get("dataset_hash").get_to(m.dataset_hash);
        const json& clock = get("clock");
        m.clock.origin_ticks = unsigned_from(clock.at("origin_ticks"));
        clock.at("origin_unix_ns").get_to(m.clock.origin_unix_ns);
        clock.at("ns_per_tick").get_to(m.clock.ns_per_tick);
        if (!(m.clock.ns_per_tick > 1e-6 && m.clock.ns_per_tick < 1e6)) throw std::runtime_error("clock");
        get("parent").get_to(m.parent);
        get("fork_iteration").get_to(m.fork_iteration);
        get("parent_edits").get_to(m.parent_edits);
        field = "planned_steps";
        if (m.planned_steps < 0 || m.fork_iteration < 0 || m.observe_every < 0 || m.parent_edits < 0) throw std::runtime_error("negative");
        return m;
    } catch (const FileError&) {
        throw;
    } catch (const std::exception&) {
        throw FileError(fmt::format("{}: the manifest's field '{}' is missing or wrong", where, field));
    }
}

std::string build_description() {
    return fmt::format("gradus {} ({} {})", GRADUS_VERSION,
#if defined(__clang__)
                       "clang", __clang_version__
#else
                       "gcc", __VERSION__
#endif
    );
}

std::map<std::string, std::string> library_versions() {
    return {{"sqlite", sqlite3_libversion()},
            {"zlib", zlibVersion()},
            {"libdeflate", LIBDEFLATE_VERSION_STRING},
            {"xxhash", std::to_string(XXH_VERSION_NUMBER)},
            {"fmt", std::to_string(FMT_VERSION)}};
}

} // namespace gradus
