#include "views/attention/attention_words.hpp"

#include "views/theme/numbers.hpp"
#include "views/theme/provenance_mark.hpp"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>

namespace gradus::attention_words {

QString tr(const char* text) { return QCoreApplication::translate("Attention", text); }

QString bytes_text(std::int64_t bytes) {
    const auto amount = static_cast<double>(bytes);
    if (bytes < 1024) return QStringLiteral("%1 B").arg(bytes);
    constexpr double up = 1 + 1e-12; // a half goes up, as readers do it: 112.5 is 113
    if (bytes < 1024 * 1024) return three_digits(amount * up / 1024) + QStringLiteral(" KiB");
    return three_digits(amount * up / (1024 * 1024)) + QStringLiteral(" MiB");
}

QString value_text(double value) {
    if (std::isinf(value)) return value < 0 ? QStringLiteral("−∞") : QStringLiteral("∞");
    return three_digits(value);
}

QString phase_words(TilePhase phase) {
    switch (phase) {
    case TilePhase::queries: return tr("reads its queries");
    case TilePhase::load: return tr("reads keys and values");
    case TilePhase::scores: return tr("makes scores");
    case TilePhase::add: return tr("adds values");
    case TilePhase::write: return tr("writes O and L");
    }
    return {};
}

QString headline(const AttentionModel& model) {
    if (model.kind == AttentionModel::Kind::passes)
        return tr("launch %1 of %2: %3").arg(model.launch + 1).arg(model.passes.size()).arg(QString::fromStdString(model.kernel));
    const QString rows = tr("queries %1–%2").arg(model.first_query).arg(model.first_query + static_cast<std::int64_t>(model.rows.size()) - 1);
    const QString who = tr("warp %1 %2").arg(model.place.warp).arg(phase_words(model.place.phase));
    if (model.place.tile < 0) return tr("block %1, %2: %3").arg(QString::number(model.block), rows, who);
    return tr("block %1, %2, tile %3 of %4: %5").arg(QString::number(model.block), rows, QString::number(model.place.tile + 1), QString::number(model.tiles_read), who);
}

QString message(const AttentionModel& model) {
    if (model.kind != AttentionModel::Kind::none) return {};
    return tr("Nothing of attention is recorded here. Run the ladder “attention” with record = block, and stand below its kernel.");
}

QString query_tile(std::int64_t tile) { return QStringLiteral("Q%1").arg(tile); }
QString key_tile(std::int64_t tile) { return QStringLiteral("K%1 V%1").arg(tile); }

QString held_words(const AttentionModel& model, const AttentionTiles::Held& held) {
    if (held.filled <= 0) return tr("empty");
    if (held.name == "q_tile") return query_tile(model.row_tile);
    const char letter = held.name == "k_tile" ? 'K' : held.name == "v_tile" ? 'V' : 'P';
    return QStringLiteral("%1%2").arg(QLatin1Char(letter)).arg(held.tile);
}

QString tile_state(const AttentionModel& model, std::int64_t row_tile, std::int64_t tile) {
    if (model.skipped(row_tile, tile)) return tr("skipped: the mask hides all of it");
    const AttentionModel::RowOfTiles& row = model.row_tiles[static_cast<std::size_t>(row_tile)];
    if (!row.recorded) return tr("of a block that was not recorded");
    if (row_tile != model.row_tile) return row.done ? tr("done") : tr("to come");
    if (tile == model.place.tile) return tr("here");
    const bool done = model.place.phase == TilePhase::write || tile < model.place.tile;
    return done ? tr("done") : tr("to come");
}

std::vector<QString> bytes_columns(const AttentionModel& model) {
    if (model.kind == AttentionModel::Kind::passes) {
        std::vector<QString> out;
        for (std::size_t i = 0; i < model.passes.size(); ++i) out.push_back(tr("launch %1").arg(i + 1));
        out.push_back(tr("once"));
        return out;
    }
    return {QStringLiteral("Q"), QStringLiteral("K"), QStringLiteral("V"), QStringLiteral("S, P"), QStringLiteral("O, L"), tr("sum")};
}

std::vector<BytesLine> bytes_lines(const AttentionModel& model) {
    std::vector<BytesLine> out;
    if (model.kind == AttentionModel::Kind::passes) {
        AttentionTraffic once = model.three_launches; // what each holds
        once.s /= 2, once.p /= 2;
        std::vector<AttentionTraffic> all = model.passes;
        for (const char* name : {"Q", "K", "V", "S", "P", "O", "L"}) {
            BytesLine line{QStringLiteral("bytes.") + QLatin1String(name), QLatin1String(name), Provenance::counted, {}};
            for (AttentionTraffic& pass : all) line.bytes.push_back(*pass.of(name) ? *pass.of(name) : -1);
            line.bytes.push_back(*once.of(name));
            out.push_back(std::move(line));
        }
        BytesLine sum{QStringLiteral("bytes.sum"), tr("sum"), Provenance::counted, {}};
        for (const AttentionTraffic& pass : all) sum.bytes.push_back(pass.total());
        sum.bytes.push_back(once.total());
        out.push_back(std::move(sum));
        return out;
    }
    const auto line = [](const char* id, const QString& name, Provenance provenance, const AttentionTraffic& bytes) {
        const std::int64_t scores = bytes.s + bytes.p;
        return BytesLine{QLatin1String(id), name, provenance, {bytes.q, bytes.k, bytes.v, scores, bytes.o + bytes.l, bytes.total()}};
    };
    out.push_back(line("bytes.block", tr("block so far"), Provenance::counted, model.so_far));
    out.push_back(line("bytes.launch", tr("whole launch"), Provenance::counted, model.counted));
    out.push_back(line("bytes.formula", tr("formula"), Provenance::modelled, model.formula));
    out.push_back(line("bytes.three", tr("three launches"), Provenance::modelled, model.three_launches));
    return out;
}

namespace {

/// One unit for all of them, so that they add up as they stand; few enough are told to the byte.
std::int64_t unit_of(const AttentionModel& model) {
    std::int64_t most = 0;
    for (const BytesLine& line : bytes_lines(model)) most = std::max(most, *std::max_element(line.bytes.begin(), line.bytes.end()));
    return most < 10'000 ? 1 : most < std::int64_t{10'000} * 1024 ? 1024 : 1024 * 1024;
}

} // namespace

