#include "engine/simt/compiler_messages.hpp"

#include "engine/core/text.hpp"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <optional>
#include <sstream>

namespace gradus::simt {

namespace {

struct Place {
    std::string file;
    int line = 0, column = 0;
};

/// "FILE:LINE:COLUMN", or with `columns` false "FILE:LINE". By hand: lines that name templates are too long for std::regex.
std::optional<Place> place_in(std::string_view words, bool columns = true) {
    int numbers[2] = {0, 0};
    for (int i = columns ? 0 : 1; i < 2; ++i) {
        const std::size_t colon = words.rfind(':');
        const auto number = colon == std::string_view::npos ? std::nullopt : parse_integer(words.substr(colon + 1));
        if (!number) return {};
        numbers[i] = static_cast<int>(*number);
        words = words.substr(0, colon);
    }
    return Place{std::string(words), numbers[1], numbers[0]};
}

bool is_error(const CompilerMessage& message) { return message.severity.find("error") != std::string::npos; }

class Reader {
public:
    explicit Reader(const KernelSource& source) : source_(source), beside_(source.beside) {}

    void read(const std::string& line) {
        if (read_undefined(line) || read_context(line)) return;
        for (const char* severity : {"fatal error", "error", "warning", "note", "sorry, unimplemented", "Error"}) {
            const std::string mark = fmt::format(": {}: ", severity);
            const std::size_t at = line.find(mark);
            if (at == std::string::npos) continue;
            const std::string_view head = std::string_view(line).substr(0, at);
            std::string said = line.substr(at + mark.size());
            if (const auto place = place_in(head)) add(*place, severity, std::move(said));
            else if (severity == std::string_view("Error")) add({source_.file, 0, 0}, "error", "its inline assembly: " + said); // "/tmp/…s:123: Error: no such instruction"
            else if (const auto whole = place_in(head, false)) add(*whole, severity, std::move(said));
            else add({source_.file, 0, 0}, severity, std::move(said)); // "cc1plus: error: …"
            return;
        }
    }

    std::vector<CompilerMessage> messages;

private:
    /// "FILE:LINE:COLUMN:   required from here", innermost first, before the message that it belongs to.
    bool read_context(const std::string& line) {
        for (const std::string_view mark : {":   required ", ":   recursively required ", ":   in ‘constexpr’"}) {
            const std::size_t at = line.find(mark);
            const auto place = at == std::string::npos ? std::nullopt : place_in(std::string_view(line).substr(0, at));
            if (!place) continue;
            if (!learners_ && is_learners(place->file)) learners_ = place;
            return true;
        }
        return false;
    }

    /// The linker's "FILE:LINE: undefined reference to `NAME'". It takes the whole unit for the file.
    bool read_undefined(const std::string& line) {
        constexpr std::string_view mark = ": undefined reference to `";
        const std::size_t at = line.find(mark);
        if (at == std::string::npos) return false;
        const auto place = place_in(std::string_view(line).substr(0, at), false);
        const std::string name = line.substr(at + mark.size(), line.rfind('\'') - at - mark.size());
        const int told = place && (name.starts_with("__tsan") || names(place->line, name)) ? place->line : 0;
        if (name.starts_with("__tsan_atomic")) add({source_.file, told, 0}, "error", "C++ atomics are not for kernels, which have atomicAdd and its like");
        else add({source_.file, told, 0}, "error", fmt::format("nothing that a kernel can call is named '{}'", name));
        return true;
    }

    /// Whether the line of the source names the function "float lab::f<int>(int)".
    bool names(int number, const std::string& function) const {
        std::string name = function.substr(0, function.find_first_of("(<")), line;
        if (const std::size_t before = name.find_last_of(": "); before != std::string::npos) name.erase(0, before + 1);
        std::ifstream in(source_.file);
        for (int i = 0; i < number && std::getline(in, line);) ++i;
        return in && line.find(name) != std::string::npos;
    }

    bool is_learners(const std::string& file) const {
        return file == source_.file || file == launches_file || std::filesystem::path(file).parent_path() == std::filesystem::path(source_.file).parent_path() ||
               (!beside_.empty() && std::filesystem::path(file).parent_path() == beside_);
    }

    void add(Place place, std::string severity, std::string said) {
        if (severity == "sorry, unimplemented") severity = "error";
        if (const std::size_t at = said.find("always_inline"), end = said.rfind(": function not considered"); at != std::string::npos && end != std::string::npos && at < end) {
            const std::size_t name = said.find(' ', at) + 1;
            said = fmt::format("{} cannot become a part of the kernel, as every function does here: does it call itself?", said.substr(name, end - name));
        }
        CompilerMessage message{std::move(place.file), place.line, place.column, std::move(severity), std::move(said)};
        if (is_error(message) && learners_ && !is_learners(message.file)) message.file = learners_->file, message.line = learners_->line, message.column = learners_->column;
        if (message.file == launches_file && message.line > 0 && message.line <= static_cast<int>(source_.entries.size())) {
            constexpr std::string_view assertion = "static assertion failed: ";
            if (message.message.starts_with(assertion)) message.message.erase(0, assertion.size());
            message.message = fmt::format("the launch {}: {}", source_.entries[static_cast<std::size_t>(message.line) - 1], message.message);
            message.file = source_.file, message.line = message.column = 0;
        }
        learners_.reset();
        messages.push_back(std::move(message));
    }

    const KernelSource& source_;
    std::filesystem::path beside_;
    std::optional<Place> learners_; // of the context of the next message
};

} // namespace

std::vector<CompilerMessage> messages_in(const std::string& output, const KernelSource& source) {
    Reader reader(source);
    std::istringstream lines(output);
    for (std::string line; std::getline(lines, line);) reader.read(line);
    return std::move(reader.messages);
}

std::string first_error(const std::vector<CompilerMessage>& messages) {
    const auto first = std::find_if(messages.begin(), messages.end(), is_error);
    if (first == messages.end()) return {};
    std::string where = std::filesystem::path(first->file).filename().string();
    if (first->line) where += fmt::format(":{}", first->line);
    if (first->column) where += fmt::format(":{}", first->column);
    return fmt::format("{}: {}", where, shortened(one_line(first->message), 400));
}

} // namespace gradus::simt
