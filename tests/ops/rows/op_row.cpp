#include "tests/ops/rows/op_row.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace gradus::test {

namespace {

using nlohmann::json;

Shape shape_from(const json& sizes) {
    Shape shape;
    for (const json& size : sizes) shape.append({size.get<Dim>(), {}});
    return shape;
}

DType dtype_of_name(const std::string& name) {
    for (const DType dtype : {DType::f32, DType::f64, DType::f16, DType::bf16})
        if (name_of(dtype) == name) return dtype;
    throw std::runtime_error("no dtype is called " + name);
}

OpRow row_from(const json& entry, std::shared_ptr<const Golden> golden) {
    OpRow row;
    row.name = entry.at("row").get<std::string>();
    row.op = entry.at("op").get<std::string>();
    row.seed = entry.at("seed").get<std::uint64_t>();
    for (const json& input : entry.at("inputs"))
        row.inputs.push_back({input.at("name"), shape_from(input.at("shape")), input.at("kind"),
                              input.value("layout", "contiguous"), input.value("grad", false)});
    for (const json& output : entry.at("outputs"))
        row.outputs.push_back({output.at("name"), output.value("type", "floating"), shape_from(output.at("shape")),
                               output.value("grad", false)});
    for (const json& attribute : entry.at("attributes"))
        row.attributes.push_back(attribute.is_string() ? attribute.get<std::string>() : attribute.dump());
    for (const json& dtype : entry.value("dtypes", json::parse(R"(["fp32","fp64","fp16","bf16"])")))
        row.dtypes.insert(dtype_of_name(dtype.get<std::string>()));
    row.upstream_is_one = entry.value("upstream", "made") == "one";
    row.half_saved = entry.value("half", "counted") == "saved";
    row.no_gradcheck = entry.value("no_gradcheck", "");
    for (const auto& [tensor, reason] : entry.value("zero", std::map<std::string, std::string>{}))
        row.zero.insert(tensor);
    row.every = entry.value("every", std::map<std::string, Dim>{});
    row.golden = std::move(golden);
    return row;
}

std::vector<OpRow> read_rows() {
    std::vector<std::string> families;
    for (const auto& file : std::filesystem::directory_iterator(source_path("tests/golden")))
        if (file.path().extension() == ".json" && file.path().stem().string().starts_with("op_rows_"))
            families.push_back(file.path().stem().string());
    std::sort(families.begin(), families.end());
    std::vector<OpRow> rows;
    for (const std::string& family : families) {
        const auto golden = std::make_shared<const Golden>(read_golden(family));
        std::ifstream file(source_path("tests/golden/" + family + ".json"));
        for (const json& entry : json::parse(file)) rows.push_back(row_from(entry, golden));
    }
    return rows;
}

} // namespace

bool OpRow::differentiated() const {
    return std::any_of(inputs.begin(), inputs.end(), [](const RowInput& input) { return input.grad; });
}

DType dtype_of_word(const std::string& word, DType row) {
    static const std::map<std::string, DType> words{
        {"f32", DType::f32}, {"f64", DType::f64}, {"f16", DType::f16}, {"bf16", DType::bf16},
        {"i32", DType::i32}, {"i64", DType::i64}, {"u8", DType::u8},   {"boolean", DType::boolean}};
    if (word == "floating") return row;
    if (word == "statistic") return is_half(row) ? DType::f32 : row;
    const auto found = words.find(word);
    if (found == words.end()) throw std::runtime_error("no type is called " + word);
    return found->second;
}

double attribute_of(const std::string& text, DType dtype) {
    if (text == "dtype") return static_cast<double>(static_cast<int>(dtype));
    if (text.starts_with("dtype:")) return static_cast<double>(static_cast<int>(dtype_of_word(text.substr(6), dtype)));
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || end != text.data() + text.size()) throw std::runtime_error("no number: " + text);
    return number;
}

const std::vector<OpRow>& op_rows() {
    static const std::vector<OpRow> rows = read_rows();
    return rows;
}

} // namespace gradus::test
