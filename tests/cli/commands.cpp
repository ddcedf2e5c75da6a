#include "tests/cli/program.hpp"
#include "tests/support/check.hpp"
#include "tests/support/slowed.hpp"

#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <thread>
#include <unistd.h>
#include <utility>

namespace gradus::test {

using nlohmann::json;

TEST(lists_are_json_with_ids_and_titles) {
    for (const char* kind : {"cards", "paths", "experiments", "views", "ops", "kernels", "devices"}) {
        const Row row(kind);
        const Output output = gradus(std::string("list ") + kind + " --json");
        CHECK_EQUAL(output.status, 0);
        const json list = json::parse(output.out, nullptr, false);
        REQUIRE(list.is_object() && list["schema"] == 1 && list["items"].is_array());
        for (const json& item : list["items"]) CHECK(item["id"].is_string() && item["title"].is_string());
    }
}

TEST(every_number_of_a_run_says_where_it_comes_from) {
    const Output output = gradus("run train_mlp --set data=xor --set layers=2,4,1 --steps 50 --seeds 1 --json");
    CHECK_EQUAL(output.status, 2); // --seeds is a parameter, not a flag
    const Output run = gradus("run train_mlp --set data=xor --set layers=2,4,1 --set seeds=3 --steps 50 --json");
    CHECK_EQUAL(run.status, 0);
    CHECK(run.error.empty(), run.error);
    const json root = json::parse(run.out, nullptr, false);
    REQUIRE(root.is_object());
    for (const char* group : {"scalars", "answers"})
        for (const auto& [name, value] : root[group].items()) {
            const Row row(name);
            CHECK(value.contains("value") && value.contains("unit"));
            const std::string provenance = value["provenance"];
            CHECK(provenance == "computed" || provenance == "measured" || provenance == "counted", provenance);
        }
    for (const char* name : {"loss", "median_step_seconds", "steps", "test_accuracy", "seeds_trained"}) CHECK(root["scalars"].contains(name), name);
}

TEST(simt_is_listed_trains_and_refuses) {
    if (slowed > 1) skip("kernels run on stacks that no sanitizer knows");
    const json devices = json::parse(gradus("list devices --json").out), ops = json::parse(gradus("list ops --json").out);
    const auto item = [](const json& list, const char* id) {
        for (const json& one : list["items"])
            if (one["id"] == id) return one;
        return json{};
    };
    const json simt = item(devices, "simt");
    if (!simt["available"].get<bool>()) skip(simt["reason"].get<std::string>());
    CHECK(item(ops, "matmul")["backends"] == json({"cpu", "simt"}) && item(ops, "transpose")["backends"] == json({"cpu", "simt"}));
    CHECK(item(ops, "dropout")["backends"] == json({"cpu"}));
    const std::string words = "run train_mlp --set data=spirals --set layers=2,8,2 --set loss=mse --steps 30 --json ";
    const json here = json::parse(gradus(words + "--device simt").out), there = json::parse(gradus(words + "--device cpu --isa baseline").out);
    CHECK(here["device"] == "simt" && here["isa"] == "native");
    const double loss = here["scalars"]["loss"]["value"], other = there["scalars"]["loss"]["value"];
    CHECK(std::abs(loss - other) <= 1e-5, fmt::format("{} and {}", loss, other));
    check_refused("run train_mlp --device simt --set dtype=fp64 --set data=xor --set layers=2,3,1 --steps 2", "there is one on cpu");
    check_refused("run train_mlp --device cpu --set matmul_rung=naive --steps 2", "simt does");
    check_refused("run train_mlp --device simt --steps 2", "install the package g++", "PATH=/nowhere");
}

TEST(output_that_goes_nowhere_is_a_failure) {
    const int status = std::system(("'" GRADUS_PROGRAM "' list ops >/dev/full 2>'" + (folder() / "full").string() + "'").c_str());
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 2);
    CHECK(text_of(folder() / "full").find("standard output cannot be written") != std::string::npos);
}

