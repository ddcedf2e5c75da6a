// Reads the #include lines of the sources and fails on any arrow that the design does not allow:
//   app → lessons, views → engine; views and lessons/experiments never know each other; a view family knows no
//   sibling family, but some folders are everybody's (below); no Qt in engine, experiments and runtime.
#include "tests/support/check.hpp"
#include "tests/support/safetensors.hpp"
#include "tests/support/tensors.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>

using namespace gradus::test;
namespace fs = std::filesystem;

namespace {

/// What a file belongs to: "engine", "lessons/experiments", "lessons/runtime", "lessons", "views/<family>", "views",
/// "app", or nothing.
std::string layer_of(const std::string& path) {
    const auto starts = [&](const char* prefix) { return path.starts_with(prefix); };
    if (starts("engine/")) return "engine";
    if (starts("app/")) return "app";
    if (starts("lessons/experiments/")) return "lessons/experiments";
    if (starts("lessons/runtime/")) return "lessons/runtime";
    if (starts("lessons/")) return "lessons";
    if (starts("tests/")) return "tests";
    if (starts("views/")) {
        const auto second = path.find('/', 6);
        return second == std::string::npos ? "views" : path.substr(0, second);
    }
    return "";
}

bool is_qt(const std::string& header, bool angled) {
    if (header.find("qcustomplot") != std::string::npos) return true;
    static const std::regex qt(R"((Qt[A-Z]\w*/)?Q[A-Z]\w*|Qt|q[a-z]+\.h|Qt[A-Z]\w*)");
    return angled && std::regex_match(header, qt);
}

/// Why a file may not include a header; empty where it may.
std::string objection(const std::string& file, const std::string& header, bool angled) {
    const std::string from = layer_of(file), to = layer_of(header);
    const bool qt_free = from == "engine" || from.starts_with("lessons");
    if (qt_free && is_qt(header, angled)) return "has no Qt";
    if (header.find("qcustomplot") != std::string::npos && from != "views/plots") return "leaves QCustomPlot to views/plots";
    if (to.empty()) {
        if (!angled && header.find("..") != std::string::npos) return "climbs out of its folder";
        return "";
    }
    if (to == "tests") return "is no test";
    if (from == "engine") return to == "engine" ? "" : "knows only the engine";
    if (from == "lessons/experiments")
        return to == "engine" || to == "lessons/experiments" ? "" : "knows only the engine and experiments";
    if (from == "lessons/runtime")
        return to == "engine" || to.starts_with("lessons") ? "" : "knows only the engine and lessons";
    // what every family may use: looks, text, curves, the one view state, and functions of a Run
    static const std::set<std::string> shared{"views/theme", "views/plots", "views/state", "views/derive", "views/text"};
    if (from.starts_with("views")) {
        if (to == "engine" || to == from || to == "views" || shared.contains(to)) return "";
        return to.starts_with("views/") ? "knows no sibling family" : "knows only the engine and views";
    }
    return ""; // app
}

/// One line per include that is not allowed; counts the includes seen.
std::vector<std::string> objections(const fs::path& root, int& includes) {
    std::vector<std::string> out;
    const std::regex line_of(R"(^\s*#\s*include\s*([<"])([^">]+)[">].*)");
    for (const char* folder : {"engine", "lessons", "views", "app"}) {
        if (!fs::exists(root / folder)) continue;
        for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
            const std::string extension = entry.path().extension().string();
            static const std::vector<std::string> sources{".hpp", ".cpp", ".h", ".c", ".cu", ".cuh", ".inc"};
            if (!entry.is_regular_file() || std::find(sources.begin(), sources.end(), extension) == sources.end()) continue;
            const std::string file = fs::relative(entry.path(), root).string();
            std::ifstream stream(entry.path());
            int number = 0;
            for (std::string line; std::getline(stream, line);) {
                ++number;
                std::smatch parts;
                if (!std::regex_match(line, parts, line_of)) continue;
                ++includes;
                const std::string why = objection(file, parts[2], parts[1] == "<");
                if (!why.empty()) out.push_back(fmt::format("{}:{}: includes {}, but {} {}", file, number, parts[2].str(), layer_of(file), why));
            }
        }
    }
    return out;
}

} // namespace

