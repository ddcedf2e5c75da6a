#include "app/window/state_file.hpp"

#include "engine/core/error.hpp"

#include <QDir>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSaveFile>
#include <QStandardPaths>
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace gradus {

namespace {

constexpr int newest = 2;

QString text(const std::string& s) { return QString::fromStdString(s); }

template <class T> QJsonArray list(const std::vector<T>& values) {
    QJsonArray out;
    for (const T& value : values) {
        if constexpr (std::is_same_v<T, std::string>) out.append(text(value));
        else out.append(static_cast<qint64>(value));
    }
    return out;
}

/// Reads fields one by one and says which one is wrong.
class Fields {
public:
    Fields(QJsonObject object, const QString& place) : object_(std::move(object)), place_(place) {}

    [[noreturn]] void refuse(const char* name) const {
        throw FileError(fmt::format("{}: the field '{}' cannot be used", place_.toStdString(), name));
    }
    void read(const char* name, std::string& out) const {
        if (const QJsonValue v = at(name, QJsonValue::String); !v.isUndefined()) out = v.toString().toStdString();
    }
    void read(const char* name, bool& out) const {
        if (const QJsonValue v = at(name, QJsonValue::Bool); !v.isUndefined()) out = v.toBool();
    }
    void read(const char* name, double& out, double least, double most) const {
        const QJsonValue v = at(name, QJsonValue::Double);
        if (v.isUndefined()) return;
        if (!(v.toDouble() >= least && v.toDouble() <= most)) refuse(name);
        out = v.toDouble();
    }
    template <class Integer> void read_integer(const char* name, Integer& out, double least, double most) const {
        double value = static_cast<double>(out);
        read(name, value, least, most);
        if (value != std::floor(value)) refuse(name);
        out = static_cast<Integer>(value);
    }
    template <class Enum> void read_choice(const char* name, Enum& out, std::initializer_list<const char*> words) const {
        const QJsonValue v = at(name, QJsonValue::String);
        if (v.isUndefined()) return;
        const auto found = std::find(words.begin(), words.end(), v.toString().toStdString());
        if (found == words.end()) refuse(name);
        out = static_cast<Enum>(found - words.begin());
    }
    QJsonArray array(const char* name) const {
        const QJsonArray out = at(name, QJsonValue::Array).toArray();
        if (out.size() > 10'000) refuse(name);
        return out;
    }
    Fields object(const char* name) const { return {at(name, QJsonValue::Object).toObject(), place_}; }

private:
    QJsonValue at(const char* name, QJsonValue::Type type) const {
        const QJsonValue value = object_.value(QLatin1String(name));
        if (!value.isUndefined() && value.type() != type) refuse(name);
        return value;
    }
    QJsonObject object_;
    QString place_;
};

constexpr double most_steps = 1e12;
constexpr std::size_t most_views = 16; // a stage shows three
constexpr std::initializer_list<const char*> levels{"run", "iteration", "phase", "module", "op", "kernel", "block", "warp_instruction", "lane", "bits"};
constexpr std::initializer_list<const char*> rulers{"none", "flops", "bytes", "time"};
constexpr std::initializer_list<const char*> themes{"light", "dark"}, languages{"en", "ko"};

template <class Enum> QString word(Enum value, std::initializer_list<const char*> words) {
    return QString::fromLatin1(words.begin()[static_cast<std::size_t>(value)]);
}

} // namespace

QByteArray state_to_json(const AppState& s) {
    const QJsonObject cursor{{"iteration", static_cast<qint64>(s.cursor.iteration)},
                             {"at_head", s.cursor.at_head},
                             {"level", word(s.cursor.level, levels)},
                             {"ordinal", s.cursor.ordinal}};
    QJsonObject parameters;
    for (const auto& [name, value] : s.parameters) parameters.insert(text(name), text(value));
    const QJsonObject out{{"gradus_state", newest},
                          {"card", text(s.card)},
                          {"card_step", static_cast<qint64>(s.card_step)},
                          {"parameters", parameters},
                          {"seed", static_cast<qint64>(s.seed)},
                          {"run", static_cast<qint64>(s.run)},
                          {"dropped", list(s.dropped)},
                          {"cursor", cursor},
                          {"selection", QJsonObject{{"tensor", text(s.selection.tensor)}, {"element", list(s.selection.element)}}},
                          {"hidden", text(s.hidden)},
                          {"compared", static_cast<qint64>(s.compared)},
                          {"example", static_cast<qint64>(s.example)},
                          {"ruler", word(s.ruler, rulers)},
                          {"speed", s.speed},
                          {"event_speed", s.event_speed},
                          {"open_modules", list(s.open_modules)},
                          {"bookmarks", list(s.bookmarks)},
                          {"views", list(s.views)},
                          {"front", text(s.front)},
                          {"alone", s.alone},
                          {"theme", word(s.theme, themes)},
                          {"language", word(s.language, languages)},
                          {"text_scale", s.text_scale},
                          {"reduce_motion", s.reduce_motion},
                          {"high_contrast", s.high_contrast},
                          {"paths_open", s.paths_open},
                          {"story_open", s.story_open}};
    return QJsonDocument(out).toJson();
}

AppState state_from_json(const QByteArray& json, const QString& place) {
    QJsonParseError error{};
    const QJsonDocument document = QJsonDocument::fromJson(json, &error);
    if (!document.isObject())
        throw FileError(fmt::format("{}: this is no saved state: {}", place.toStdString(),
                                    document.isNull() ? error.errorString().toStdString() : "it is no JSON object"));
    const Fields fields(document.object(), place);
    int version = 0;
    fields.read_integer("gradus_state", version, 0, 1e6);
    if (version == 0) fields.refuse("gradus_state");
    if (version > newest)
        throw FileError(fmt::format("{}: saved by a newer lab (version {}, this one reads up to {})",
                                    place.toStdString(), version, newest));
    AppState s;
    fields.read("card", s.card);
    fields.read_integer("card_step", s.card_step, 0, 1000);
    const QJsonObject parameters = document.object().value("parameters").toObject();
    for (auto at = parameters.begin(); at != parameters.end(); ++at) {
        if (!at->isString()) fields.refuse("parameters");
        s.parameters[at.key().toStdString()] = at->toString().toStdString();
    }
    fields.read_integer("seed", s.seed, 0, 9e15);
    fields.read_integer("run", s.run, 0, 1e6);
    for (const QJsonValue& run : fields.array("dropped")) s.dropped.push_back(static_cast<std::size_t>(std::max<qint64>(0, run.toInteger(0))));
    const Fields cursor = fields.object("cursor"), selection = fields.object("selection");
    cursor.read_integer("iteration", s.cursor.iteration, 0, most_steps);
    cursor.read("at_head", s.cursor.at_head);
    cursor.read_choice("level", s.cursor.level, levels);
    cursor.read_integer("ordinal", s.cursor.ordinal, -1, 2147483647);
    selection.read("tensor", s.selection.tensor);
    for (const QJsonValue& index : selection.array("element")) s.selection.element.push_back(index.toInteger(0));
    fields.read_integer("compared", s.compared, -1, most_steps);
    fields.read_integer("example", s.example, -1, 1e12);
    fields.read("hidden", s.hidden);
    fields.read_choice("ruler", s.ruler, rulers);
    fields.read("speed", s.speed, 0, 1e6);
    fields.read("event_speed", s.event_speed, 0, 1e6);
    for (const QJsonValue& name : fields.array("open_modules")) s.open_modules.push_back(name.toString().toStdString());
    for (const QJsonValue& step : fields.array("bookmarks")) s.bookmarks.push_back(step.toInteger(0));
    for (const QJsonValue& id : fields.array("views")) {
        if (s.views.size() == most_views) fields.refuse("views");
        s.views.push_back(id.toString().toStdString());
    }
    fields.read("front", s.front);
    fields.read("alone", s.alone);
    fields.read_choice("theme", s.theme, themes);
    fields.read_choice("language", s.language, languages);
    fields.read("text_scale", s.text_scale, 0.5, 4);
    fields.read("reduce_motion", s.reduce_motion);
    fields.read("high_contrast", s.high_contrast);
    fields.read("paths_open", s.paths_open);
    fields.read("story_open", s.story_open);
    return s;
}

QString state_path() {
    return QDir(QStandardPaths::writableLocation(QStandardPaths::AppConfigLocation)).filePath("state.json");
}

bool save_state(const AppState& state, const QString& path) {
    QDir().mkpath(QFileInfo(path).absolutePath());
    QSaveFile file(path);
    return file.open(QIODevice::WriteOnly) && file.write(state_to_json(state)) > 0 && file.commit();
}

} // namespace gradus