TEST(bad_words_get_one_sentence) {
    check_refused("run xor-network --record ''", "the name of the file is empty");
    check_refused("run nosuch", "nosuch");
    for (const char* command : {"run", "check"}) check_refused(command + std::string(" matmul-flops"), "'matmul-flops' is not written yet");
    check_refused("run", "card is required");
    check_refused("frobnicate", "frobnicate");
    check_refused("run train_mlp --set lr=fast", "lr");
    check_refused("run train_mlp --set nothing=1", "nothing");
    check_refused("run train_mlp --set lr", "NAME=VALUE");
    check_refused("run train_mlp --set data=xor --set layers=3,1", "2");
    check_refused("run train_mlp --set data=blobs --set layers=2,1", "blobs");
    check_refused("run train_mlp --set data=xor --set batch=5", "batch");
    check_refused("run train_mlp --steps -1", "steps");
    check_refused("run train_mlp --device cuda", "cuda");
    check_refused("run train_mlp --device abacus", "abacus");
    check_refused("run train_mlp --isa mmx", "mmx");
    check_refused("run train_mlp --set data=xor --set layers=2,1 --edit nonsense", "ITERATION:EDIT");
    check_refused("run train_mlp --set data=xor --set layers=2,1 --steps 9 --edit '3:W9[0,0] = 1'", "W9");
    check_refused("run train_mlp --set data=xor --set layers=2,1 --steps 9 --fork '3:W1[7,0] = 1'", "W1[7, 0]");
    const std::string small = "run train_mlp --set data=xor --set layers=2,1 --steps 9 ";
    check_refused(small + "--fork '3:break iteration 5'", "--edit");
    check_refused(small + "--edit '5:break iteration 5'", "beyond that already");
    check_refused(small + "--edit '1:foo = 1'", "no setting 'foo'");
    for (const char* flag : {"--steps", "--threads", "--observe"}) {
        for (const char* word : {"''", "nan"}) check_refused(small + flag + " " + word, "not a whole number");
        check_refused(small + flag + " 99999999999999999999", "99999999999999999999 is beyond what 64 bits hold");
    }
    check_refused(small + "--edit '1:lr = 1e40'", "lr must be a number from 0 to");
    check_refused(small + "--edit '1:lr = abc'", "--edit 1:lr = abc: ");
    check_refused(small + "--fork '2:W9[0,0] = 1'", "--fork 2:W9[0, 0] = 1: ");
    check_refused(small + "--isa ''", "empty");
    check_refused("run train_mlp --seed -1", "seed");
    check_refused("run train_mlp --seed 99999999999999999999", "seed");
    check_refused("run train_mlp --threads 0", "threads");
    check_refused("run train_mlp --observe 0", "observe");
    for (const char* bad : {"--edit '1:nope = 3'", "--edit '1:lr = -3'", "--fork '99:lr = 1'"}) {
        check_refused(std::string("run train_mlp --set data=xor --set layers=2,1 --steps 9 ") + bad + " --record " + file("refused.gradus"), "");
        CHECK(!std::filesystem::exists(folder() / "refused.gradus"), "a refused run left a file");
    }
    check_refused("run train_mlp --record /proc/nonexistent/a.gradus", "/proc/nonexistent");
    check_refused("check nosuch", "nosuch");
    check_refused("list things", "things");
    check_refused("bench nosuch", "nosuch");
    check_refused("run train_mlp --steps 1", "dataset-fashion-mnist", "GRADUS_FASHION_MNIST=/proc/nonexistent");
}

