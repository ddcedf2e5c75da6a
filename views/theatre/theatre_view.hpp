#pragma once

#include "engine/trace/derive/newest_wish.hpp"
#include "views/state/view.hpp"
#include "views/theatre/edit_panel.hpp"
#include "views/theatre/theatre_painter.hpp"

#include <QHash>
#include <optional>

namespace gradus {

/// A CUDA kernel as a stage play: its source with what each line costs, the 32 lanes of the warp at the cursor, where their addresses fall in
/// memory, their variables, and the warp's way through its block. A click on a line runs to it, on a lane goes into it, on a sector asks who
/// touches that word.
class TheatreView : public View {
    Q_OBJECT

public:
    TheatreView(const Theme& theme, QWidget* parent);

    void present(const Look& look) override;
    void retranslate() override;
    void setVeil(const Veil& veil) override;
    std::vector<ViewItem> items() const override;
    /// What is on screen now.
    const TheatrePicture& picture() const { return picture_; }
    /// The editor in place of the code; it begins with the text that runs now.
    void setEditing(bool editing);
    bool editing() const { return picture_.editing; }
    EditPanel& editPanel();
    void styleEditor();
    void setTheme(const Theme& theme) override;
    /// Goes to the finding after the one that was gone to last, round from the last to the first. Why not, where there is none to go to.
    QString goToNextFinding();
    /// Where that way leads from here, as an ordinal; -1 where it ends.
    std::int32_t target(TheatreWay way, int by) const;

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    /// What a picture was made from; the same again makes the same.
    struct Made {
        std::shared_ptr<const KernelEvents> kernels;
        Level level = Level::run;
        std::int32_t ordinal = -1;
        Selection selection;
        Language language = Language::en;
        bool sought = false;
        bool operator==(const Made&) const = default;
    };
    struct TouchWish {
        std::shared_ptr<const KernelEvents> events;
        WordAt word;
    };
    struct Touches {
        const KernelTrace* trace = nullptr;
        WordAt word;
        std::vector<std::uint32_t> steps;
    };

    void layOut();
    void presentDraft(const std::shared_ptr<const KernelDraft>& draft);
    void begin(const std::shared_ptr<const KernelDraft>& draft);
    QString codeText() const;
    bool isOnStage(const QString& text) const;
    void keepText();
    void beginText();
    void goTo(std::int32_t ordinal);
    void open(const TheatreFinding& finding);
    void goOnOpening();
    void openWhatEnded();
    void keepFindingInSight();
    std::int32_t runTo(std::int32_t line) const;
    std::int32_t costliest(std::int32_t line, simt::Space space) const;
    std::int32_t ofLane(int lane) const;
    std::int32_t ofWarp(int warp) const;
    std::int32_t ofStrip(QPointF point) const;
    void choose(QPointF point);
    void paintHover(QPainter& painter) const;
    std::vector<ViewItem> itemsDrawn() const;
    void codeItems(std::vector<ViewItem>& out) const;
    void laneItems(std::vector<ViewItem>& out) const;
    void memoryItems(std::vector<ViewItem>& out) const;

    Made made_;
    bool to_come_ = false; ///< the step is being computed
    TheatreKept kept_;
    TheatrePicture picture_;
    double zoom_ = 1; ///< by which the picture is drawn larger
    int editor_type_ = 0; ///< the size of the editor's letters, in pixels; 0: not set
    EditPanel* editor_ = nullptr; ///< once somebody has written
    QString written_in_; ///< the kernel whose text is in the editor
    QHash<QString, QString> unrun_; ///< by kernel: what was written in it and never ran
    std::shared_ptr<const KernelDraft> judged_; ///< the text whose run was on stage last
    std::string failure_;           ///< why the run on stage ended, if it did
    std::optional<std::size_t> found_at_; ///< the finding that was gone to last
    bool asked_ = false;            ///< the text belongs to a question of the lesson
    bool came_ = false;      ///< that kernel has been on stage since the editor is open
    std::shared_ptr<const KernelDraft> begun_; ///< the text that was handed in last
    std::optional<QString> begin_own_;   ///< what stood in the editor when the kernel's own text was asked for, which the next run brings
    QHash<QString, QString> own_texts_; ///< of the kernels that were seen, by their titles
    std::optional<TheatreFinding> opening_; ///< what was found, whose block is being recorded
    std::shared_ptr<const KernelEvents> ended_; ///< what was opened where its first finding is
    std::optional<QPointF> pointer_;
    std::optional<WordAt> sought_; ///< the word whose touches are wanted
    NewestWish<TouchWish, Touches> touches_;
};

} // namespace gradus
