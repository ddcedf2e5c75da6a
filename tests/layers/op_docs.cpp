// The docstring above an op's declaration is all that a reader of a header gets: each one stands for itself.
#include "engine/ops/ops.hpp"
#include "tests/support/check.hpp"
#include "tests/support/safetensors.hpp"
#include "tests/support/tensors.hpp"

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>

using namespace gradus::test;
namespace fs = std::filesystem;

namespace {

/// The op of a line `const Op& NAME();`, or nothing.
std::string declared_op(const std::string& line) {
    static const std::regex declaration(R"(const Op& (\w+)\(\);.*)");
    std::smatch parts;
    return std::regex_match(line, parts, declaration) ? parts[1].str() : "";
}

/// The ops that a header declares, each with the lines of `///` directly above it.
void read_docs(const fs::path& header, std::map<std::string, std::string>& docs) {
    std::ifstream stream(header);
    std::string block;
    for (std::string line; std::getline(stream, line);) {
        if (line.starts_with("///")) {
            block += line.substr(3);
            continue;
        }
        if (const std::string op = declared_op(line); !op.empty()) docs[op] = block;
        block.clear();
    }
}

/// What a docstring lacks, for a sentence; empty where it lacks nothing.
std::string lacking(const std::string& doc) {
    const auto has = [&](const char* pattern) { return std::regex_search(doc, std::regex(pattern)); };
    std::string out;
    const auto want = [&](bool there, const char* what) {
        if (!there) out += (out.empty() ? "" : ", ") + std::string(what);
    };
    want(has(R"(\S = \S)") || has(R"(\S \+= \S)"), "a formula (an \" = \")");
    want(has(R"( -> \S)") || has("shape"), "its shapes (a \"->\" or the word shape)");
    want(has(R"( Throws (nothing|[A-Z]\w*Error|Error)\b)"), "what it throws (\"Throws …Error\" or \"Throws nothing\")");
    want(has(R"( Sources?: \S)"), "its source (\"Source: …\")");
    return out;
}

} // namespace

TEST(every_op_has_a_whole_docstring) {
    std::map<std::string, std::string> docs;
    for (const auto& entry : fs::directory_iterator(source_path("engine/ops")))
        if (entry.path().extension() == ".hpp") read_docs(entry.path(), docs);
    CHECK(docs.size() > 100, std::to_string(docs.size())); // it read the headers
    for (const auto& [op, doc] : docs) {
        const std::string missing = lacking(doc);
        CHECK(missing.empty(), fmt::format("the docstring of {} lacks {}", op, missing));
    }
    std::set<std::string> listed;
    for (const gradus::Op* op : gradus::all_ops()) {
        listed.insert(std::string(op->name));
        CHECK(docs.contains(std::string(op->name)), fmt::format("{} has no declaration of its name in engine/ops", op->name));
    }
    for (const auto& [op, doc] : docs) CHECK(listed.contains(op), fmt::format("{} is declared, but all_ops() lacks it", op));
}

TEST(docstrings_that_lack_something_are_found) {
    struct {
        const char* doc;
        const char* lacks; ///< a part of the sentence, or nothing
    } const rows[] = {
        {" y = -x. x -> y. Throws ShapeError for a type that is not floating. Source: IEEE 754-2019.", ""},
        {" y += x. Of x's shape. Throws nothing. Sources: two.", ""},
        {" The negative. x -> y. Throws nothing. Source: a paper.", "formula"},
        {" y = -x. Throws nothing. Source: a paper.", "shapes"},
        {" y = -x. x -> y. Source: a paper.", "throws"},
        {" y = -x. x -> y. Throws up. Source: a paper.", "throws"},
        {" y = -x. x -> y. Throws nothing. After a paper.", "source"},
        {" y = -x. x -> y. Throws nothing. Source:", "source"},
        {"", "formula"},
    };
    for (const auto& row : rows) {
        const Row named(row.doc);
        const std::string found = lacking(row.doc);
        CHECK_EQUAL(found.empty(), std::string_view(row.lacks).empty());
        CHECK(found.find(row.lacks) != std::string::npos, found);
    }
}

TEST(a_docstring_stands_directly_above_its_op) {
    const TemporaryFolder folder;
    const std::string text = "/// Of all.\nnamespace ops {\n\n/// One.\n/// More.\nconst Op& one();\nconst Op& two();\n/// Off.\n\nconst Op& three();\n"
                             "struct Op; ///< an op\n";
    const std::string path = folder.write("a.hpp", std::span(reinterpret_cast<const std::uint8_t*>(text.data()), text.size()));
    std::map<std::string, std::string> docs;
    read_docs(path, docs);
    CHECK_EQUAL(docs.size(), 3u);
    CHECK_EQUAL(docs["one"], " One. More.");
    CHECK_EQUAL(docs["two"], "");
    CHECK_EQUAL(docs["three"], "");
}
