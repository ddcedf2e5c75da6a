#pragma once

#include <cstdlib>
#include <optional>
#include <string>

namespace gradus::test {

/// Sets a variable of the environment, or with null takes it away, for as long as this lives.
class Variable {
public:
    Variable(const char* name, const char* value) : name_(name) {
        if (const char* before = std::getenv(name)) before_ = before;
        if (value) ::setenv(name, value, 1);
        else ::unsetenv(name);
    }
    ~Variable() {
        if (before_) ::setenv(name_, before_->c_str(), 1);
        else ::unsetenv(name_);
    }
    Variable(const Variable&) = delete;
    Variable& operator=(const Variable&) = delete;

private:
    const char* name_;
    std::optional<std::string> before_;
};

} // namespace gradus::test
