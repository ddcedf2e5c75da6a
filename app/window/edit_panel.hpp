#pragma once

#include "engine/trace/run.hpp"
#include "views/theme/panel.hpp"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <memory>

namespace gradus {

/// Where an edit would take effect and what stands there now.
struct EditPlace {
    std::shared_ptr<const Run> run;
    StepIndex iteration = 0; ///< the edit is applied before it
    bool forks = false;      ///< behind the head, or else in place
    std::shared_ptr<const IterationTensors> tensors; ///< of the cursor's iteration; null while not at hand
};

/// Changes the learning rate or one weight at the cursor.
class EditPanel : public Panel {
    Q_OBJECT

public:
    EditPanel(const Theme& theme, QWidget* parent);
    void present(const EditPlace& place);
    /// Why the last edit was refused, or what it did; one quiet line.
    void say(const QString& sentence);
    QString said() const { return said_->text(); }
    /// Puts a parameter into the weight's field.
    void choose(const QString& parameter);

signals:
    void submitted(const gradus::Edit& edit);

private:
    void presentParameters(const Run& run);
    void submitRate();
    void submitWeight();
    void updateOld();
    const Shape* chosenShape() const;

    EditPlace place_;
    std::vector<std::pair<QString, Shape>> parameters_;
    QLabel* where_;
    QLineEdit* rate_;
    QPushButton* apply_rate_;
    QComboBox* name_;
    QLineEdit* row_;
    QLineEdit* column_;
    QLineEdit* value_;
    QLabel* old_;
    QPushButton* apply_weight_;
    QLabel* said_;
};

} // namespace gradus
