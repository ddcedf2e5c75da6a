#pragma once

#include <QHash>
#include <QSet>
#include <QTranslator>

namespace gradus {

/// Korean from resources/translations/ko.ts, Qt Linguist's format, read as it is: no compiler of translations is needed
/// to build the lab. A sentence that is not in the file is shown in English and remembered.
class Translator : public QTranslator {
public:
    /// Begins to read the lab's own file, once and in the background: a click on the language is not to wait for it.
    static void prepare();

    /// The lab's own. Throws FileError naming the line where it cannot be read.
    Translator();
    /// Throws FileError naming the line where the file cannot be read.
    explicit Translator(const QString& path, QObject* parent = nullptr);

    QString translate(const char* context, const char* source, const char* disambiguation = nullptr,
                      int n = -1) const override;
    bool isEmpty() const override { return words_.isEmpty(); }
    /// "context: source" of everything that was asked for and is not there.
    const QSet<QString>& missing() const { return missing_; }

private:
    QHash<QString, QString> words_; ///< by context and source
    mutable QSet<QString> missing_;
};

} // namespace gradus
