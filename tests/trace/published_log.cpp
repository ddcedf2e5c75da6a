#include "engine/trace/published_log.hpp"

#include "tests/support/check.hpp"

#include <string>
#include <thread>

using namespace gradus;
using namespace gradus::test;

namespace {
struct Pair {
    std::size_t number = 0;
    std::string text;
};
} // namespace

TEST(log_keeps_its_records_in_place) {
    PublishedLog<std::size_t> log;
    CHECK(log.empty() && log.bytes() == 0);
    std::vector<const std::size_t*> places;
    for (std::size_t i = 0; i < 5000; ++i) {
        log.push(i * i);
        places.push_back(&log[i]);
    }
    CHECK_EQUAL(log.size(), 5000u);
    CHECK_EQUAL(log.back(), 4999u * 4999u);
    bool right = true;
    for (std::size_t i = 0; i < 5000; ++i) right &= &log[i] == places[i] && log[i] == i * i;
    CHECK(right);
    CHECK(log.bytes() >= 5000 * sizeof(std::size_t) && log.bytes() <= 4 * 5000 * sizeof(std::size_t));
}

TEST(log_is_read_while_it_grows) {
    for (int round = 0; round < 5; ++round) {
        PublishedLog<Pair> log;
        constexpr std::size_t count = 20'000;
        std::atomic<bool> wrong{false};
        std::vector<std::thread> readers;
        for (int i = 0; i < 3; ++i)
            readers.emplace_back([&, i] {
                std::size_t before = 0;
                for (std::size_t length = 0; length < count;) {
                    length = log.size();
                    if (length < before) wrong = true; // it never shrinks
                    for (std::size_t at = i == 0 ? 0 : before; at < length; at += i == 0 ? 997 : 1)
                        if (log[at].number != at || log[at].text != std::to_string(at)) wrong = true;
                    before = length;
                }
            });
        for (std::size_t i = 0; i < count; ++i) log.push({i, std::to_string(i)});
        for (std::thread& reader : readers) reader.join();
        CHECK(!wrong);
    }
}

TEST(slot_is_replaced_while_it_is_read) {
    SharedSlot<const std::string> slot;
    CHECK(!slot.get());
    std::atomic<bool> stop{false}, wrong{false};
    slot.set(std::make_shared<const std::string>("0"));
    std::vector<std::thread> readers;
    for (int i = 0; i < 2; ++i)
        readers.emplace_back([&] {
            while (!stop) {
                const auto text = slot.get();
                if (text && (text->empty() || (*text)[0] != '0')) wrong = true;
            }
        });
    for (int i = 0; i < 3000; ++i) slot.set(i % 7 == 0 ? nullptr : std::make_shared<const std::string>(std::string(static_cast<std::size_t>(i % 50 + 1), '0')));
    stop = true;
    for (std::thread& reader : readers) reader.join();
    CHECK(!wrong);
}
