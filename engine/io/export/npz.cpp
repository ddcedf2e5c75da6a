#include "engine/core/error.hpp"
#include "engine/core/hash.hpp"
#include "engine/io/export/formats.hpp"
#include "engine/io/export/npy.hpp"
#include "engine/io/export/output_file.hpp"
#include "engine/trace/tape_trace.hpp"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <unordered_map>
#include <unordered_set>
#include <zip.h>

namespace gradus::exporting {

namespace {

using nlohmann::json;

/// One member of the archive: an .npy header and the data behind it. libzip reads it when the archive is closed;
/// a tensor's buffer is shared until then, not copied.
struct Member {
    std::string header, owned;
    Tensor tensor;
    zip_uint64_t position = 0;
    zip_error_t error{};

    std::string_view data() const {
        if (tensor.defined()) return {reinterpret_cast<const char*>(tensor.raw()), tensor.bytes()};
        return owned;
    }
    zip_uint64_t size() const { return header.size() + data().size(); }
    zip_uint64_t read(char* target, zip_uint64_t length) {
        zip_uint64_t done = 0;
        while (done < length && position < size()) {
            const std::string_view part = position < header.size() ? std::string_view(header).substr(position)
                                                                   : data().substr(position - header.size());
            const auto count = std::min<zip_uint64_t>(part.size(), length - done);
            std::memcpy(target + done, part.data(), count);
            done += count;
            position += count;
        }
        return done;
    }
};

zip_int64_t member_source(void* context, void* data, zip_uint64_t length, zip_source_cmd_t command) {
    auto* member = static_cast<Member*>(context);
    switch (command) {
    case ZIP_SOURCE_OPEN: member->position = 0; return 0;
    case ZIP_SOURCE_READ: return static_cast<zip_int64_t>(member->read(static_cast<char*>(data), length));
    case ZIP_SOURCE_CLOSE: return 0;
    case ZIP_SOURCE_STAT: {
        auto* stat = static_cast<zip_stat_t*>(data);
        zip_stat_init(stat);
        stat->size = member->size();
        stat->valid = ZIP_STAT_SIZE;
        return sizeof *stat;
    }
    case ZIP_SOURCE_ERROR: return zip_error_to_data(&member->error, data, length);
    case ZIP_SOURCE_FREE: delete member; return 0;
    case ZIP_SOURCE_SUPPORTS:
        return zip_source_make_command_bitmap(ZIP_SOURCE_OPEN, ZIP_SOURCE_READ, ZIP_SOURCE_CLOSE, ZIP_SOURCE_STAT,
                                              ZIP_SOURCE_ERROR, ZIP_SOURCE_FREE, -1);
    default: zip_error_set(&member->error, ZIP_ER_OPNOTSUPP, 0); return -1;
    }
}

/// An .npz in the making.
class Archive {
public:
    Archive(const std::filesystem::path& path, std::int64_t unix_time, const ExportOptions& options)
        : file_(path), time_(unix_time), options_(options) {
        int code = 0;
        zip_ = zip_open(file_.part().c_str(), ZIP_CREATE | ZIP_EXCL, &code);
        if (zip_) return;
        zip_error_t error;
        zip_error_init_with_code(&error, code);
        const std::string reason = zip_error_strerror(&error);
        zip_error_fini(&error);
        file_.fail(reason);
    }
    ~Archive() {
        if (zip_) zip_discard(zip_);
    }
    Archive(const Archive&) = delete;
    Archive& operator=(const Archive&) = delete;