TEST(runs_are_recorded_compared_replayed_and_exported) {
    const std::string net = "run train_mlp --set data=spirals --set layers=2,16,2 --set batch=32 --steps 120 ";
    CHECK_EQUAL(gradus(net + "--seed 3 --threads 1 --record " + file("a.gradus")).status, 0);
    CHECK_EQUAL(gradus(net + "--seed 3 --threads 2 --record " + file("b.gradus")).status, 0);
    CHECK_EQUAL(gradus(net + "--seed 4 --record " + file("c.gradus")).status, 0);
    CHECK_EQUAL(gradus(net + "--edit '10:lr = 0.2' --edit '20:W1[0, 3] = 1' --edit '30:point 5 = 0, 0' --fork '15:lr = 0.01' "
                             "--fork '60:b1[2] = 2' --record " + file("d.gradus")).status, 0);
    check_refused(net + "--record " + file("a.gradus"), "exists");
    CHECK_EQUAL(gradus("diff " + file("a.gradus") + " " + file("b.gradus")).status, 0);
    const Output differ = gradus("diff --json " + file("a.gradus") + " " + file("c.gradus"));
    CHECK_EQUAL(differ.status, 1);
    const json first = json::parse(differ.out, nullptr, false)["runs"][0]["first"];
    CHECK_EQUAL(first["event"].get<std::string>(), std::string("setup/load data"));
    CHECK_EQUAL(gradus(net + "--seed 3 --set dtype=fp64 --record " + file("wide.gradus")).status, 0);
    const Output wider = gradus("diff " + file("a.gradus") + " " + file("wide.gradus"));
    CHECK_EQUAL(wider.status, 1);
    CHECK(wider.out.find("is fp32 ") != std::string::npos && wider.out.find(" and fp64 ") != std::string::npos, wider.out);
    const Output again = gradus("replay --recompute --json " + file("d.gradus"));
    CHECK_EQUAL(again.status, 0);
    const json replayed = json::parse(again.out, nullptr, false);
    REQUIRE(replayed["recomputed"].size() == 3);
    for (const json& one : replayed["recomputed"]) CHECK(one["equal"] == true, one.dump());
    CHECK(replayed["whole"] == true && replayed["iterations"] == 120);
    for (const auto& [format, name] : {std::pair{"kineto", "t.json.gz"}, {"perfetto", "p.json.gz"}, {"npz", "t.npz"}, {"csv", "t.csv"}}) {
        CHECK_EQUAL(gradus(fmt::format("export {} --to {} -o {}", file("d.gradus"), format, file(name))).status, 0);
        CHECK(std::filesystem::file_size(folder() / name) > 1000, name);
    }
    check_refused("export " + file("d.gradus") + " --to csv -o " + file("d.gradus"), "recording");
    CHECK_EQUAL(gradus("replay " + file("d.gradus")).status, 0);
    CHECK_EQUAL(gradus("run train_mlp --set data=spirals --set layers=2,16,2 --set batch=32 --steps 40 --seed 3 --observe 10 --record " +
                       file("short.gradus")).status, 0);
    const Output shorter = gradus("diff " + file("a.gradus") + " " + file("short.gradus"));
    CHECK(shorter.out.find("planned for 120 steps and for 40") != std::string::npos, shorter.out);
    CHECK(json::parse(differ.out)["runs"][0]["asked_differently"].empty());
    const json told = json::parse(gradus("replay --json " + file("short.gradus")).out)["runs"][0];
    CHECK_EQUAL(told["observed_steps"].get<int>(), 5); // every tenth, and the last
    CHECK_EQUAL(told["observed"].get<int>(), 6);       // and the setup
    check_refused("export " + file("d.gradus") + " --to xml -o " + file("t.xml"), "xml");
    std::ofstream(folder() / "cut.gradus") << text_of(folder() / "a.gradus").substr(0, 9000);
    CHECK_EQUAL(gradus("replay " + file("cut.gradus")).status, 1);
}

TEST(gradients_that_wait_at_the_end_are_told) {
    const std::string net = "run train_gpt --set layers=1 --set channels=16 --set heads=2 --set batch=2 --set accumulate=3 --steps ";
    const Output waiting = gradus(net + "4"), whole = gradus(net + "3");
    CHECK(waiting.status == 0 && whole.status == 0, waiting.error + whole.error);
    CHECK(waiting.out.find("the gradients of the last 1 of 3 steps to accumulate moved no parameter") != std::string::npos, waiting.out);
    CHECK(whole.out.find("moved no parameter") == std::string::npos, whole.out);
}

TEST(a_fork_that_cannot_be_costs_nothing_that_was_recorded) {
    const std::string net = "run train_mlp --set data=xor --set layers=2,2,1 --steps 60 --record ";
    const Output run = gradus(net + file("early.gradus") + " --edit '0:break iteration 20' --fork '10:lr = 0.01' --fork '40:lr = 0.1'");
    CHECK_EQUAL(run.status, 2);
    CHECK(run.error.find("\nstopped by 'break iteration 20' at step 20\n") != std::string::npos || run.error.starts_with("stopped by"), run.error);
    CHECK(run.error.find("fork 1 stopped by 'break iteration 20' at step 20") != std::string::npos, run.error);
    CHECK(run.error.find("--fork 40:lr = 0.1: ") != std::string::npos, run.error);
    const json replayed = json::parse(gradus("replay --json " + file("early.gradus")).out, nullptr, false);
    CHECK_EQUAL(replayed["runs"].size(), std::size_t{2});
}

TEST(closed_outputs_are_no_fault) {
    const std::string closed = R"(sh -c 'exec "$@" <&- >&- 2>&-' sh)";
    CHECK_EQUAL(gradus("list", closed).status, 0);
    CHECK_EQUAL(gradus("run train_mlp --set data=xor --set layers=2,1 --steps 9 --record " + file("quiet.gradus"), closed).status, 0);
    CHECK_EQUAL(gradus("replay " + file("quiet.gradus")).status, 0);
}

