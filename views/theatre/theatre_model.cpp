#include "views/theatre/theatre_model.hpp"

#include "engine/trace/derive/kernel_walk.hpp"
#include "engine/kernels/ladder.hpp"
#include "views/derive/engine_words.hpp"
#include "views/derive/settings.hpp"
#include "views/theatre/theatre_words.hpp"
#include "views/theme/numbers.hpp"

#include <QRegularExpression>
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <tuple>

namespace gradus {

namespace {

/// One value of a lane as a cell has room for it; of several the first, and that there are more.
QString value_words(ValueKind kind, std::span<const std::byte> bytes) {
    const std::size_t size = size_of(kind);
    if (bytes.size() < size) return QString::fromStdString(value_text(kind, bytes));
    QString out;
    if (kind == ValueKind::f32) {
        float value = 0;
        std::memcpy(&value, bytes.data(), sizeof value);
        out = three_digits(static_cast<double>(value));
    } else {
        out = with_minus(QString::fromStdString(value_text(kind, bytes.first(size))));
    }
    return bytes.size() > size ? out + QStringLiteral(" …") : out;
}

/// In five letters where that can be: two decimals, one, or none; else a digit and the power of ten.
QString short_number(double value) {
    const double size = std::abs(value);
    if (size == 0) return QStringLiteral("0");
    if (size >= 0.005 && size < 9999.5) return with_minus(QString::number(value, 'f', size < 9.995 ? 2 : size < 99.95 ? 1 : 0));
    return with_minus(QString::number(value, 'e', 0).replace(QLatin1String("e-0"), QLatin1String("e-")).remove(QLatin1String("+0")).remove('+')); // 3e-4
}

/// The number that the words begin with, shorter; words that are none stay.
QString cell_words(const QString& words) {
    bool number = false;
    const double value = QString(words).replace(QChar(0x2212), '-').remove(QStringLiteral(" …")).toDouble(&number);
    return number && words.size() > 5 ? short_number(value) : number && words.contains('.') ? short_number(value) : words;
}

std::vector<TheatreLine> read_code(const KernelTrace& trace, std::size_t launch, std::int32_t file) {
    std::vector<TheatreLine> out;
    if (file < 0 || static_cast<std::size_t>(file) >= trace.sources.size()) return out;
    const QString text = QString::fromStdString(trace.sources[static_cast<std::size_t>(file)]);
    for (const QString& line : text.split('\n')) out.push_back({line, {}, {}, -1});
    for (const LineCounters& counters : line_counters(trace, launch, file)) {
        if (counters.line < 1 || static_cast<std::size_t>(counters.line) > out.size()) continue;
        TheatreLine& line = out[static_cast<std::size_t>(counters.line) - 1];
        for (const LineAccess& access : counters.accesses) (access.space == simt::Space::shared ? line.wavefronts : line.sectors).push_back(access);
    }
    for (std::size_t i = trace.findings.size(); i-- > 0;) {
        const KernelTrace::Finding& finding = trace.findings[i];
        for (const KernelPlace& place : {finding.other, finding.place})
            if (place.file == file && place.line >= 1 && static_cast<std::size_t>(place.line) <= out.size()) out[static_cast<std::size_t>(place.line) - 1].finding = static_cast<std::int32_t>(i);
    }
    return out;
}

/// What the launch came to as a whole: is it right?
void look_at_verdict(TheatreModel& model, const KernelTrace& trace, const Look& look) {
    const StepIndex at = look.state.cursor.iteration;
    model.max_error = look.run()->value_at("max_error", at);
    if (!model.max_error && look.full) model.max_error = look.full->value_at("product_error", at); // of a net's product that is watched
    if (model.max_error && std::isnan(*model.max_error) && !trace.finished) model.max_error.reset();
    for (const Ladder& ladder : all_ladders())
        for (const Rung& rung : ladder.rungs)
            if (ladder.id == trace.ladder && rung.id == trace.rung) model.tolerance = rung.tolerance;
    if (const auto allowed = look.run()->value_at("error_allowed", at); allowed && !std::isnan(*allowed)) model.tolerance = *allowed;
    for (const char* name : {"source", "matmul_source"})
        if (const auto source = text_setting_at(*look.run(), name, at)) {
            model.editable = true;
            model.edited = *source != "own";
        }
}

/// Where "x" of "x[a][b[i]]" begins, whose last bracket stands in that column; both from 1. 0: there is no name.
std::int32_t name_before_index(const QString& line, std::int32_t closing) {
    qsizetype at = closing - 1;
    while (at >= 0 && line[at] == ']') {
        int depth = 0;
        do depth += (line[at] == ']') - (line[at] == '[');
        while (depth > 0 && --at >= 0);
        --at; // in front of the bracket that opens it
    }
    const qsizetype end = at;
    while (at >= 0 && (line[at].isLetterOrNumber() || line[at] == '_')) --at;
    return end < 0 || at == end ? 0 : static_cast<std::int32_t>(at) + 2;
}

/// Where the buffer that the step touches stands in its line, from 1: of a read whose column is an index's closing bracket what stands in front of
/// that index. Else, of several places, the one nearest to the compiler's column, which is that of the call or the assignment around it; but of an
/// assignment that writes, "+=" too, the one before it. 0: nowhere.
std::int32_t column_of_access(const TheatreModel& model, std::int32_t column) {
    if (!model.touches || model.line < 1 || static_cast<std::size_t>(model.line) > model.code.size()) return 0;
    const QString& line = model.code[static_cast<std::size_t>(model.line) - 1].text;
    const auto letter = [&](qsizetype at) { return at >= 0 && at < line.size() && (line[at].isLetterOrNumber() || line[at] == '_'); };
    const bool closes = column > 0 && column <= line.size() && line[column - 1] == ']';
    if (closes && model.op == simt::Op::read) // whatever lies there: an index out of bounds may miss its buffer
        if (const std::int32_t name = name_before_index(line, column)) return name;
    const bool before = model.op == simt::Op::write;
    std::int32_t best = 0;
    for (qsizetype at = line.indexOf(model.buffer); at >= 0; at = line.indexOf(model.buffer, at + 1)) {
        if (letter(at - 1) || letter(at + model.buffer.size())) continue;
        const auto found = static_cast<std::int32_t>(at) + 1;
        if (!best || (before ? found < column : std::abs(found - column) < std::abs(best - column))) best = found;
    }
    return best;
}

/// The function around a line, from its head to its closing brace: both stand at the beginning of a line.
void find_function(TheatreModel& model) {
    const auto count = static_cast<std::int32_t>(model.code.size());
    const auto text = [&](std::int32_t line) -> const QString& { return model.code[static_cast<std::size_t>(line) - 1].text; };
    model.first_line = 1, model.last_line = count;
    for (std::int32_t line = std::min(model.line, count); line >= 1; --line) {
        if (line < model.line && text(line).startsWith('}')) break;
        if (!text(line).contains(QLatin1String("__global__")) && !text(line).contains(QLatin1String("__device__"))) continue;
        model.first_line = line > 1 && text(line - 1).startsWith(QLatin1String("template")) ? line - 1 : line;
        break;
    }
    for (std::int32_t line = std::max(model.line, 1); line <= count; ++line)
        if (text(line).startsWith('}')) {
            model.last_line = line;
            break;
        }
}

void look_at_step(TheatreModel& model, const KernelTrace& trace) {
    const KernelLog& log = trace.log;
    const KernelLog::Site& site = log.sites[log.site[model.step]];
    const KernelTrace::Site& where = trace.sites[log.site[model.step]];
    model.line = where.place.line;
    model.op = site.op;
    model.warp = log.warp[model.step];
    model.stand = stand_of(*model.block, model.warp, model.step);
    const KernelTrace::Accesses touched = trace.accesses(model.step);
    model.touches = touched.count > 0;
    if (model.touches) {
        model.space = trace.ranges[touched.of[0].range].space;
        model.buffer = QString::fromStdString(trace.name_at(touched.of[0].range, touched.of[0].offset));
    }
    for (const KernelTrace::Access& access : touched.all()) {
        const ValueKind known = trace.kind_at(access.range, access.offset), kind = size_of(known) ? known : ValueKind::f32;
        model.values[access.lane] = value_words(kind, access.after.empty() ? access.before : access.after);
        if (!access.after.empty()) model.before[access.lane] = value_words(kind, access.before);
    }
    const KernelTrace::Collective met = trace.collective(model.step);
    model.collective = QString::fromLatin1(met.name.data(), static_cast<qsizetype>(met.name.size()));
    model.asks.fill(-1);
    for (const KernelTrace::Handed& handed : met.all()) {
        model.asks[handed.lane] = handed.asks;
        model.shuffles |= handed.asks >= 0;
        const std::size_t size = size_of(met.got) ? size_of(met.got) : sizeof handed.got;
        const std::span<const std::byte> got{reinterpret_cast<const std::byte*>(&handed.got), size};
        if (met.got == ValueKind::f32) {
            float value = 0;
            std::memcpy(&value, got.data(), sizeof value);
            model.values[handed.lane] = three_digits(static_cast<double>(value));
        } else {
            model.values[handed.lane] = with_minus(QString::fromStdString(value_text(met.got, got)));
        }
    }
    for (std::size_t lane = 0; lane < 32; ++lane) model.cells[lane] = cell_words(model.values[lane]);
    model.sectors = sectors_of_step(trace, model.step);
    model.banks = banks_of_step(trace, model.step);
    for (int warp = 0; !model.touches && !model.shuffles && warp < model.block->warps(); ++warp) model.all_warps.push_back(stand_of(*model.block, warp, model.step));
    model.shown_lane = model.lane >= 0 ? model.lane : std::countr_zero(log.mask[model.step]);
}

/// Which lanes touch the word that is singled out, now or else at another time: it is the first of them whose variables one wants to see.
void look_at_word(TheatreModel& model, const KernelTrace& trace, const WordAt& word, const std::vector<std::uint32_t>* touching) {
    const auto lanes_at = [&](std::size_t step) {
        std::uint32_t lanes = 0;
        const KernelTrace::Accesses touched = trace.accesses(step);
        for (const KernelTrace::Access& access : touched.all())
            if (access.range == word.range && access.offset < word.offset + word.bytes && word.offset < access.offset + access.before.size()) lanes |= 1u << access.lane;
        return lanes;
    };
    model.word_lanes = lanes_at(model.step);
    std::uint32_t lanes = model.word_lanes;
    for (std::size_t i = 0; !lanes && touching && i < touching->size(); ++i) // who of this warp does it at another time
        if (const std::size_t step = (*touching)[i]; step >= model.block->begin() && step < model.block->end() && trace.log.warp[step] == model.warp) lanes = lanes_at(step);
    if (model.lane < 0 && lanes) model.shown_lane = std::countr_zero(lanes);
}

/// As many digits as one reads: those of a float that stand in a line with ten others.
QString brief_value(const QString& words) {
    static const QRegularExpression number(QStringLiteral("-?(?:\\d+\\.\\d+(?:e[+-]?\\d+)?|\\bnan\\b)"));
    QString out;
    qsizetype done = 0;
    for (QRegularExpressionMatchIterator each = number.globalMatch(words); each.hasNext();) { // an array has several
        const QRegularExpressionMatch match = each.next();
        const QString text = match.captured();
        out += words.mid(done, match.capturedStart() - done) + (text.size() > 7 || text.endsWith('n') ? three_digits(text.toDouble()) : text);
        done = match.capturedEnd();
    }
    return with_minus(out + words.mid(done));
}

void look_at_locals(TheatreModel& model, const std::shared_ptr<const KernelTrace>& trace, TheatreKept& kept) {
    if (trace->locals.empty()) return;
    if (!kept.locals) kept.locals = std::make_shared<LocalsCursor>(trace);
    kept.locals->go_to(model.step);
    const LocalsCursor::Lane found = kept.locals->lane(static_cast<std::uint32_t>(model.warp * 32 + model.shown_lane));
    model.locals_why = QString::fromStdString(found.why);
    for (const LocalsCursor::Value& value : found.values) {
        if (!value.why.empty()) continue; // not set yet, or kept nowhere
        TheatreLocal local;
        local.name = QString::fromStdString(value.variable->name);
        local.value = brief_value(QString::fromStdString(local_text(*trace, *value.variable, value.bytes, 4)));
        local.changed = value.changed;
        if (value.changed && std::find(value.before.begin(), value.before.end(), unset_byte) == value.before.end()) local.before = brief_value(QString::fromStdString(local_text(*trace, *value.variable, value.before, 4)));
        local.line = value.variable->line;
        model.locals.push_back(std::move(local));
    }
    // What has changed first, then what was declared last; where arrays begin says least.
    std::stable_sort(model.locals.begin(), model.locals.end(), [](const TheatreLocal& a, const TheatreLocal& b) {
        const auto rank = [](const TheatreLocal& local) { return std::tuple(local.value.startsWith('&'), !local.changed, -local.line); };
        return rank(a) < rank(b);
    });
}

void look_at_bits(TheatreModel& model, const KernelTrace& trace) {
    const KernelLog& log = trace.log;
    for (std::uint64_t fma = trace.first_fma[model.step]; fma < trace.first_fma[model.step + 1]; ++fma) model.fmas += log.fma_lane[fma] == model.shown_lane;
}

void look_at_findings(TheatreModel& model, const KernelTrace& trace) {
    for (const KernelTrace::Finding& finding : trace.findings) {
        TheatreFinding out;
        out.kind = finding_word(finding.kind);
        out.sentence = engine_words(finding.sentence);
        out.line = finding.place.line;
        out.launch = finding.launch;
        if (!finding.threads.empty()) out.block = static_cast<std::int64_t>(finding.threads.front().block);
        if (const auto step = step_of_finding(trace, finding)) {
            out.ordinal = model.events->of_step(*step);
            out.here = model.at_step && *step == model.step;
        }
        if (model.block && finding.launch == model.launch)
            for (const KernelTrace::Thread& thread : finding.threads)
                if (thread.block == trace.log.blocks[model.block->number()].number && static_cast<int>(thread.rank / 32) == model.warp) out.lanes |= 1u << thread.rank % 32;
        out.about = about_words(finding);
        model.findings.push_back(std::move(out));
    }
}

} // namespace

std::optional<WordAt> word_of(const KernelTrace& trace, const Selection& selection) {
    if (selection.tensor.empty() || selection.element.empty()) return std::nullopt;
    for (std::size_t i = 0; i < trace.ranges.size(); ++i) {
        const KernelTrace::Range& range = trace.ranges[i];
        if (range.name != selection.tensor || range.sizes.size() != selection.element.size()) continue;
        std::int64_t at = 0;
        for (std::size_t axis = 0; axis < range.sizes.size(); ++axis) {
            if (selection.element[axis] < 0 || selection.element[axis] >= range.sizes[axis]) return std::nullopt;
            at = at * range.sizes[axis] + selection.element[axis];
        }
        const std::uint64_t bytes = size_of(range.type);
        return WordAt{i, static_cast<std::uint64_t>(at) * bytes, bytes};
    }
    return std::nullopt;
}

Selection selection_of(const KernelTrace& trace, std::uint8_t number, std::uint64_t offset) {
    const KernelTrace::Range& range = trace.ranges[number];
    if (range.sizes.empty()) return {};
    Selection out{range.name, std::vector<Dim>(range.sizes.size())};
    auto left = static_cast<std::int64_t>(offset / size_of(range.type));
    for (std::size_t axis = range.sizes.size(); axis-- > 0;) out.element[axis] = left % range.sizes[axis], left /= range.sizes[axis];
    return out;
}

std::int32_t TheatreModel::of_block(std::int64_t number) const {
    const std::vector<KernelLog::Block>& blocks = events->trace().log.blocks;
    for (std::size_t i = 0; i < blocks.size(); ++i)
        if (blocks[i].launch == launch && static_cast<std::int64_t>(blocks[i].number) == number) return events->of_block(i);
    return -1;
}

TheatreModel make_theatre(const Look& look, TheatreKept& kept, const std::vector<std::uint32_t>* touching) {
    TheatreModel model;
    model.events = look.kernels;
    if (!model.events) return kept.forget(), model;
    const KernelTrace& trace = model.events->trace();
    const std::shared_ptr<const KernelTrace> shared(model.events, &trace);
    if (kept.block && &kept.block->trace() != &trace) kept.forget();
    const Cursor& cursor = look.state.cursor;
    model.level = cursor.level;
    model.title = QString::fromStdString(trace.ladder + "/" + trace.rung);
    const std::int32_t ordinal = cursor.level > Level::iteration ? cursor.ordinal : -1;
    std::size_t block = trace.log.blocks.empty() ? 0 : model.events->block_of(ordinal);
    for (std::size_t launch = 0; launch < trace.launches.size(); ++launch)
        if (ordinal == model.events->of_launch(launch)) model.launch = launch;
    if (block >= trace.log.blocks.size()) block = 0;
    if (!trace.log.blocks.empty()) {
        if (!kept.block || kept.block->number() != block) {
            kept.block = std::make_shared<KernelBlock>(shared, block);
            kept.turns.reset();
        }
        if (cursor.level >= Level::block || model.launch == 0) model.launch = trace.log.blocks[block].launch;
        if (kept.block->begin() < kept.block->end()) model.block = kept.block;
    }
    if (model.block) {
        const std::size_t step = model.events->step_of(ordinal);
        model.at_step = step < trace.steps();
        model.step = model.at_step ? step : model.block->begin();
        while (!model.at_step && model.step + 1 < model.block->end() && !trace.is_shown(model.step)) ++model.step;
        model.lane = model.at_step ? model.events->lane_of(ordinal) : -1;
        look_at_step(model, trace);
    }
    std::int32_t file = model.block ? trace.sites[trace.log.site[model.step]].place.file : -1;
    for (const KernelTrace::Line& line : trace.lines)
        if (file < 0 && line.launch == model.launch) file = line.place.file, model.line = line.place.line;
    if (kept.file != file || kept.launch != model.launch || kept.code.empty()) {
        kept.file = file, kept.launch = model.launch;
        kept.code = read_code(trace, model.launch, file);
    }
    model.code = kept.code;
    model.column = column_of_access(model, model.block ? trace.sites[trace.log.site[model.step]].place.column : 0);
    find_function(model);
    look_at_findings(model, trace);
    look_at_verdict(model, trace, look);
    if (!model.block) return model;
    if (!kept.turns || kept.turns_of != model.warp) {
        kept.turns = std::make_shared<WarpTurns>(turns_of(*model.block, model.warp));
        kept.turns_of = model.warp;
    }
    model.turns = kept.turns;
    model.barrier = barrier_stand(*model.block, model.step);
    const auto word = word_of(trace, look.state.selection);
    if (word) look_at_word(model, trace, *word, touching);
    look_at_locals(model, shared, kept);
    look_at_bits(model, trace);
    if (const std::int64_t fma = model.at_step ? model.events->fma_of(ordinal) : -1; fma >= 0) {
        const KernelLog::Fma& made = trace.log.fmas[static_cast<std::size_t>(fma)];
        model.bits = fma_bits(made.a, made.b, made.c);
        model.fma = 0;
        for (auto before = static_cast<std::uint64_t>(fma); before > trace.first_fma[model.step] && trace.log.fma_lane[before - 1] == trace.log.fma_lane[static_cast<std::size_t>(fma)]; --before) ++model.fma;
    }
    if (word) {
        model.word = word_words(look.state.selection);
        model.seeking = touching == nullptr;
        for (std::size_t i = 0; touching && i < touching->size(); ++i) {
            const std::size_t step = (*touching)[i];
            if (!trace.is_shown(step)) continue;
            model.touching.push_back({model.events->of_step(step), touch_words(trace, step, *word), step == model.step && model.at_step});
            constexpr std::size_t most = 256; // nobody reads more
            if (model.touching.size() == most) break;
        }
    }
    return model;
}

} // namespace gradus
