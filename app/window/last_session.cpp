#include "app/window/last_session.hpp"

#include "app/say.hpp"
#include "app/window/state_file.hpp"
#include "engine/core/error.hpp"
#include "engine/core/user_folder.hpp"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSaveFile>
#include <fmt/format.h>

namespace gradus {

namespace {
QString q(const std::filesystem::path& path) { return QString::fromStdString(path.string()); }
} // namespace

QByteArray LastSession::to_json() const {
    const QJsonObject out{{"gradus_session", 1},
                          {"recording", q(recording)},
                          {"record", record},
                          {"state", QJsonDocument::fromJson(state_to_json(state)).object()}};
    return QJsonDocument(out).toJson();
}

LastSession LastSession::from_json(const QByteArray& json, const std::filesystem::path& place) {
    const QJsonObject object = QJsonDocument::fromJson(json).object();
    if (object.value("gradus_session").toInt() != 1 || !object.value("state").isObject() || !object.value("recording").isString())
        throw FileError(fmt::format("{}: this is no saved session", place.string()));
    LastSession last;
    last.state = state_from_json(QJsonDocument(object.value("state").toObject()).toJson(), q(place));
    last.recording = object.value("recording").toString().toStdString();
    last.record = object.value("record").toBool(true);
    return last;
}

std::optional<LastSession> LastSession::read(const std::filesystem::path& path) {
    QFile file(q(path));
    if (!file.open(QIODevice::ReadOnly)) return std::nullopt;
    try {
        return from_json(file.readAll(), path);
    } catch (const FileError& error) {
        say("gradus: {}; starting without it\n", error.what());
        return std::nullopt;
    }
}

std::filesystem::path LastSession::standard_path() { return user_folder(Keeps::state) / "session.json"; }

FileKeeper::FileKeeper(std::filesystem::path path)
    : path_(std::move(path)), thread_([this](const std::stop_token& stop) { work(stop); }) {}

FileKeeper::~FileKeeper() {
    thread_.request_stop();
    thread_.join();
}

void FileKeeper::keep(QByteArray bytes) {
    {
        const std::lock_guard lock(mutex_);
        if (!wanted_) ++waiting_;
        wanted_ = std::move(bytes);
    }
    wake_.notify_one();
}

void FileKeeper::work(const std::stop_token& stop) {
    for (;;) {
        QByteArray bytes;
        {
            std::unique_lock lock(mutex_);
            if (!wake_.wait(lock, stop, [this] { return wanted_.has_value(); })) return;
            bytes = std::move(*wanted_);
            wanted_.reset();
        }
        QDir().mkpath(q(path_.parent_path()));
        QSaveFile file(q(path_)); // a disk that is full is no reason to stop the lesson: the file before it stays
        if (file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size()) file.commit();
        --waiting_;
    }
}

} // namespace gradus
