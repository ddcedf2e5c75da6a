#include "engine/trace/manifest.hpp"

#include "engine/core/error.hpp"
#include "tests/support/check.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

Manifest full() {
    Manifest m;
    m.experiment = "train_mlp";
    m.parameters = {{"data", "xor"}, {"layers", "2,2,1"}, {"quote", "\"\\ü\n"}};
    m.seed = 18446744073709551615u; // a JSON number would lose it
    m.planned_steps = 3000;
    m.observe_every = 60;
    m.card = "xor-network";
    m.device = "cpu";
    m.isa = "avx2";
    m.threads = 3;
    m.processor = "Some(R) Processor";
    m.build = build_description();
    m.libraries = library_versions();
    m.dataset = "xor";
    m.dataset_hash = "00ff";
    m.clock = {18446744073709551614u, -5, 0.4166666666666667};
    m.parent = "run";
    m.fork_iteration = 17;
    m.id = "fork 1";
    return m;
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
    const auto at = text.find(what);
    if (at == std::string::npos) throw std::runtime_error("the manifest has no " + what);
    return text.replace(at, what.size(), by);
}

} // namespace

TEST(manifest_reads_what_it_writes) {
    const Manifest m = full(), again = Manifest::from_json(m.to_json(), "here");
    CHECK_EQUAL(again.to_json(), m.to_json());
    CHECK_EQUAL(again.seed, m.seed);
    CHECK_EQUAL(again.clock.origin_ticks, m.clock.origin_ticks);
    CHECK_EQUAL(again.clock.ns_per_tick, m.clock.ns_per_tick);
    CHECK(again.parameters == m.parameters && again.libraries == m.libraries);
    CHECK_EQUAL(again.fork_iteration, 17);
    CHECK(m.build.find("gradus") != std::string::npos && m.libraries.contains("sqlite"));
}

TEST(manifest_refuses_damage_by_name) {
    const std::string good = full().to_json();
    const auto bad = [&](const char* what, const char* by) { return replaced(good, what, by); };
    struct {
        const char* name;
        std::string json;
        const char* says;
    } const rows[] = {
        {"empty", "", "not a JSON object"},
        {"cut off", good.substr(0, good.size() / 2), "not a JSON object"},
        {"a list", "[]", "not a JSON object"},
        {"newer", bad("\"format\":1", "\"format\":2"), "format 2"},
        {"no seed", bad("\"seed\"", "\"sead\""), "'seed'"},
        {"seed as number", bad("\"18446744073709551615\"", "7"), "'seed'"},
        {"seed too large", bad("\"18446744073709551615\"", "\"18446744073709551616\""), "'seed'"},
        {"seed negative", bad("\"18446744073709551615\"", "\"-1\""), "'seed'"},
        {"negative steps", bad("\"planned_steps\":3000", "\"planned_steps\":-1"), "'planned_steps'"},
        {"negative fork", bad("\"fork_iteration\":17", "\"fork_iteration\":-1"), "planned_steps"},
        {"parameters as list", bad("\"parameters\":{", "\"parameters\":[],\"x\":{"), "'parameters'"},
        {"clock that stands", bad("0.4166666666666667", "0.0"), "'clock'"},
        {"clock of text", bad("0.4166666666666667", "\"fast\""), "'clock'"},
        {"threads as text", bad("\"threads\":3", "\"threads\":\"3\""), "'threads'"},
    };
    for (const auto& row : rows) {
        const Row named(row.name);
        CHECK_THROWS(Manifest::from_json(row.json, "there.gradus"), FileError, "there.gradus", row.says);
    }
}
