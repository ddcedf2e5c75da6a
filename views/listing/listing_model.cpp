#include "views/listing/listing_model.hpp"

#include "views/listing/listing_words.hpp"
#include "views/theme/numbers.hpp"

#include <algorithm>

namespace gradus {

namespace {

using listing_words::tr;

bool is_left_out(const Listing::Line& line, const Run& run) {
    for (const auto& [name, value] : line.without) {
        const auto now = run.manifest().parameters.find(name);
        if (now != run.manifest().parameters.end() && now->second == value) return true;
    }
    return false;
}

} // namespace

ListingModel make_listing(const Listing& listing, const Look& look) {
    ListingModel model;
    const Run& run = *look.run();
    model.iteration = look.state.cursor.iteration;
    std::vector<std::string> names;
    for (const Listing::Line& line : listing.lines) names.push_back(is_left_out(line, run) ? std::string() : line.at);
    int here = -1;
    for (std::size_t i = 0; i < run.sites().size() && look.state.cursor.ordinal >= 0; ++i)
        if (run.sites()[i].ordinal == look.state.cursor.ordinal) // or of what happened once, before: that is in no part
            here = std::max(here, part_of(run.sites()[i].path, names));
    for (std::size_t i = 0; i < run.sites().size(); ++i) // what the engine counts beside the step is no line's: an accuracy
        if (const EventSite& site = run.sites()[i]; site.level == Level::op && !site.outputs.empty() && site.outputs[0].role == Role::metric)
            names.push_back(site.path);
    const std::vector<StepPart> parts = step_parts(run, look.full.get(), model.iteration, names);
    for (std::size_t i = 0; i < listing.lines.size(); ++i) {
        const Listing::Line& line = listing.lines[i];
        model.rows.push_back({line.code, line.told(), is_left_out(line, run), static_cast<int>(i) == here, parts[i],
                              line.note[look.state.language == Language::ko ? 1 : 0]});
        model.again |= parts[i].again;
        model.timed |= parts[i].seconds.has_value();
    }
    return model;
}

QString row_name(const ListingRow& row) {
    const QString code = row.code.trimmed();
    return row.left_out ? tr("%1, left out").arg(code) : code;
}

QString time_text(const ListingRow& row) {
    if (row.left_out) return tr("left out");
    if (!row.told) return {};
    if (row.part.ordinal < 0) return QStringLiteral("–");
    return row.part.seconds ? with_prefix(*row.part.seconds, "s") : QStringLiteral("…");
}

QString work_text(const ListingRow& row) {
    if (row.left_out || row.part.ordinal < 0) return {};
    return with_prefix(row.part.flops, "FLOP");
}

} // namespace gradus
