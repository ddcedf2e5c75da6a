#pragma once

#include <QString>
#include <array>
#include <map>
#include <string>
#include <vector>

namespace gradus {

/// A program that a lesson shows beside its run: its words, not the run's.
struct Listing {
    struct Line {
        QString code;   ///< with its indentation
        std::string at; ///< phase/module/op of an iteration that the line stands for; empty: none
        std::map<std::string, std::string> without; ///< with one of these values of a parameter the line is left out
        std::array<QString, 2> note;                ///< in English and in Korean; empty: none
        bool told() const { return !at.empty() || !without.empty() || !note[0].isEmpty(); }
    };
    std::vector<Line> lines; ///< empty: the lesson has no listing
};

} // namespace gradus
