#include "app/window/presenter_page.hpp"

#include <QRegularExpression>
#include <QStringList>
#include <algorithm>
#include <vector>

namespace gradus {

namespace {

/// Split at spaces, but not inside a formula or code.
QStringList words_of(const QString& text) {
    QStringList out;
    QString word;
    QChar open;
    for (const QChar c : text) {
        if (c == u'$' || c == u'`') open = open == c ? QChar() : open.isNull() ? c : open;
        if (c.isSpace() && open.isNull()) {
            if (!word.isEmpty()) out << word;
            word.clear();
        } else {
            word += c;
        }
    }
    if (!word.isEmpty()) out << word;
    return out;
}

bool ends_sentence(const QString& word) {
    static const QRegularExpression end(QStringLiteral(R"([.?!。][”"’')]*$)"));
    return end.match(word).hasMatch();
}

bool ends_clause(const QString& word) { return word.endsWith(u',') || word.endsWith(u';') || word.endsWith(u':'); }

/// A sentence, with the formula that stands right behind it, on a line of its own or as a sentence of its own.
struct Sentence {
    QStringList words;
    QString formula;
    /// What only names a control, or is a few words of doing, says nothing to a class.
    bool tells() const {
        static const QRegularExpression control(QStringLiteral(R"(^[^:]*: \{parameter:\w+\}[.。]?)"));
        return words.size() >= 4 && !control.match(words.join(u' ')).hasMatch();
    }
};

std::vector<Sentence> sentences_of(const QString& markdown) {
    static const QRegularExpression gap(QStringLiteral(R"(\n\s*\n)")), only_formula(QStringLiteral(R"(^\$[^$]*\$$)")),
        lone_formula(QStringLiteral(R"(^\$[^$]*\$\.$)"));
    std::vector<Sentence> out;
    bool open = false; // words stand before it in this part of the text
    for (const QString& part : markdown.split(gap, Qt::SkipEmptyParts)) {
        QString paragraph = part.trimmed();
        if (only_formula.match(paragraph).hasMatch()) {
            if (open) out.back().formula = paragraph;
            open = false;
            continue;
        }
        paragraph.remove(QStringLiteral("**"));
        bool ended = true;
        const QStringList words = words_of(paragraph);
        for (qsizetype i = 0; i < words.size(); ++i) {
            if (i > 0 && ended && lone_formula.match(words[i]).hasMatch()) { // as Korean has it: "… 정해집니다. $f(x) = a x + b$."
                if (out.back().formula.isEmpty()) out.back().formula = words[i].chopped(1);
                continue;
            }
            if (ended) out.emplace_back();
            out.back().words << words[i];
            ended = ends_sentence(words[i]);
        }
        open = !out.empty();
    }
    return out;
}

} // namespace

QString caption_of(const QString& markdown, int words) {
    const std::vector<Sentence> all = sentences_of(markdown);
    if (all.empty()) return {};
    const auto telling = std::find_if(all.begin(), all.end(), [](const Sentence& sentence) { return sentence.tells(); });
    const Sentence& chosen = telling == all.end() ? all.front() : *telling;
    QStringList line = chosen.words;
    if (!chosen.formula.isEmpty()) line << chosen.formula;
    if (line.size() <= words) return line.join(u' ');
    line = line.mid(0, words);
    for (qsizetype i = line.size() - 1; i >= words / 3; --i) {
        if (!ends_clause(line[i])) continue;
        line = line.mid(0, i + 1);
        line.last().chop(1);
        break;
    }
    return line.join(u' ') + QStringLiteral(" …");
}

} // namespace gradus
