#include "app/window/presenter_page.hpp"

#include <QRegularExpression>
#include <QStringList>

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

} // namespace

QString caption_of(const QString& markdown, int words) {
    static const QRegularExpression gap(QStringLiteral(R"(\n\s*\n)")), only_formula(QStringLiteral(R"(^\$[^$]*\$$)"));
    QString paragraph;
    for (const QString& part : markdown.split(gap, Qt::SkipEmptyParts)) {
        paragraph = part.trimmed();
        if (!only_formula.match(paragraph).hasMatch()) break;
    }
    paragraph.remove(QStringLiteral("**"));
    QStringList line;
    for (const QString& word : words_of(paragraph)) {
        line << word;
        if (ends_sentence(word)) break;
    }
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
