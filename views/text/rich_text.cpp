#include "views/text/rich_text.hpp"

#include <QRegularExpression>
#include <set>

namespace gradus {

namespace {

/// Reads the spans of one paragraph.
class SpanReader {
public:
    SpanReader(const QString& text, RichText& out) : in_(text), out_(out) {}

    RichBlock read() {
        while (at_ < in_.size()) {
            const QChar c = in_[at_];
            if (c == '\\' && at_ + 1 < in_.size() && QStringLiteral("*`${}\\_").contains(in_[at_ + 1])) {
                words_ += in_[at_ + 1];
                at_ += 2;
            } else if (!(c == '`' && code()) && !(c == '$' && formula()) && !(c == '{' && live()) &&
                       !(c == '*' && emphasis())) {
                words_ += c;
                ++at_;
            }
        }
        flush();
        return std::move(block_);
    }

private:
    void flush() {
        if (words_.isEmpty()) return;
        RichSpan span;
        span.bold = bold_;
        span.italic = italic_;
        span.text = words_;
        block_.spans.push_back(std::move(span));
        words_.clear();
    }
    void push(RichSpan::Kind kind, const QString& text) {
        flush();
        RichSpan span;
        span.kind = kind;
        span.text = text;
        block_.spans.push_back(std::move(span));
    }
    bool code() {
        const qsizetype end = in_.indexOf('`', at_ + 1);
        if (end <= at_ + 1) return false;
        const QString text = in_.mid(at_ + 1, end - at_ - 1);
        push(names_a_key(text) ? RichSpan::Kind::key : RichSpan::Kind::code, text);
        at_ = end + 1;
        return true;
    }
    bool formula() {
        const bool two = in_.mid(at_, 2) == "$$";
        const qsizetype from = at_ + (two ? 2 : 1);
        const qsizetype end = in_.indexOf(two ? "$$" : "$", from);
        if (end < 0) {
            out_.problems += QStringLiteral("a $ is never closed: %1").arg(in_.mid(at_, 24));
            return false;
        }
        const QString tex = in_.mid(from, end - from);
        Formula read = parse_formula(tex.toStdString());
        if (!read.ok()) out_.problems += QStringLiteral("$%1$, %2").arg(tex, QString::fromStdString(read.error));
        push(read.ok() ? RichSpan::Kind::formula : RichSpan::Kind::code, read.ok() ? tex : in_.mid(at_, end + (two ? 2 : 1) - at_));
        block_.spans.back().formula = std::move(read);
        at_ = end + (two ? 2 : 1);
        return true;
    }
    bool live() {
        static const QRegularExpression name("\\G\\{([A-Za-z_][A-Za-z0-9_:.-]*)\\}");
        const auto match = name.match(in_, at_, QRegularExpression::NormalMatch, QRegularExpression::AnchorAtOffsetMatchOption);
        if (!match.hasMatch()) return false;
        push(RichSpan::Kind::live, match.captured(1));
        if (match.captured(1).startsWith("parameter:")) block_.parameters += match.captured(1).mid(10);
        at_ = match.capturedEnd();
        return true;
    }
    bool emphasis() {
        const bool two = in_.mid(at_, 2) == "**";
        bool& on = two ? bold_ : italic_;
        const qsizetype length = two ? 2 : 1;
        const bool opens = at_ + length < in_.size() && !in_[at_ + length].isSpace();
        const bool closed = in_.indexOf(two ? "**" : "*", at_ + length + 1) > 0;
        if (!on && !(opens && closed)) return false; // a lone star is a star
        flush();
        on = !on;
        at_ += length;
        return true;
    }

    const QString in_;
    RichText& out_;
    RichBlock block_;
    QString words_;
    qsizetype at_ = 0;
    bool bold_ = false, italic_ = false;
};

} // namespace

bool names_a_key(const QString& text) {
    static const QRegularExpression key(
        "^((Ctrl|Shift|Alt)\\+)*(Home|End|Esc|Enter|Space|Tab|Del|Delete|Backspace|Insert|PageUp|PageDown|Page Up|"
        "Page Down|F[1-9]|F1[0-2]|[A-Z0-9]|[\\[\\]?/.,+<>−-]|[←→↑↓])$");
    return key.match(text).hasMatch();
}

RichText parse_rich(const QString& markdown, bool display) {
    RichText out;
    std::set<QString> placed;
    static const QRegularExpression blank("\\n[ \\t]*\\n"), breaks("[ \\t]*\\n[ \\t]*");
    for (QString paragraph : QString(markdown).replace("\r\n", "\n").split(blank, Qt::SkipEmptyParts)) {
        paragraph = paragraph.trimmed().replace(breaks, " ");
        if (paragraph.isEmpty()) continue;
        RichBlock block = SpanReader(paragraph, out).read();
        block.display = display && block.spans.size() == 1 && block.spans[0].kind == RichSpan::Kind::formula;
        block.parameters.removeDuplicates();
        block.parameters.removeIf([&](const QString& name) { return !placed.insert(name).second; });
        out.blocks.push_back(std::move(block));
    }
    return out;
}

QString RichText::plain() const {
    QString text;
    for (const RichBlock& block : blocks) {
        if (!text.isEmpty()) text += '\n';
        for (const RichSpan& span : block.spans)
            text += span.kind == RichSpan::Kind::live ? '{' + span.text + '}' : span.text;
    }
    return text;
}

} // namespace gradus
