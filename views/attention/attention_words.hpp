#pragma once

#include "views/attention/attention_model.hpp"
#include "views/theme/value_card.hpp"

#include <QString>
#include <vector>

namespace gradus::attention_words {

QString tr(const char* text);

/// "16.1 KiB"; below 1024 as bytes.
QString bytes_text(std::int64_t bytes);
/// "−∞" for the maximum of no key.
QString value_text(double value);
/// "scores", "values added": what a warp does with a tile.
QString phase_words(TilePhase phase);
/// "Block 2, queries 64–95, tile 1 of 4: scores".
QString headline(const AttentionModel& model);
/// What is wrong where there is no picture; empty where there is.
QString message(const AttentionModel& model);
/// "Q2", "K1 V1".
QString query_tile(std::int64_t tile);
QString key_tile(std::int64_t tile);
/// What is in a tile in shared memory: "K1", "Q2", "empty".
QString held_words(const AttentionModel& model, const AttentionTiles::Held& held);
/// Of a tile of the grid: "read", "here", "to come", "skipped by the mask", "of another block".
QString tile_state(const AttentionModel& model, std::int64_t row_tile, std::int64_t tile);

/// A line of the table of bytes.
struct BytesLine {
    QString id, name;
    Provenance provenance = Provenance::counted;
    std::vector<std::int64_t> bytes; ///< of each column, the sum last; -1: none is told
};
std::vector<QString> bytes_columns(const AttentionModel& model);
std::vector<BytesLine> bytes_lines(const AttentionModel& model);
QString bytes_title(const AttentionModel& model, bool brief = false);
/// Of a cell of that table: a number in the unit that the title names, with as many decimals as all of them.
QString bytes_cell(const AttentionModel& model, std::int64_t bytes);

/// What a class reads about the row that is told of: "ℓ", "4.63 × 0.508 + 3.45 = ", "5.80", "sum".
struct SummaryLine {
    QString sign, before, now, after, word;
    QString brief{}, brief_now{}; ///< in place of `before` and `now` where those are too long: "4.63 → ", "5.80"
    bool secret = false; ///< tells the factor
};
QString summary_title(const AttentionModel& model, bool brief = false);
std::vector<SummaryLine> summary(const AttentionModel& model);

/// How a tile rescales a row, m₀ → m and ℓ = ℓ₀ × factor + added, in digits with which both come out as they stand.
struct RescalingWords {
    QString old_max, max, factor, old_sum, added, sum;
};
RescalingWords rescaling_words(const AttentionCursor::Row& row);

/// `secret`: a prediction asks for the factor.
std::vector<ValueCardLine> row_card(const AttentionCursor::Row& row, bool secret);
std::vector<ValueCardLine> cell_card(const AttentionModel& model, std::int64_t query, std::int64_t key, std::optional<float> score);
std::vector<ValueCardLine> held_card(const AttentionModel& model, const AttentionTiles::Held& held);
std::vector<ValueCardLine> bytes_card(const AttentionModel& model, const BytesLine& line);

} // namespace gradus::attention_words