QString bytes_title(const AttentionModel& model, bool brief) {
    const QString words = brief ? tr("Global memory, %1") : model.kind == AttentionModel::Kind::passes ? tr("What lanes ask of global memory, in %1") : tr("Through global memory, in %1");
    const std::int64_t unit = unit_of(model);
    return words.arg(unit == 1 ? tr("bytes") : unit == 1024 ? QStringLiteral("KiB") : QStringLiteral("MiB"));
}

QString bytes_cell(const AttentionModel& model, std::int64_t bytes) {
    const std::int64_t unit = unit_of(model);
    if (unit == 1 || bytes == 0) return grouped(bytes);
    return QString::number(static_cast<double>(bytes) / static_cast<double>(unit), 'f', 1);
}

QString summary_title(const AttentionModel& model, bool brief) {
    if (model.kind == AttentionModel::Kind::passes) return tr("Launch %1 of %2").arg(model.launch + 1).arg(model.passes.size());
    if (model.rows.empty()) return {};
    const AttentionCursor::Row& row = model.rows[model.focus];
    if (row.tile < 0) return tr("Query %1: no tile yet").arg(row.query);
    if (brief) return tr("Query %1, K%2").arg(row.query).arg(row.tile);
    return tr("Query %1 meets K%2").arg(row.query).arg(row.tile);
}

std::vector<SummaryLine> summary(const AttentionModel& model) {
    if (model.kind != AttentionModel::Kind::tiles || model.rows.empty()) return {};
    const AttentionCursor::Row& row = model.rows[model.focus];
    if (!row.why.empty()) return {};
    if (row.tile < 0) return {{QStringLiteral("m"), {}, value_text(row.max), {}, tr("maximum"), {}, value_text(row.max)}, {QStringLiteral("ℓ"), {}, value_text(row.sum), {}, tr("sum"), {}, value_text(row.sum)}};
    const RescalingWords w = rescaling_words(row);
    const auto from = [](const QString& before) { return before + QStringLiteral(" → "); };
    const bool first = row.tile == 0, written = row.here && model.place.phase == TilePhase::write;
    const QString sum = first ? from(w.old_sum) : QStringLiteral("%1 × %2 + %3 = ").arg(w.old_sum, w.factor, w.added);
    std::vector<SummaryLine> out;
    out.push_back({QStringLiteral("m"), from(w.old_max), w.max, {}, tr("maximum"), w.old_max + QStringLiteral("→"), w.max});
    out.push_back({QStringLiteral("ℓ"), sum, w.sum, {}, tr("sum"), from(w.old_sum), w.sum, !first});
    if (written) out.push_back({QStringLiteral("O"), {}, QStringLiteral("÷ ") + w.sum, {}, tr("output"), {}, QStringLiteral("÷ ") + w.sum});
    else out.push_back({QStringLiteral("O"), {}, QStringLiteral("× ") + w.factor, QStringLiteral(" + p · V"), tr("output"), {}, QStringLiteral("× ") + w.factor, true});
    return out;
}

RescalingWords rescaling_words(const AttentionCursor::Row& row) {
    constexpr int most_decimals = 5;
    RescalingWords out{value_text(row.old_max), value_text(row.max), value_text(row.factor), value_text(row.old_sum), {}, value_text(row.sum)};
    for (int decimals = 2; decimals <= most_decimals && std::isfinite(row.old_max); ++decimals) {
        out.old_max = with_minus(QString::number(static_cast<double>(row.old_max), 'f', decimals));
        out.max = with_minus(QString::number(static_cast<double>(row.max), 'f', decimals));
        if (value_text(std::exp(number_of(out.old_max) - number_of(out.max))) == out.factor) break;
    }
    const qsizetype point = out.sum.indexOf('.');
    const double added = number_of(out.sum) - number_of(out.old_sum) * number_of(out.factor);
    out.added = out.sum.contains('e') ? value_text(added) : with_minus(QString::number(std::max(0.0, added), 'f', point < 0 ? 0 : static_cast<int>(out.sum.size() - point - 1)));
    return out;
}

