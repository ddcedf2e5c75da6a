#pragma once

namespace gradus::test {

/// For the runner: checks and failures so far, in all tests.
struct Counts {
    long checks = 0, failures = 0;
};
Counts counts();
void begin_test();

} // namespace gradus::test