    void add(const std::string& name, const Tensor& tensor) {
        auto member = std::make_unique<Member>();
        member->header = npy_header(tensor.dtype(), tensor.shape());
        if (npy_type(tensor.dtype()) != tensor.dtype()) member->tensor = tensor.copy_in(*pool_, npy_type(tensor.dtype()));
        else member->tensor = tensor.contiguous() ? tensor : tensor.contiguous_copy(*pool_);
        add(name, std::move(member), ZIP_CM_STORE);
    }
    template <class T> void add(const std::string& name, const std::vector<T>& values, int method = ZIP_CM_STORE) {
        auto member = std::make_unique<Member>();
        Shape shape;
        shape.append({static_cast<Dim>(values.size()), {}});
        member->header = npy_header(dtype_of<T>, shape);
        member->owned.assign(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
        add(name, std::move(member), method);
    }

    void commit() { // nothing is written before this
        zip_register_progress_callback_with_state(
            zip_, 0.01,
            [](zip_t*, double share, void* options) {
                const auto& told = static_cast<const ExportOptions*>(options)->progress;
                if (told) told(share);
            },
            nullptr, const_cast<ExportOptions*>(&options_));
        zip_register_cancel_callback_with_state(
            zip_,
            [](zip_t*, void* options) {
                return static_cast<const ExportOptions*>(options)->stop.stop_requested() ? 1 : 0;
            },
            nullptr, const_cast<ExportOptions*>(&options_));
        const bool closed = zip_close(zip_) == 0;
        if (!closed && options_.stop.stop_requested()) throw StoppedError("the export was stopped");
        if (!closed) file_.fail(zip_strerror(zip_));
        zip_ = nullptr;
        file_.commit();
    }

private:
    void add(const std::string& name, std::unique_ptr<Member> member, int method) {
        zip_error_init(&member->error);
        zip_source_t* source = zip_source_function(zip_, member_source, member.get());
        if (!source) file_.fail(zip_strerror(zip_));
        member.release(); // the source's from here on
        const zip_int64_t index = zip_file_add(zip_, (name + ".npy").c_str(), source, ZIP_FL_ENC_UTF_8);
        if (index < 0) {
            zip_source_free(source);
            file_.fail(zip_strerror(zip_));
        }
        zip_set_file_compression(zip_, static_cast<zip_uint64_t>(index), method, 0);
        zip_file_set_mtime(zip_, static_cast<zip_uint64_t>(index), time_, 0);
    }

    OutputFile file_;
    std::int64_t time_;
    const ExportOptions& options_;
    std::shared_ptr<BufferPool> pool_ = std::make_shared<BufferPool>();
    zip_t* zip_ = nullptr;
};

/// A tensor's name as a plain file name within the archive.
std::string member_name(std::string_view name) {
    std::string out(name);
    for (char& c : out)
        if (c == '/' || c == '\\' || static_cast<unsigned char>(c) < 0x20) c = '_';
    return out.empty() || out == "." || out == ".." ? "_" + out : out;
}

std::string id_text(TensorId id) { return fmt::format("{}:{}.{}", id.event.iteration, id.event.ordinal, id.output); }

json axes_of(const Shape& shape) {
    json axes = json::array();
    for (int axis = 0; axis < shape.rank(); ++axis) axes.push_back(shape.name(axis).view());
    return axes;
}

/// Collects what the archive holds, for the array "manifest".
class Contents {
public:
    explicit Contents(Archive& archive) : archive_(archive) {}

    void add_tensors(const IterationTensors& kept, const std::string& folder) {
        std::unordered_map<std::string, std::size_t> last; // of several writes of a name, the last bears it alone
        for (std::size_t i = 0; i < kept.tensors.size(); ++i) last[place(kept, kept.tensors[i], folder)] = i;
        for (std::size_t i = 0; i < kept.tensors.size(); ++i) {
            const RecordedTensor& recorded = kept.tensors[i];
            std::string name = place(kept, recorded, folder);
            if (last.at(name) != i) name += fmt::format("@{}.{}", recorded.id.event.ordinal, recorded.id.output);
            if (!recorded.tensor.defined()) {
                missing_.push_back(
                    {{"array", name}, {"reason", "only its hash is kept"}, {"hash", hash_hex(recorded.hash)}});
                continue;
            }
            archive_.add(name, recorded.tensor);
            arrays_[name] = {{"name", recorded.name},
                             {"role", name_of(recorded.role)},
                             {"dtype", name_of(recorded.tensor.dtype())},
                             {"axes", axes_of(recorded.tensor.shape())},
                             {"tensor_id", id_text(recorded.id)},
                             {"provenance", name_of(Provenance::computed)}};
        }
    }