TEST(ctrl_c_ends_what_follows_the_last_step_too) {
    // A hundred thousand nets more are trained then, which takes a minute or longer.
    const std::string nets = "run train_mlp --set data=xor --set layers=2,4,1 --steps 400 --set seeds=100000 --record ";
    const auto begin = std::chrono::steady_clock::now();
    const Output run = gradus(nets + file("stopped.gradus") + " --json", fmt::format("timeout --preserve-status --foreground -s INT {}", slowed)); // when some are trained
    CHECK_EQUAL(run.status, 130);
    CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(20), "it went on");
    const json root = json::parse(run.out, nullptr, false);
    REQUIRE(root.is_object());
    const double trained = root["scalars"].value("/seeds_trained/value"_json_pointer, -1.0);
    CHECK(trained > 0 && trained < 100'000, std::to_string(trained));
    CHECK_EQUAL(gradus("replay " + file("stopped.gradus")).status, 0);
}

TEST(files_that_are_not_there_are_refused_alike) {
    const std::string good = file("e.gradus");
    CHECK_EQUAL(gradus("run train_mlp --set data=xor --set layers=2,4,1 --steps 20 --record " + good).status, 0);
    for (const std::string& name : {file("none.gradus"), file(""), std::string("''")}) {
        const std::string part = name == "''" ? "the name of the file is empty" : name == file("") ? "is not a file" : "no such file";
        check_refused("replay " + name, part);
        check_refused("replay --recompute --json " + name, part);
        check_refused("export " + name + " --to csv -o " + file("t.csv"), part);
        check_refused("diff " + name + " " + good, part);
        check_refused("diff " + good + " " + name, part);
    }
    check_refused("export " + good + " --to csv -o ''", "the name of the file to write is empty");
    check_refused("run train_mlp --record " + file("nofolder/a.gradus"), "there is no folder");
    check_refused("run train_mlp --record " + file(std::string(300, 'x')), "cannot be created: File name too long");
}

TEST(an_interrupt_is_heard_while_the_test_set_is_asked) {
    if (!std::filesystem::exists("/usr/share/datasets/fashion-mnist")) skip("dataset-fashion-mnist is not installed");
    // 10 000 images through a wide net take far longer than is waited for here
    const std::string words = "'" GRADUS_PROGRAM "' run train_cnn --set channels=128,256 --set batch=2 --steps 1 --record " +
                              file("interrupted.gradus") + " >'" + (folder() / "interrupted.out").string() + "' 2>&1 & pid=$!; echo $pid >" + file("pid") +
                              "; wait $pid; echo $? >" + file("status");
    std::thread running([&] { CHECK(std::system(words.c_str()) == 0); });
    for (int i = 0; i < 200 && !std::filesystem::exists(folder() / "interrupted.gradus"); ++i) usleep(50'000);
    usleep(static_cast<useconds_t>(3'000'000 * slowed));
    const auto asked = std::chrono::steady_clock::now();
    CHECK(!std::filesystem::exists(folder() / "status"), "it ended by itself: " + text_of(folder() / "interrupted.out"));
    kill(std::stoi(text_of(folder() / "pid")), SIGINT);
    running.join();
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - asked).count();
    CHECK(seconds <= 2 * slowed, std::to_string(seconds));
    CHECK_EQUAL(std::stoi(text_of(folder() / "status")), 130);
    const json replayed = json::parse(gradus("replay --json " + file("interrupted.gradus")).out, nullptr, false);
    CHECK_EQUAL(replayed["whole"], json(true));
    CHECK_EQUAL(replayed["iterations"], json(0)); // the one that it was in has not been
}

TEST(a_run_that_is_no_number_any_more_says_from_where_on) {
    const std::string words = "run train_mlp --set data=spirals --set layers=2,16,2 --set lr=1e30 --steps 20";
    const Output said = gradus(words);
    CHECK_EQUAL(said.status, 0);
    CHECK(said.error.find("the loss is nan from step 1 on") != std::string::npos, said.error);
    CHECK_EQUAL(json::parse(gradus(words + " --json").out, nullptr, false)["not_finite_from"], json(1));
    CHECK(!json::parse(gradus("run xor-network --steps 20 --json").out, nullptr, false).contains("not_finite_from"));
}

