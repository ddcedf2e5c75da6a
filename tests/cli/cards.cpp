// The cards from the command line: listed, checked, and a slip in one of them named where it stands.
#include "tests/cli/program.hpp"
#include "tests/support/check.hpp"
#include "tests/support/slowed.hpp"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

namespace gradus::test {

using nlohmann::json;

TEST(cards_are_checked_and_a_broken_one_is_named) {
    const Output good = gradus("check chain-rule-backprop --json");
    CHECK_EQUAL(good.status, 0);
    CHECK(json::parse(good.out, nullptr, false)["passed"] == true);
    const std::filesystem::path copy = folder() / "lessons";
    std::filesystem::copy(GRADUS_SOURCE_FOLDER "/lessons", copy, std::filesystem::copy_options::recursive);
    std::ofstream(copy / "cards/xor-network/card.toml", std::ios::app) << "\nminutes = soon\n";
    std::ofstream(copy / "cards/lines-and-composition/card.toml", std::ios::app) << "\ntolerence = 0.1\n";
    const Output list = gradus("list cards --json", "GRADUS_LESSONS='" + copy.string() + "'");
    CHECK_EQUAL(list.status, 0);
    CHECK(list.error.find("xor-network/card.toml:") != std::string::npos, list.error);
    CHECK(list.error.find("there is no field 'tolerence' here") != std::string::npos, list.error); // not silently left out
    CHECK(list.out.find("chain-rule-backprop") != std::string::npos);
    const json cards = json::parse(list.out, nullptr, false);
    for (const json& card : cards["items"])
        if (card["id"] == "xor-network") CHECK(card["written"] == true && card["readable"] == false);
    check_refused("run xor-network", "xor-network/card.toml:", "GRADUS_LESSONS='" + copy.string() + "'");
    check_refused("list", "where there is no folder cards", "GRADUS_LESSONS=/nope");
}

TEST(a_slip_in_a_card_is_named_with_its_line) {
    struct Slip {
        const char *file, *text, *instead, *said;
    };
    constexpr Slip slips[] = {
        {"en.md", "{parameter:lr}", "{parameter:lrr}", "en.md:"},
        {"ko.md", "\n## ", "\n## more\n\n## ", "ko.md:"},
        {"en.md", "\n## ", "\n## another ", "has no heading"},
        {"card.toml", "id = \"gradient-descent-step\"", "id = \"other\"", "card.toml:2: id is 'other'"},
        {"card.toml", "\n[experiment]", "\n[[listing]]\nline = \"a\"\n[experiment]", "listing.py: no such file"},
        {"card.toml", "\n[experiment]", "\n[introduce.more]\nen = \"a\"\nko = \"b\"\nstep = \"no\"\n[experiment]", "there is no step 'no'"},
        {"card.toml", "\n[[steps]]\n", "\n[[steps]]\nruler = \"miles\"\n", "ruler must be flops, bytes, time or none, not 'miles'"},
        {"card.toml", "\n[experiment]", "\n[[controls]]\nparameter = \"lr\"\nchoices = [{ value = 1, en = \"a\", ko = \"b\" }]\n[experiment]", "one choice is none"},
        {"card.toml", "\n[experiment]", "\n[[controls]]\nparameter = \"lr\"\nchoices = [{ value = 1, en = \"a\", ko = \"b\" }, { value = 1, en = \"c\", ko = \"d\" }]\n[experiment]",
         "the choice '1' stands twice"},
        {"card.toml", "\n[experiment]", "\n[[controls]]\nparameter = \"lr\"\nchoices = [{ value = 1, en = \"a\", ko = \"b\" }, { value = -1, en = \"c\", ko = \"d\" }]\n[experiment]", "lr must be"},
    };
    for (const Slip& slip : slips) {
        const Row row(slip.instead);
        const std::filesystem::path copy = folder() / "slip";
        std::filesystem::remove_all(copy);
        std::filesystem::create_directories(copy / "cards");
        const std::filesystem::path card = copy / "cards/gradient-descent-step";
        std::filesystem::copy(GRADUS_SOURCE_FOLDER "/lessons/cards/gradient-descent-step", card, std::filesystem::copy_options::recursive);
        std::ifstream in(card / slip.file);
        std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
        const std::size_t at = text.find(slip.text);
        REQUIRE(at != std::string::npos);
        text.replace(at, std::strlen(slip.text), slip.instead);
        std::ofstream(card / slip.file) << text;
        check_refused("check gradient-descent-step", slip.said, "GRADUS_LESSONS='" + copy.string() + "'");
    }
    // What only a run can tell: a cursor that is nowhere, a number that the run has not.
    const std::filesystem::path copy = folder() / "slip", card = copy / "cards/gradient-descent-step";
    std::filesystem::remove_all(card);
    std::filesystem::copy(GRADUS_SOURCE_FOLDER "/lessons/cards/gradient-descent-step", card, std::filesystem::copy_options::recursive);
    std::ofstream(card / "en.md", std::ios::app) << "\nNow {losss}.\n";
    const Output checked = gradus("check gradient-descent-step", "GRADUS_LESSONS='" + copy.string() + "'");
    CHECK_EQUAL(checked.status, 1);
    CHECK(checked.out.find("'{losss}' in a text is no number of this run") != std::string::npos, checked.out);
}

namespace {

/// A copy of the card with the kernel, in which one word is another.
std::string with_slip(const std::string& text, const std::string& instead) {
    const std::filesystem::path copy = folder() / "slip", card = copy / "cards/transpose-and-bank-conflicts";
    std::filesystem::remove_all(copy);
    std::filesystem::create_directories(copy / "cards");
    std::filesystem::copy(GRADUS_SOURCE_FOLDER "/lessons/cards/transpose-and-bank-conflicts", card, std::filesystem::copy_options::recursive);
    std::string whole = text_of(card / "card.toml");
    const std::size_t at = whole.find(text, whole.find("edit-xor"));
    REQUIRE(at != std::string::npos, text);
    whole.replace(at, text.size(), instead);
    std::ofstream(card / "card.toml") << whole;
    return "GRADUS_LESSONS='" + copy.string() + "'";
}

} // namespace

TEST(a_slip_in_a_question_for_a_kernel_is_named_with_its_line) {
    constexpr const char* slips[][3] = {
        {"kernel = \"transpose/2_tiled\"", "kernel = \"transpose/9_tiled\"", "transpose has no rung '9_tiled'"},
        {"kernel = \"transpose/2_tiled\"", "kernel = \"transpose\"", "kernel must name a rung, such as transpose/2_tiled"},
        {"kernel = \"transpose/2_tiled\"", "kernel = \"transpose/2_tiled\"\nfile = \"mine.cu\"", "there is no file 'mine.cu' in the card's folder"},
        {"kernel = \"transpose/2_tiled\"", "kernel = \"transpose/2_tiled\"\nfile = \"../edit.cu\"", "a .cu file of the card's folder is wanted, not '../edit.cu'"},
        {"kernel = \"transpose/2_tiled\"", "kernel = \"transpose/2_tiled\"\ngut = true", "there is no field 'gut' here"},
        {"solution = \"solution.cu\"", "solution = \"card.toml\"", "a .cu file of the card's folder is wanted, not 'card.toml'"},
        {"block = \"32x4\"", "block = \"32x5\"", "transpose/2_tiled cannot have blocks of 32x5"},
        {"sizes = \"rows=100,columns=97\"", "sizes = \"rows=100,lines=97\"", "transpose has no size \"lines\""},
        {"sizes = \"rows=1,columns=1\"", "sizes = \"rows=1,columns=1\", schedules = 1000", "schedules must be 0 to 100"},
        {"tries = [", "ways = [", "there is no field 'ways' here"},
        {"question = \"shared_bytes\"", "question = \"bytes_shared\"", "run_kernel has no question 'bytes_shared'"},
        {"most = 4096, ", "", "one of 'equals', or 'least' and 'most', is needed"},
        {"equals = 1, sizes", "equals = 1, least = 1, sizes", "one of 'equals', or 'least' and 'most', is needed"},
        {"equals = 1, sizes = \"rows=64,columns=64\"", "equals = 1, sizes = \"rows=65,columns=64\"", "it is not tried at 'rows=65,columns=64'"},
        {"veil = []\n", "[[check]]\nid = \"late\"\nkind = \"number\"\nask = { en = \"a\", ko = \"b\" }\nwhy = { en = \"a\", ko = \"b\" }\nanswer = { question = \"findings\" }\n",
         "a kernel that is to be completed comes after all other checks"},
        {"kind = \"edit\"", "kind = \"write\"", "kind must be choice, number, order, point or edit, not 'write'"},
    };
    for (const auto& slip : slips) {
        const Row row(slip[1]);
        const std::string before = with_slip(slip[0], slip[1]);
        check_refused("check transpose-and-bank-conflicts", slip[2], before);
        check_refused("check transpose-and-bank-conflicts", "card.toml:", before);
    }
}

TEST(answers_are_graded_from_the_command_line) {
    if (slowed > 1) skip("kernels run on stacks that no sanitizer knows");
    const std::string card = GRADUS_SOURCE_FOLDER "/lessons/cards/transpose-and-bank-conflicts/";
    const Output right = gradus("check transpose-and-bank-conflicts --answer 'edit-xor=@" + card + "solution.cu'");
    CHECK_EQUAL(right.status, 0);
    CHECK(right.out.starts_with("right  edit-xor"), right.out);
    const Output wrong = gradus("check transpose-and-bank-conflicts --json --answer 'edit-xor=@" + card + "edit.cu' --answer number-none=32");
    CHECK_EQUAL(wrong.status, 1);
    const json told = json::parse(wrong.out, nullptr, false);
    REQUIRE(told.is_object() && told["answers"].size() == 2);
    CHECK(told["passed"] == false && told["answers"][0]["right"] == false && told["answers"][1]["right"] == true);
    CHECK(told["answers"][0]["sentence"].get<std::string>().find("here 32") != std::string::npos, wrong.out);
    check_refused("check transpose-and-bank-conflicts --answer 'edit-xor=@" + card + "none.cu'", "none.cu: no such file");
    check_refused("check transpose-and-bank-conflicts --answer 'edit-xor=@" + card + "'", "is no file of text");
    check_refused("check transpose-and-bank-conflicts --answer edit-xor=@" GRADUS_SOURCE_FOLDER "/resources/readme/window.png", "window.png: is no text");
    CHECK_EQUAL(gradus("check xor-network --answer gut-often=1").status, 1); // of a net that is trained for it, on the card's device: wrong, not refused
    check_refused("check transpose-and-bank-conflicts --answer edit-and=1", "has no check 'edit-and'; it has gut-slow");
    check_refused("check transpose-and-bank-conflicts --answer edit-xor", "CHECK=ANSWER or CHECK=@FILE is wanted");
    check_refused("check transpose-and-bank-conflicts --answer number-none=many", "'many' is not a number");
    check_refused("check --all --answer edit-xor=1", "name it");
    // A card whose beginning is accepted already asks for nothing.
    const Output idle = gradus("check transpose-and-bank-conflicts", with_slip("kernel = \"transpose/2_tiled\"", "kernel = \"transpose/2_tiled\"\nfile = \"solution.cu\""));
    CHECK_EQUAL(idle.status, 1);
    CHECK(idle.out.find("the text with the lines missing is accepted") != std::string::npos, idle.out);
}

TEST(a_picture_that_is_not_there_is_refused_where_it_stands) {
    const std::string here = GRADUS_SOURCE_FOLDER "/lessons/cards/neuron-and-activation";
    std::ifstream in(here + "/card.toml");
    const std::string whole((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    constexpr const char* net = "data = \"fashion-mnist\"\nlayers = \"784,16,10\"";
    const struct {
        const char *text, *instead, *said;
    } slips[] = {
        {"image = 13,", "image = 10000,", "image must be a test image of fashion-mnist, 0 to 9999, not 10000"},
        {"image = 13,", "image = -1,", "0 to 9999, not -1"},
        {"image = 13,", "image = \"13\",", "'image' must be a whole number"},
        {net, "data = \"blobs\"\nlayers = \"2,16,3\"", "the examples of blobs are no images"},
    };
    for (const auto& slip : slips) {
        const Row row(slip.instead);
        const std::filesystem::path copy = folder() / "picture", card = copy / "cards/neuron-and-activation";
        std::filesystem::remove_all(copy);
        std::filesystem::create_directories(copy / "cards");
        std::filesystem::copy(here, card, std::filesystem::copy_options::recursive);
        std::string text = whole;
        const std::size_t at = text.find(slip.text);
        REQUIRE(at != std::string::npos);
        text.replace(at, std::strlen(slip.text), slip.instead);
        std::ofstream(card / "card.toml") << text;
        const std::size_t option = text.find(slip.text == net ? "image = 0," : slip.instead);
        const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(option), '\n');
        check_refused("check neuron-and-activation", fmt::format("card.toml:{}: ", line), "GRADUS_LESSONS='" + copy.string() + "'");
        check_refused("check neuron-and-activation", slip.said, "GRADUS_LESSONS='" + copy.string() + "'");
    }
}

TEST(every_card_is_listed_runs_and_passes) {
    const Output list = gradus("list cards --json");
    const json cards = json::parse(list.out, nullptr, false);
    std::vector<std::string> ids;
    for (const json& card : cards["items"])
        if (card["written"] == true) ids.push_back(card["id"]);
    CHECK(ids.size() >= 9, std::to_string(ids.size()));
    const Output experiments = gradus("list experiments --json");
    for (const char* id : {"train_mlp", "train_cnn", "train_gpt", "compose_lines", "linear_stack", "descend", "logits", "run_kernel"})
        CHECK(experiments.out.find(std::string("\"") + id + "\"") != std::string::npos, id);
    for (const char* id : {"lines-and-composition", "why-nonlinearity", "gradient-descent-step", "softmax-cross-entropy"}) {
        const Row row(id);
        const Output shown = gradus(std::string("run ") + id);
        CHECK_EQUAL(shown.status, 0);
        CHECK(shown.out.find("computed") != std::string::npos && shown.error.empty(), shown.out + shown.error);
        const Output run = gradus(std::string("run ") + id + " --json --record " + file(std::string(id) + ".gradus"));
        const json root = json::parse(run.out, nullptr, false);
        REQUIRE(root.is_object());
        CHECK_EQUAL(root["card"].get<std::string>(), std::string(id));
        for (const char* group : {"scalars", "answers"})
            for (const auto& [name, value] : root[group].items()) CHECK(value.contains("provenance") && value.contains("value"), name);
        CHECK_EQUAL(gradus("replay --recompute " + file(std::string(id) + ".gradus")).status, 0);
        CHECK_EQUAL(gradus(std::string("check ") + id).status, 0);
    }
    check_refused("run descend --set lr=-1", "lr must be");
    check_refused("run logits --set classes=3 --set label=3", "label must be 0 to 2");
    check_refused("run linear_stack --set bias=3", "after");
    check_refused("run compose_lines --edit '3:slope_z[0, 0] = 1'", "slope_z");
    if (!std::filesystem::exists("/usr/share/datasets/fashion-mnist")) skip("dataset-fashion-mnist is not installed");
    const Output all = gradus("check --all --json");
    CHECK_EQUAL(all.status, 0);
    const json checked = json::parse(all.out, nullptr, false);
    REQUIRE(checked.is_object());
    CHECK_EQUAL(checked["items"].size(), ids.size());
    for (const json& card : checked["items"])
        for (const json& check : card["checks"]) CHECK(check["passed"] == true, card["id"].get<std::string>() + " " + check.dump());
}

} // namespace gradus::test
