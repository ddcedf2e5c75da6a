#include "tests/cli/program.hpp"

#include "tests/support/check.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <sys/wait.h>

namespace gradus::test {

std::string text_of(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    std::stringstream text;
    text << in.rdbuf();
    return text.str();
}

const std::filesystem::path& folder() {
    static const std::filesystem::path path = [] {
        std::string name = (std::filesystem::temp_directory_path() / "gradus-cli-XXXXXX").string();
        REQUIRE(mkdtemp(name.data()));
        std::atexit([] { std::filesystem::remove_all(folder()); });
        return std::filesystem::path(name);
    }();
    return path;
}

Output gradus(const std::string& words, const std::string& before) {
    const std::string out = folder() / "out", error = folder() / "error";
    const int status = std::system((before + " '" GRADUS_PROGRAM "' " + words + " >'" + out + "' 2>'" + error + "' </dev/null").c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), text_of(out), text_of(error)};
}

std::string file(const std::string& name) { return "'" + (folder() / name).string() + "'"; }

void check_refused(const std::string& words, const std::string& part, const std::string& before) {
    const Row row(words);
    const Output output = gradus(words, before);
    CHECK_EQUAL(output.status, 2);
    CHECK(output.out.empty(), output.out);
    CHECK(output.error.find(part) != std::string::npos, output.error);
    CHECK(std::count(output.error.begin(), output.error.end(), '\n') == 1, output.error);
}

} // namespace gradus::test
