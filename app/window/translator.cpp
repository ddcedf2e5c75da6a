#include "app/window/translator.hpp"

#include "engine/core/error.hpp"

#include <QFile>
#include <QXmlStreamReader>
#include <fmt/format.h>
#include <future>

namespace gradus {

namespace {

using WordsByKey = QHash<QString, QString>;

QString key(const QString& context, const QString& source) { return context + QChar(0x1F) + source; }

WordsByKey read_words(const QString& path) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) throw FileError(fmt::format("{} cannot be read", path.toStdString()));
    QXmlStreamReader xml(&file);
    WordsByKey words;
    QString context, source;
    while (!xml.atEnd()) {
        if (xml.readNext() != QXmlStreamReader::StartElement) continue;
        if (xml.name() == QLatin1String("name")) context = xml.readElementText();
        else if (xml.name() == QLatin1String("source")) source = xml.readElementText();
        else if (xml.name() == QLatin1String("translation")) {
            const QString text = xml.readElementText();
            if (text.isEmpty()) continue;
            words.insert(key(context, source), text);
        }
    }
    if (xml.hasError())
        throw FileError(fmt::format("{}:{}: {}", path.toStdString(), xml.lineNumber(), xml.errorString().toStdString()));
    return words;
}

/// The lab's own, of which there is one, however often the language changes.
const std::shared_future<WordsByKey>& own_words() {
    static const std::shared_future<WordsByKey> words = std::async(std::launch::async, [] { return read_words(QStringLiteral(":/gradus/translations/ko.ts")); }).share();
    return words;
}

} // namespace

void Translator::prepare() { own_words(); }

Translator::Translator() : words_(own_words().get()) {}

Translator::Translator(const QString& path, QObject* parent) : QTranslator(parent), words_(read_words(path)) {}

QString Translator::translate(const char* context, const char* source, const char*, int) const {
    const QString asked = QString::fromUtf8(source), where = QString::fromUtf8(context);
    if (const auto found = words_.constFind(key(where, asked)); found != words_.constEnd()) return *found;
    if (!where.startsWith('Q')) missing_.insert(where + ": " + asked); // Qt's own words are Qt's
    return {};
}

} // namespace gradus