TEST(includes_follow_the_layers) {
    int includes = 0;
    for (const std::string& line : objections(source_path(""), includes)) CHECK(false, line);
    CHECK(includes > 300, std::to_string(includes)); // it read the sources
}

TEST(includes_that_are_not_allowed_are_found) {
    struct {
        const char* file;
        const char* include;
        bool allowed;
    } const rows[] = {
        {"engine/core/a.cpp", "\"engine/ops/ops.hpp\"", true},
        {"engine/core/a.cpp", "<vector>", true},
        {"engine/core/a.cpp", "<QString>", false},
        {"engine/core/a.cpp", "<QtCore/QString>", false},
        {"engine/core/a.cpp", "<qcustomplot.h>", false},
        {"engine/core/a.cpp", "\"lessons/runtime/session.hpp\"", false},
        {"engine/core/a.cpp", "\"views/theme/colors.hpp\"", false},
        {"engine/core/a.cpp", "\"app/cli/run.hpp\"", false},
        {"engine/core/a.cpp", "\"tests/support/check.hpp\"", false},
        {"engine/core/a.cpp", "\"../ops/ops.hpp\"", false},
        {"lessons/experiments/x/a.cpp", "\"engine/ops/ops.hpp\"", true},
        {"lessons/experiments/x/a.cpp", "\"lessons/experiments/experiment.hpp\"", true},
        {"lessons/experiments/x/a.cpp", "\"lessons/runtime/session.hpp\"", false},
        {"lessons/experiments/x/a.cpp", "\"views/theme/colors.hpp\"", false},
        {"lessons/experiments/x/a.cpp", "<QObject>", false},
        {"lessons/runtime/a.cpp", "\"lessons/experiments/experiment.hpp\"", true},
        {"lessons/runtime/a.cpp", "\"app/window/main.hpp\"", false},
        {"lessons/runtime/a.cpp", "<QThread>", false},
        {"views/graph/a.cpp", "\"engine/trace/run.hpp\"", true},
        {"views/graph/a.cpp", "\"views/theme/colors.hpp\"", true},
        {"views/graph/a.cpp", "\"views/plots/curve.hpp\"", true},
        {"views/graph/a.cpp", "\"views/text/formula.hpp\"", true},
        {"views/graph/a.cpp", "\"views/registry.hpp\"", true},
        {"views/graph/a.cpp", "<QWidget>", true},
        {"views/graph/a.cpp", "\"views/table/a.hpp\"", false},
        {"views/graph/a.cpp", "\"lessons/experiments/experiment.hpp\"", false},
        {"views/graph/a.cpp", "\"lessons/runtime/session.hpp\"", false},
        {"views/graph/a.cpp", "\"app/window/main.hpp\"", false},
        {"views/graph/a.cpp", "<qcustomplot.h>", false},
        {"views/plots/a.cpp", "<qcustomplot.h>", true},
        {"app/window/a.cpp", "\"views/graph/a.hpp\"", true},
        {"app/window/a.cpp", "\"lessons/runtime/session.hpp\"", true},
        {"app/window/a.cpp", "\"tests/support/check.hpp\"", false},
    };
    for (const auto& row : rows) {
        const Row named(fmt::format("{} includes {}", row.file, row.include));
        const TemporaryFolder folder;
        fs::create_directories(fs::path(folder.path() + "/" + row.file).parent_path());
        const std::string text = fmt::format("#pragma once\n  #  include {} // why\n", row.include);
        folder.write(row.file, std::span(reinterpret_cast<const std::uint8_t*>(text.data()), text.size()));
        int includes = 0;
        const auto found = objections(folder.path(), includes);
        CHECK_EQUAL(includes, 1);
        CHECK_EQUAL(found.empty(), row.allowed);
    }
}
