#pragma once

#include "engine/trace/derive/launch_sites.hpp"
#include "engine/trace/derive/level_traffic.hpp"
#include "views/hierarchy/hierarchy_tiles.hpp"
#include "views/state/look.hpp"

#include <QString>
#include <optional>
#include <vector>

namespace gradus {

/// A place where data lies, and what moves there for the event at the cursor.
struct HierarchyPlace {
    enum class Bound : std::uint8_t { counted, at_most, at_least };
    MemoryLevel level = MemoryLevel::registers;
    QString name, capacity; ///< the capacity is cited
    std::optional<double> bytes, ideal;
    Bound bound = Bound::counted;
    QString meaning;                          ///< what is counted, in one sentence
    std::vector<std::optional<double>> rungs; ///< bytes of each rung's launches
};

struct HierarchyRung {
    StepIndex iteration = 0;
    QString label, name; ///< "3", "3_shared"
    bool here = false;
};

struct HierarchyModel {
    std::vector<HierarchyPlace> places; ///< near to far; empty: nothing is known
    std::vector<HierarchyRung> rungs;   ///< of the ladder that is climbed; empty: none is
    QString of;                         ///< "the whole launch", "block 3", "one warp step"
    QString chip, source;               ///< whose capacities these are, and who says so
    std::optional<HierarchyTiles> tiles; ///< as one stands at a step
};

/// What is kept from step to step: it depends on the block alone, and takes longer to make.
struct HierarchyKept {
    std::shared_ptr<const KernelEvents> kernels;
    std::shared_ptr<const TileMotion> motion;
};
HierarchyModel make_hierarchy(const Look& look, HierarchyKept& kept);

/// "8.39 MB", "≤ 69.2 MB"; "–" where it is not known.
QString bytes_text(const HierarchyPlace& place);
/// "ideal 34.1 MB", "at least 197 kB"; empty where there is nothing to say.
QString ideal_text(const HierarchyPlace& place);

} // namespace gradus