namespace {

QString query_name(std::int64_t query) { return tr("query %1").arg(query); }

} // namespace

std::vector<ValueCardLine> row_card(const AttentionCursor::Row& row, bool secret) {
    std::vector<ValueCardLine> out{{query_name(row.query)}};
    if (!row.why.empty()) {
        out.push_back({tr("not yet set")});
        return out;
    }
    out.push_back(value_line(QStringLiteral("m = ") + value_text(row.max)));
    out.push_back(value_line(QStringLiteral("ℓ = ") + value_text(row.sum)));
    if (row.tile < 0 || secret) return out;
    const RescalingWords w = rescaling_words(row);
    out.push_back(value_line(QStringLiteral("e^(m₀ − m) = e^(%1 − %2) = %3").arg(w.old_max, w.max, w.factor)));
    out.push_back(value_line(QStringLiteral("ℓ = %1 × %2 + %3").arg(w.old_sum, w.factor, w.added)));
    out.push_back({tr("m₀: before tile %1. Output and sum were both multiplied by it.").arg(row.tile)});
    return out;
}

std::vector<ValueCardLine> cell_card(const AttentionModel& model, std::int64_t query, std::int64_t key, std::optional<float> score) {
    std::vector<ValueCardLine> out{{tr("query %1, key %2").arg(query).arg(key)}};
    if (model.kind == AttentionModel::Kind::passes) {
        if (model.cells.empty()) return out;
        const double value = model.cell(query, key);
        out.push_back(std::isnan(value) ? ValueCardLine{tr("not yet written")} : value_line(QStringLiteral("%1 = %2").arg(QString::fromStdString(model.matrix), value_text(value))));
        return out;
    }
    const std::int64_t tile = key / model.shape.keys, row_tile = query / model.shape.rows;
    if (model.shape.causal && key > query && !model.skipped(row_tile, tile)) {
        out.push_back({tr("the mask hides it: score −∞")});
        return out;
    }
    if (std::isnan(model.cell(query, key))) {
        out.push_back({tile_state(model, row_tile, tile)});
        return out;
    }
    if (score) out.push_back(value_line(QStringLiteral("s = %1").arg(value_text(*score))));
    out.push_back(value_line(QStringLiteral("e^(s − m) = %1").arg(value_text(model.cell(query, key)))));
    if (row_tile != model.row_tile) return out;
    const AttentionCursor::Row& row = model.rows[static_cast<std::size_t>(query - model.first_query)];
    out.push_back({tr("what the key counts now, with m = %1; ℓ is the sum of the row").arg(value_text(row.max))});
    return out;
}

std::vector<ValueCardLine> held_card(const AttentionModel& model, const AttentionTiles::Held& held) {
    return {{QString::fromStdString(held.name)},
            value_line(tr("%1 of shared memory").arg(bytes_text(held.bytes)), Provenance::counted),
            {held.filled > 0 ? tr("holds %1, %2 % written").arg(held_words(model, held)).arg(static_cast<int>(std::lround(100 * held.filled))) : tr("empty")}};
}

std::vector<ValueCardLine> bytes_card(const AttentionModel& model, const BytesLine& line) {
    std::vector<ValueCardLine> out{{line.name}};
    const std::vector<QString> columns = bytes_columns(model);
    for (std::size_t i = 0; i < line.bytes.size() && i < columns.size(); ++i)
        if (line.bytes[i] >= 0) out.push_back(value_line(columns[i] + QStringLiteral(": ") + bytes_text(line.bytes[i]), line.provenance));
    if (line.id == QLatin1String("bytes.formula")) {
        out.push_back({tr("elements of a head: 2 N d for Q and O, 2 N d for each of ⌈N / %1⌉ rows of tiles, N for L").arg(model.shape.served)});
        if (model.shape.causal) out.push_back({tr("of K and V only the tiles that the mask leaves")});
        if (const double fast = static_cast<double>(model.shared_bytes) / 4; fast > 0) { // numbers of fp32
            const double scores = static_cast<double>(model.shape.length) * static_cast<double>(model.shape.head_size);
            out.push_back({tr("the paper: Θ(N² d² / M) elements, with M numbers of fast memory; the block has %1, which makes N² d² / M = %2")
                               .arg(grouped(std::llround(fast)), grouped(std::llround(scores * scores / fast)))});
        }
    }
    if (line.id == QLatin1String("bytes.three")) out.push_back({tr("S and P are written and read: 4 N² elements, and 4 N d for Q, K, V and O")});
    return out;
}

} // namespace gradus::attention_words
