#include "views/derive/event_words.hpp"

#include "views/derive/parameter_words.hpp"
#include "views/derive/settings.hpp"
#include "views/theme/numbers.hpp"

#include <QCoreApplication>
#include <QStringList>
#include <algorithm>

namespace gradus {

namespace {

QString tr(const char* text) { return QCoreApplication::translate("Event", text); }

} // namespace

QString phase_word(Phase phase) {
    switch (phase) {
    case Phase::data: return tr("data");
    case Phase::forward: return tr("forward");
    case Phase::backward: return tr("backward");
    case Phase::update: return tr("update");
    case Phase::evaluate: return tr("evaluation");
    }
    return {};
}

QString module_word(const std::string& module) {
    if (module == "loss") return tr("loss");
    if (module == "batch") return tr("batch");
    if (module == "result") return tr("result");
    if (module == "fold") return tr("fold");
    if (module == "folded") return tr("folded");
    if (module == "compare") return tr("compare");
    if (module == "fit") return tr("fit");
    if (module == "plane") return tr("plane");
    QString word = QString::fromStdString(module);
    qsizetype digits = word.size();
    while (digits > 0 && word[digits - 1].isDigit()) --digits;
    if (digits > 0 && digits < word.size() && word[digits - 1].isLetter()) word.insert(digits, QChar(' '));
    if (word.startsWith(QLatin1String("layer "))) return tr("layer %1").arg(word.mid(6));
    return word;
}

namespace {

/// "load A" of a warp step, "block (3, 1, 0)", "lane 5".
QString kernel_event_word(const EventSite& site) {
    const QString name = QString::fromStdString(site.name);
    const qsizetype blank = name.indexOf(' ');
    const QString first = name.left(blank), rest = blank < 0 ? QString() : name.mid(blank + 1);
    if (site.level == Level::block) return tr("block %1").arg(rest);
    if (site.level == Level::lane) return tr("lane %1").arg(rest);
    if (site.level == Level::bits) return name;
    QString op = first;
    if (first == QLatin1String("load")) op = tr("load");
    else if (first == QLatin1String("store")) op = tr("store");
    else if (first == QLatin1String("atomic")) op = tr("atomic");
    else if (first == QLatin1String("barrier")) op = tr("barrier");
    else if (first == QLatin1String("branch")) op = tr("branch");
    else if (first == QLatin1String("copy-async")) op = tr("asynchronous copy");
    else if (first == QLatin1String("activemask")) op = tr("active mask");
    else if (first == QLatin1String("fault")) op = tr("fault");
    else if (first == QLatin1String("collective") && !rest.isEmpty()) return rest; // CUDA's own name
    return rest.isEmpty() ? op : tr("%1 %2").arg(op, rest);
}

} // namespace

QString event_word(const EventSite& site) {
    if (site.level > Level::kernel) return kernel_event_word(site);
    if (site.level == Level::kernel) return QString::fromStdString(site.name);
    if (site.level == Level::phase) return phase_word(site.phase);
    if (site.level == Level::module) return module_word(site.name);
    const QString name = QString::fromStdString(site.name);
    const std::size_t slash = site.path.rfind('/');
    const std::string last = slash == std::string::npos ? site.path : site.path.substr(slash + 1);
    if (!last.starts_with(site.name + " ")) return name;
    const std::string label = last.substr(site.name.size() + 1);
    if (label == site.name) return name; // "accuracy accuracy"
    if (name == "mean_squared_error" && label == "MSE") return QString::fromStdString(label); // the same in short
    const bool gradient = site.phase == Phase::backward && label.starts_with("d");
    return name + ' ' + written_name(label, gradient);
}

QString event_place(const Run& run, const StepPlan& plan, std::int32_t ordinal) {
    QStringList words;
    for (; plan.has(ordinal) && ordinal != plan.iteration; ordinal = plan.parent[static_cast<std::size_t>(ordinal)])
        words.prepend(event_word(plan.site_of(run, ordinal)));
    return words.join(QStringLiteral(" · "));
}

QString written_change(const Run& run) {
    const std::optional<Edit> made = first_change(run);
    if (!made) return {};
    if (made->target == "matmul_source") // nobody reads a text of many lines here
        return made->text_value == "own" ? QCoreApplication::translate("Change", "the lab's kernel") : QCoreApplication::translate("Change", "another kernel");
    const std::string change = made->text();
    const bool alone = std::all_of(made->index.begin(), made->index.end(), [](Dim i) { return i == 0; }); // a parameter is one number
    if (made->target != "lr" && alone && run.manifest().parameters.contains(made->target))
        return parameter_words(made->target) + QString::fromStdString(change.substr(change.find(" = ")));
    const std::size_t end = std::min(change.find_first_of("[ "), change.size());
    const std::string name = change.substr(0, end);
    const QString written = name == "lr" ? QStringLiteral("η") : name == "point" ? QCoreApplication::translate("Change", "point") : written_name(name);
    return written + QString::fromStdString(change.substr(end));
}

QString level_words(Level level) {
    switch (level) {
    case Level::run: return QCoreApplication::translate("Level", "run");
    case Level::iteration: return QCoreApplication::translate("Level", "step");
    case Level::phase: return QCoreApplication::translate("Level", "phase");
    case Level::module: return QCoreApplication::translate("Level", "layer");
    case Level::op: return QCoreApplication::translate("Level", "op");
    case Level::kernel: return QCoreApplication::translate("Level", "kernel");
    case Level::block: return QCoreApplication::translate("Level", "block");
    case Level::warp_instruction: return QCoreApplication::translate("Level", "warp step");
    case Level::lane: return QCoreApplication::translate("Level", "lane");
    case Level::bits: return QCoreApplication::translate("Level", "bits");
    }
    return {};
}

} // namespace gradus
