#include "engine/core/user_folder.hpp"

#include "tests/support/check.hpp"
#include "tests/support/variable.hpp"

#include <unistd.h>

using namespace gradus;
using test::Variable;

TEST(the_users_folders_are_where_the_specification_puts_them) {
    const Variable home("HOME", "/home/ada");
    const struct {
        Keeps what;
        const char *variable, *in_home;
    } rows[] = {{Keeps::data, "XDG_DATA_HOME", "/home/ada/.local/share/gradus"},
                {Keeps::state, "XDG_STATE_HOME", "/home/ada/.local/state/gradus"},
                {Keeps::cache, "XDG_CACHE_HOME", "/home/ada/.cache/gradus"}};
    for (const auto& row : rows) {
        const test::Row name(row.variable);
        for (const char* nothing : {static_cast<const char*>(nullptr), "", "relative/path"}) {
            const Variable variable(row.variable, nothing);
            CHECK_EQUAL(user_folder(row.what).string(), row.in_home);
        }
        const Variable variable(row.variable, "/elsewhere");
        CHECK_EQUAL(user_folder(row.what).string(), "/elsewhere/gradus");
    }
}

TEST(without_a_home_the_users_folders_are_temporary) {
    const Variable home("HOME", nullptr), data("XDG_DATA_HOME", nullptr), temporary("TMPDIR", "/tmp");
    CHECK_EQUAL(user_folder(Keeps::data).string(), "/tmp/gradus-" + std::to_string(geteuid())); // of each user another
    for (const char* nothing : {static_cast<const char*>(nullptr), "/proc/none", "none/such"}) {
        const Variable named("TMPDIR", nothing);
        CHECK_EQUAL(temporary_folder().string(), "/tmp");
    }
}
