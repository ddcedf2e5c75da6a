#pragma once

#include "views/derive/step_reach.hpp"
#include "views/plots/curves.hpp"
#include "views/plots/fan_geometry.hpp"
#include "views/state/view.hpp"

#include <memory>
#include <optional>

namespace gradus {

class SeriesChart; // the plotting library's header stays out of this one

/// One or more series over steps, a curve per branch, with the cursor on the selected one. While futures are held open
/// the steps they cover fill the axis, and one of them is chosen by pointing at it.
class PlotView : public View {
    Q_OBJECT

public:
    /// How values are set out: by decades where they span some, evenly, or evenly from 0 to 1.
    enum class Scale : std::uint8_t { decades, even, share };
    /// Of `series` the first that a Run has carries the cursor; the others are drawn with it.
    PlotView(const Theme& theme, std::vector<std::string> series, Scale scale, QWidget* parent);
    ~PlotView() override;

    void setTheme(const Theme& theme) override;
    void retranslate() override;
    void present(const Look& look) override;
    std::vector<ViewItem> items() const override;
    void setVeil(const Veil& veil) override;
    const CurveSet& curves() const { return curves_; }
    /// The futures as they were painted last; empty while none are open.
    const FanPicture& fan() const;

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    bool veiled() const; ///< one of its series is hidden
    bool valueIsLater(const Look& look);
    void setRoles(const Run& run);
    void presentFan(const Look& look);
    QStringList words() const;  ///< of its series
    void updateTitle();
    QString usualNote() const;
    void setUsualNote();  ///< while no fan is open
    std::unique_ptr<SeriesChart> chart_;
    CurveBook book_;
    CurveSet curves_;
    struct Seen {
        std::vector<std::size_t> sizes;
        std::size_t selected = 0;
        StepIndex cursor = -1;
        int columns = 0;
        std::vector<const Run*> runs;
        int chosen = -2; ///< of the futures; -2: none are open
        bool later = false; ///< the value at the cursor is still to come
        bool operator==(const Seen&) const = default;
    } seen_; ///< what is on screen: an equal look paints nothing
    std::vector<std::string> names_;
    std::vector<std::string> there_;  ///< of the names, those that the Run has
    ReachHere reach_;
    std::vector<std::optional<Role>> roles_; ///< of the series, as far as known
    std::optional<std::string> main_; ///< the series that the cursor stands on
};

} // namespace gradus