    void add_series(const Run& run, const SeriesInfo& info, Range range) {
        std::vector<double> values;
        std::vector<std::int64_t> at;
        const std::string axis(axis_of(info));
        if (axis == "iteration") {
            for (StepIndex i = range.from; i < range.until; ++i)
                if (const auto value = run.value_at(info.name, i)) {
                    at.push_back(i);
                    values.push_back(*value);
                }
        } else {
            const Series* series = run.find_series(info.name);
            for (std::size_t i = 0, count = series->size(); i < count; ++i) {
                at.push_back(series->at(i).iteration);
                values.push_back(series->at(i).value);
            }
        }
        const std::string name = "series/" + member_name(info.name);
        if (values.empty()) {
            missing_.push_back({{"array", name}, {"reason", "it has no value in these iterations"}});
            return;
        }
        archive_.add(name, values);
        archive_.add(name + "." + axis, at);
        arrays_[name] = {{"name", info.name},
                         {"unit", info.unit},
                         {"dtype", name_of(DType::f64)},
                         {"axes", {axis}},
                         {"provenance", name_of(info.provenance)}};
    }

    /// Neighbouring iterations that lack their tensors for the same reason are told together.
    void add_missing(StepIndex iteration, std::string_view reason) {
        if (!missing_.empty() && missing_.back().contains("until") && missing_.back()["until"] == iteration &&
            missing_.back()["reason"] == reason)
            missing_.back()["until"] = iteration + 1;
        else missing_.push_back({{"from", iteration}, {"until", iteration + 1}, {"reason", reason}});
    }

    /// JSON as bytes, so that the archive holds arrays only: json.loads(bytes(npz["manifest"])).
    void write_manifest(const Run& run, Range range) {
        json edits = json::array();
        for (const LoggedEdit& edit : edits_within(run, range))
            edits.push_back({{"iteration", edit.iteration}, {"edit", edit.edit.text()}});
        const json root{{"schema", 1},
                        {"run", json::parse(run.manifest().to_json())},
                        {"state", name_of(run.state())},
                        {"from", range.from},
                        {"until", range.until},
                        {"edits", std::move(edits)},
                        {"arrays", std::move(arrays_)},
                        {"missing", std::move(missing_)}};
        const std::string text = root.dump(-1, ' ', false, json::error_handler_t::replace);
        archive_.add("manifest", std::vector<std::uint8_t>(text.begin(), text.end()), ZIP_CM_DEFLATE);
    }

private:
    static std::string place(const IterationTensors& kept, const RecordedTensor& recorded, const std::string& folder) {
        const EventId event = recorded.id.event;
        const bool before = event.iteration != kept.iteration || event.ordinal >= first_edit_ordinal;
        return folder + (before ? "/before/" : "/") + member_name(recorded.name);
    }

    Archive& archive_;
    json arrays_ = json::object(), missing_ = json::array();
};

} // namespace

// setup/W1 is what the Run began with, iter_000120/W1 what iteration 120 wrote, iter_000120/before/W1 what it found;
// series/loss[i] is the loss of iteration series/loss.iteration[i]; bookmarks holds the iterations that were marked;
// manifest says what is here, and what is not and why.
void write_npz(const Run& run, const Job& job, const std::filesystem::path& path) {
    const Range range = job.range;
    Archive archive(path, run.manifest().clock.origin_unix_ns / 1'000'000'000, job.options);
    Contents contents(archive);
    if (const auto kept = run.tensors_of(-1)) contents.add_tensors(*kept, "setup");
    for (StepIndex iteration = range.from; iteration < range.until; ++iteration) {
        if (job.options.stop.stop_requested()) throw StoppedError("the export was stopped");
        const auto kept = run.tensors_of(iteration);
        if (kept) contents.add_tensors(*kept, fmt::format("iter_{:06}", iteration));
        else if (owner_of(run, iteration).find_observed(iteration))
            contents.add_missing(iteration, "observed, but its tensors gave way to others");
        else contents.add_missing(iteration, "not observed: only its scalars are kept");
    }
    for (const auto& series : run.series()) contents.add_series(run, series->info(), range);
    if (!job.bookmarks.empty()) archive.add("bookmarks", std::vector<std::int64_t>(job.bookmarks.begin(), job.bookmarks.end()));
    contents.write_manifest(run, range);
    archive.commit();
}

} // namespace gradus::exporting