TEST(a_file_that_is_being_recorded_says_so) {
    const std::string words = "'" GRADUS_PROGRAM "' run train_mlp --set data=xor --set layers=2,4,1 --steps 1000000000 --record " +
                              file("live.gradus") + " >/dev/null 2>&1 & echo $! >" + file("pid");
    REQUIRE(std::system(words.c_str()) == 0);
    const int pid = std::stoi(text_of(folder() / "pid"));
    for (int i = 0; i < 100 && !std::filesystem::exists(folder() / "live.gradus"); ++i) usleep(50'000);
    usleep(300'000);
    const Output live = gradus("replay " + file("live.gradus"));
    CHECK_EQUAL(live.status, 0);
    CHECK(live.out.find("still being recorded") != std::string::npos, live.out + live.error);
    CHECK(json::parse(gradus("replay --json " + file("live.gradus")).out, nullptr, false)["recording"] == true);
    kill(pid, SIGKILL);
    usleep(300'000);
    const Output cut = gradus("replay " + file("live.gradus"));
    CHECK(cut.out.find("cut off while it was recorded") != std::string::npos, cut.out + cut.error);
}

TEST(the_list_of_ops_names_types_and_fused_forms) {
    const json items = json::parse(gradus("list ops --json").out, nullptr, false)["items"];
    std::map<std::string, json> ops;
    for (const json& item : items) ops[item["id"]] = item;
    CHECK(ops.size() >= 119);
    CHECK_EQUAL(ops["matmul"]["dtypes"], json({"fp32", "fp64", "fp16", "bf16"}));
    CHECK_EQUAL(ops["count_step"]["dtypes"], json({"int32"}));
    CHECK_EQUAL(ops["argmax"]["dtypes"], json({"fp32", "fp64", "fp16", "bf16"}));
    CHECK_EQUAL(ops["matmul"]["backend_dtypes"]["simt"], json({"fp32"}));
    CHECK_EQUAL(ops["less"]["dtypes"], json({"fp32", "fp64", "fp16", "bf16", "int32", "bool"}));
    for (const char* view : {"reshape", "expand"}) CHECK_EQUAL(ops[view]["dtypes"], json({"fp32", "fp64", "fp16", "bf16", "int32", "int64", "uint8", "bool"}));
    CHECK(ops["softmax_cross_entropy"].contains("fused_from"));
    for (const auto& [id, op] : ops) CHECK(!op["dtypes"].empty() && !op["backends"].empty() && !op["title"].empty(), id);
}

TEST(what_does_not_exist_is_answered_with_what_does) {
    check_refused("frobnicate", "there are the commands list, run, check, replay, export, diff");
    check_refused("list foo", "there are cards, paths, experiments");
    check_refused("bench training --python /nonexistent/python", "--python /nonexistent/python: there is no such program");
    std::ofstream(folder() / "text.gradus") << "no recording, only words\n";
    check_refused("export " + file("text.gradus") + " --to csv -o " + file("text.csv"), "text.gradus: not a Gradus run file");
}

// A card run with other settings: what cannot be asked then takes nothing else away.
TEST(a_question_without_an_answer_is_left_out_alone) {
    const Output narrow = gradus("run forward-pass-as-matmuls --set layers=784,12,10 --steps 3");
    CHECK_EQUAL(narrow.status, 0);
    CHECK(narrow.out.find("not asked with these settings") != std::string::npos, narrow.out);
    CHECK(narrow.out.find("The engine's answer: 99 %") != std::string::npos, narrow.out);
    const Output moons = gradus("run xor-network --set data=moons --set batch=0 --set layers=2,3,1 --steps 3");
    CHECK_EQUAL(moons.status, 0);
    CHECK(moons.out.find("about its own data") != std::string::npos && moons.out.find("engine's answer") == std::string::npos, moons.out);
}

TEST(without_a_display_the_first_lesson_runs_in_the_terminal) {
    if (!std::filesystem::exists("/usr/share/datasets/fashion-mnist")) skip("dataset-fashion-mnist is not installed");
    const Output lesson = gradus("", "env -u DISPLAY -u WAYLAND_DISPLAY -u QT_QPA_PLATFORM XDG_DATA_HOME='" + folder().string() + "'");
    CHECK_EQUAL(lesson.status, 0);
    CHECK(lesson.out.find("no display") != std::string::npos || lesson.out.find("no window") != std::string::npos, lesson.out);
    CHECK(lesson.out.find("92 %") != std::string::npos, lesson.out);
    CHECK(lesson.out.find((folder() / "gradus/runs").string()) != std::string::npos, lesson.out);
}

} // namespace gradus::test
