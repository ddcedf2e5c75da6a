#include "views/theme/words.hpp"

#include <QCache>
#include <QCoreApplication>
#include <QTextLayout>
#include <QThread>

namespace gradus {

namespace {

constexpr QChar thin_space(0x2009); // between a number's groups of digits

/// A font of one width has no thin space: groups of digits as far apart as words would be numbers of their own.
QList<QTextLayout::FormatRange> narrowed(const QString& text, const QFont& font) {
    const double wanted = 0.25 * font.pixelSize(), given = QFontMetricsF(font).horizontalAdvance(thin_space);
    QList<QTextLayout::FormatRange> out;
    if (given <= wanted * 1.3) return out;
    QFont narrow = font;
    narrow.setLetterSpacing(QFont::AbsoluteSpacing, wanted - given);
    for (qsizetype at = text.indexOf(thin_space); at >= 0; at = text.indexOf(thin_space, at + 1)) {
        QTextLayout::FormatRange range;
        range.start = static_cast<int>(at);
        range.length = 1;
        range.format.setFont(narrow);
        out.append(range);
    }
    return out;
}

constexpr double half_pixel = 0.5; // whoever leaves room for a text has rounded its width

struct Key {
    QFont font;
    QString text;
    Qt::TextElideMode mode = Qt::ElideNone;
    double room = 0; // for what is cut to a width
    bool operator==(const Key&) const = default;
};

std::size_t qHash(const Key& key, std::size_t seed = 0) {
    // Not the families: comparing them is cheap where two fonts are one, and nearly all are.
    return qHashMulti(seed, key.text, key.font.pixelSize(), static_cast<int>(key.font.weight()), key.room);
}

/// A text of one line as glyphs.
struct Shaped {
    QTextLayout layout;
    double width = 0, ascent = 0, height = 0;

    Shaped(const QString& text, const QFont& font) : layout(text, font) {
        layout.setCacheEnabled(true);
        if (text.contains(thin_space)) layout.setFormats(narrowed(text, font));
        layout.beginLayout();
        if (QTextLine line = layout.createLine(); line.isValid()) {
            line.setLineWidth(1e6);
            width = line.horizontalAdvance();
            ascent = line.ascent();
            height = line.ascent() + line.descent(); // QTextLine::height() rounds it up
        }
        layout.endLayout();
    }
};

struct Memory {
    QCache<Key, Shaped> shaped{4096}; // texts; a full screen has some hundreds
    QCache<Key, QString> cut{512};
};

Memory& memory() {
    thread_local Memory kept;
    // Fonts do not outlive the application; what its own thread remembers would.
    thread_local bool forgets = false;
    if (!forgets && QCoreApplication::instance() && QThread::currentThread() == QCoreApplication::instance()->thread()) {
        forgets = true;
        qAddPostRoutine([] {
            kept.shaped.clear();
            kept.cut.clear();
            forgets = false;
        });
    }
    return kept;
}

const Shaped& shaped(const QFont& font, const QString& text) {
    auto& all = memory().shaped;
    const Key key{font, text};
    if (const Shaped* known = all.object(key)) return *known;
    auto* fresh = new Shaped(text, font);
    all.insert(key, fresh);
    return *fresh;
}

} // namespace

bool belongs_together(QStringView before, QStringView after) {
    constexpr QStringView operators = u"=≠≈≤≥<>+−·×÷/→←∈";
    const auto is_operator = [&](QStringView word) { return word.size() == 1 && operators.contains(word[0]); };
    if (is_operator(before) || is_operator(after)) return true;
    const auto digit = [](QStringView word, qsizetype at) { return at >= 0 && at < word.size() && word[at].isDigit(); };
    if (digit(before, before.size() - 1) && digit(after, 0) && digit(after, 1) && digit(after, 2) && !digit(after, 3)) return true; // "16 384"
    return before == u"ln" || before == u"−ln" || (after.startsWith(u'%') && !before.isEmpty() && before.back().isDigit());
}

double TextMetrics::horizontalAdvance(const QString& text) const {
    return text.isEmpty() ? 0 : shaped(font_, text).width;
}

double TextMetrics::lineHeight(const QString& text) const {
    return text.isEmpty() ? height() : shaped(font_, text).height;
}

double TextMetrics::lineAscent(const QString& text) const {
    return text.isEmpty() ? ascent() : shaped(font_, text).ascent;
}

QString TextMetrics::elidedText(const QString& text, Qt::TextElideMode mode, double width) const {
    if (horizontalAdvance(text) <= width + half_pixel) return text;
    auto& all = memory().cut;
    const Key key{font_, text, mode, width};
    if (const QString* known = all.object(key)) return *known;
    const QString cut = QFontMetricsF::elidedText(text, mode, width);
    all.insert(key, new QString(cut));
    return cut;
}

QString without_ligatures(const QString& code) {
    static const QString signs = QStringLiteral("=<>!+-*/&|:.#?_");
    QString out;
    for (qsizetype i = 0; i < code.size(); ++i) {
        if (i > 0 && signs.contains(code[i]) && signs.contains(code[i - 1])) out += QChar(0x200c);
        out += code[i];
    }
    return out;
}

void draw_text(QPainter& painter, QPointF base, const QString& text) {
    if (text.isEmpty()) return;
    const Shaped& line = shaped(painter.font(), text);
    line.layout.draw(&painter, base - QPointF(0, line.ascent));
}

void draw_text(QPainter& painter, const QRectF& box, int flags, const QString& text) {
    if (text.isEmpty()) return;
    if (text.contains('\n')) {
        painter.drawText(box, flags, text);
        return;
    }
    const Shaped& line = shaped(painter.font(), text);
    const double right = box.width() - line.width, below = box.height() - line.height;
    const double x = flags & Qt::AlignRight ? right : flags & Qt::AlignHCenter ? right / 2 : 0;
    const double y = flags & Qt::AlignBottom ? below : flags & Qt::AlignVCenter ? below / 2 : 0;
    const bool cut = !(flags & Qt::TextDontClip) && (right < -half_pixel || below < -half_pixel);
    if (cut) {
        painter.save();
        painter.setClipRect(box, Qt::IntersectClip);
    }
    line.layout.draw(&painter, box.topLeft() + QPointF(x, y));
    if (cut) painter.restore();
}

} // namespace gradus
