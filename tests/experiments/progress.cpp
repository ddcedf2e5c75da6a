#include "lessons/runtime/progress.hpp"

#include "engine/core/error.hpp"
#include "tests/support/check.hpp"
#include "tests/support/tensors.hpp"

#include <sys/wait.h>
#include <unistd.h>

using namespace gradus;
using namespace gradus::test;

TEST(progress_keeps_what_was_answered) {
    const TemporaryFolder folder;
    const std::string path = folder.path() + "/data/gradus/progress.sqlite"; // folders are made
    {
        Progress progress(path);
        CHECK(progress.answers("card").empty());
        progress.answer("card", "gut", "a", false);
        progress.answer("card", "number", "92.5 %", true);
        progress.answer("other", "gut", "b, c", true);
        progress.answer("card", "gut", "b", true);
    }
    const Progress progress(path);
    const auto answers = progress.answers("card");
    REQUIRE(answers.size() == 3);
    CHECK(answers[0].check == "gut" && answers[0].typed == "a" && !answers[0].right && answers[0].unix_ns > 0);
    CHECK(answers[2].typed == "b" && answers[2].right && answers[2].unix_ns >= answers[0].unix_ns);
    CHECK(progress.passed("card") == std::vector<std::string>({"gut", "number"}));
    CHECK(progress.passed("nobody").empty());
}

TEST(progress_survives_a_kill_right_after_an_answer) {
    const TemporaryFolder folder;
    const std::string path = folder.path() + "/progress.sqlite";
    for (int i = 0; i < 5; ++i) {
        const pid_t child = fork();
        if (child == 0) {
            Progress progress(path);
            progress.answer("card", std::to_string(i), "x", true);
            _exit(9); // no destructor runs
        }
        int status = 0;
        waitpid(child, &status, 0);
        CHECK_EQUAL(WEXITSTATUS(status), 9);
    }
    CHECK_EQUAL(Progress(path).passed("card").size(), std::size_t{5});
}

TEST(progress_refuses_a_file_that_is_not_its_own) {
    const TemporaryFolder folder;
    const std::string text = "not a database, and long enough to be told from one that is empty";
    const std::string path = folder.write("x", std::span(reinterpret_cast<const std::uint8_t*>(text.data()), text.size()));
    CHECK_THROWS(Progress{path}, FileError, path);
    CHECK_THROWS(Progress{folder.path()}, FileError, folder.path());
}
