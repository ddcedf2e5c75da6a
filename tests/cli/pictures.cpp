// Exports and pictures from the command line.
#include "tests/cli/program.hpp"
#include "tests/support/check.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

namespace gradus::test {

namespace {

/// Qt warns on standard error where there is no folder, and one's own alone, for what lives as long as a login.
std::string no_display() {
    return "env -u DISPLAY -u WAYLAND_DISPLAY -u QT_QPA_PLATFORM XDG_RUNTIME_DIR='" + folder().string() + "' ";
}

bool has_window() { return gradus("--help").out.find("\n  shot ") != std::string::npos; }

std::set<std::string> names_in(const std::filesystem::path& path) {
    std::set<std::string> out;
    for (const auto& entry : std::filesystem::directory_iterator(path)) out.insert(entry.path().filename().string());
    return out;
}

} // namespace

TEST(a_part_of_a_run_is_exported_with_its_bookmarks) {
    CHECK_EQUAL(gradus("run train_mlp --set data=xor --set layers=2,4,1 --steps 50 --record " + file("marks.gradus")).status, 0);
    const std::string from = "export " + file("marks.gradus") + " --from 10 --until 20 --bookmark 12 --bookmark 19 --to ";
    CHECK_EQUAL(gradus(from + "csv -o " + file("marks.csv")).status, 0);
    const std::string table = text_of(folder() / "marks.csv");
    CHECK_EQUAL(std::count(table.begin(), table.end(), '\n'), 11);
    CHECK(table.find(",bookmark\r\n10,") != std::string::npos);
    CHECK_EQUAL(gradus(from + "kineto -o " + file("marks.json")).status, 0);
    CHECK(text_of(folder() / "marks.json").find("bookmark: step 19") != std::string::npos);
    check_refused("export " + file("marks.gradus") + " --to csv --bookmark 50 -o " + file("no.csv"), "--bookmark 50");
    check_refused("export " + file("marks.gradus") + " --to csv --bookmark -1 -o " + file("no.csv"), "--bookmark -1");
    CHECK(!std::filesystem::exists(folder() / "no.csv"));
}

TEST(a_lesson_is_drawn_as_png_svg_and_pdf) {
    if (!has_window()) skip("this build has no window");
    for (const auto& [ending, begin] : {std::pair{"png", "\x89PNG"}, {"svg", "<?xml"}, {"pdf", "%PDF-"}}) {
        const Row row(ending);
        const std::string name = fmt::format("xor.{}", ending);
        const Output output = gradus("shot xor-network --step 20 -o " + file(name), no_display());
        CHECK_EQUAL(output.status, 0);
        CHECK(text_of(folder() / name).starts_with(begin), output.error);
    }
    CHECK(text_of(folder() / "xor.svg").find("XOR") != std::string::npos); // text stays text
    check_refused("shot xor-network -o " + file("xor.bmp"), ".svg", no_display());
    check_refused("shot xor-network -o /proc/nonexistent/xor.svg --step 1", "/proc/nonexistent", no_display());
    check_refused("shot xor-network", "-o FILE", no_display());
    check_refused("shot -o " + file("a.png"), "name a card", no_display());
    check_refused("shot xor-network --scale nan -o " + file("a.png"), "--scale nan: 1 to 2", no_display());
    check_refused("shot xor-network --scale 1.4 --size 900x800 -o " + file("a.png"), "--scale 1.4: a window of 900x800 has room for 1.2", no_display());
    check_refused("shot xor-network --set nosuch=1 -o " + file("a.png"), "nosuch", no_display());
    check_refused("shot xor-network --set lr=1 --all " + file("all"), "--set is for one picture", no_display());
    check_refused("shot xor-network --part 0 -o " + file("a.png"), "--part 0: parts count from 1", no_display());
    check_refused("shot xor-network --part -1 -o " + file("a.png"), "--part -1: parts count from 1", no_display());
    check_refused("shot xor-network --step 1 --size 1x1 -o " + file("a.png"), "the window is at least 720x480", no_display());
    check_refused("shot xor-network -o " + file("a.png"), "Qt has no platform 'foo' here; there are ", no_display() + " QT_QPA_PLATFORM=foo");
    check_refused("shot nosuch --all " + file("all"), "nosuch", no_display());
}

TEST(a_part_is_drawn_with_what_was_chosen) {
    if (!has_window()) skip("this build has no window");
    for (const std::string stride : {"1", "4"}) {
        const Output output = gradus("shot memory-coalescing --part 3 --set sizes=stride=" + stride + ",offset=0 -o " + file("stride" + stride + ".svg"), no_display());
        CHECK_EQUAL(output.status, 0);
        CHECK(text_of(folder() / ("stride" + stride + ".svg")).find("stride " + stride + "<") != std::string::npos, output.error);
    }
    CHECK(text_of(folder() / "stride4.svg").find("16 sectors") != std::string::npos);
    CHECK(text_of(folder() / "stride1.svg").find("16 sectors") == std::string::npos);
}

TEST(every_state_of_a_card_is_drawn) {
    if (!has_window()) skip("this build has no window");
    const Output output = gradus("shot lines-and-composition --all " + file("sheet"), no_display());
    CHECK_EQUAL(output.status, 0);
    const auto names = names_in(folder() / "sheet");
    REQUIRE(names.contains("index.html"));
    const std::string sheet = text_of(folder() / "sheet/index.html");
    std::size_t pictures = 0;
    for (const std::string& name : names) {
        if (name == "index.html") continue;
        ++pictures;
        CHECK(text_of(folder() / "sheet" / name).starts_with("\x89PNG"), name);
        CHECK(sheet.find("src=\"" + name + "\"") != std::string::npos, name);
    }
    for (const char* what : {"part1_window", "end_window"})
        for (const char* theme : {"light", "dark"})
            for (const char* language : {"en", "ko"})
                for (const char* size : {"1280x800", "1920x1080"}) {
                    const std::string name = fmt::format("lines-and-composition_{}_{}_{}_{}.png", what, theme, language, size);
                    CHECK(names.contains(name), name);
                }
    std::size_t looks = 0; // every state in both themes and both languages
    for (const std::string& name : names) {
        const std::size_t at = name.find("_light_en_");
        if (at == std::string::npos) continue;
        for (const char* look : {"_light_en_", "_light_ko_", "_dark_en_", "_dark_ko_"}) {
            const std::string other = name.substr(0, at) + look + name.substr(at + std::string("_light_en_").size());
            CHECK(names.contains(other), other);
            ++looks;
        }
    }
    CHECK_EQUAL(pictures, looks);
    CHECK(output.out.find(fmt::format("{} pictures", pictures)) != std::string::npos, output.out);
    const std::string light = text_of(folder() / "sheet/lines-and-composition_end_window_light_en_1280x800.png");
    CHECK(light != text_of(folder() / "sheet/lines-and-composition_end_window_dark_en_1280x800.png"));
    CHECK(light != text_of(folder() / "sheet/lines-and-composition_end_window_light_ko_1280x800.png"));
    CHECK(light != text_of(folder() / "sheet/lines-and-composition_part1_window_light_en_1280x800.png"));
}

TEST(without_a_display_pictures_lie_beside_the_recording) {
    if (!has_window()) skip("this build has no window");
    if (!std::filesystem::exists("/usr/share/datasets/fashion-mnist")) skip("dataset-fashion-mnist is not installed");
    const std::filesystem::path data = folder() / "data";
    const Output lesson = gradus("", no_display() + ("XDG_DATA_HOME='" + data.string() + "'"));
    CHECK_EQUAL(lesson.status, 0);
    const auto runs = names_in(data / "gradus/runs");
    CHECK_EQUAL(runs.size(), 2u); // the recording, and a folder of its name
    std::filesystem::path pictures = data / "gradus/runs" / *runs.begin();
    pictures.replace_extension();
    CHECK(lesson.out.find(pictures.string() + "\n") != std::string::npos, lesson.out);
    const auto names = names_in(pictures);
    CHECK(names.contains("window.png") && names.contains("graph.png") && names.size() >= 3);
    for (const std::string& name : names) CHECK(text_of(pictures / name).starts_with("\x89PNG"), name);
}

} // namespace gradus::test
