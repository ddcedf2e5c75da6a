#include "app/window/shot_states.hpp"

#include "app/window/export_panel.hpp"
#include "app/window/lesson_driver.hpp"
#include "app/window/main_window.hpp"
#include "app/window/presenter_stage.hpp"
#include "app/window/stage.hpp"
#include "app/window/why_driver.hpp"
#include "app/window/window_files.hpp"
#include "views/derive/settings.hpp"
#include "views/story/story_view.hpp"

#include <QCoreApplication>
#include <algorithm>
#include <fmt/format.h>

namespace gradus {

namespace {

const std::vector<QSize> usual{{1280, 800}}, both{{1920, 1080}, {1280, 800}}, small{{720, 480}};

using Act = std::function<void(MainWindow&)>;

Act change(std::function<void(AppState&)> how) {
    return [how = std::move(how)](MainWindow& window) { window.presenter().change("picture", how); };
}

bool all_there(MainWindow& window) { return window.presenter().isComplete(); }

/// An answer as somebody gives it who picks the first that is offered.
QString first_answer(const Check& check) {
    if (check.edit) return QString::fromStdString(check.edit->text);
    if (check.options.empty()) return "1";
    if (check.kind != Check::Kind::order) return QString::fromStdString(check.options.front().id);
    QStringList ids;
    for (const CheckOption& option : check.options) ids << QString::fromStdString(option.id);
    return ids.join(", ");
}

/// Early, where much is still to come.
StepIndex early(MainWindow& window) { return window.presenter().session().planned_steps() / 60; }
void go_back(MainWindow& window) { window.presenter().goTo(early(window)); }
void go_to_end(MainWindow& window) { window.presenter().goTo(window.presenter().session().planned_steps() - 1); }

/// Another number in the first entry of the last parameter of the highest rank: what it reaches begins in the middle.
std::optional<Edit> another_number(MainWindow& window) {
    const auto start = window.presenter().run()->tensors_of(-1);
    std::optional<Edit> edit;
    int most = -1;
    for (std::size_t i = 0; start && i < start->tensors.size(); ++i) {
        const RecordedTensor& recorded = start->tensors[i];
        const int rank = recorded.tensor.shape().rank();
        if (recorded.role != Role::parameter || rank > 2 || rank < most) continue;
        most = rank;
        const std::string place = rank == 0 ? "" : rank == 1 ? "[0]" : "[0,0]";
        edit = Edit::parse(fmt::format("{}{} = {:.2g}", recorded.name, place, recorded.tensor.at(0) + 1));
    }
    return edit;
}

/// Half the learning rate; where there is none, another number.
std::optional<Edit> a_change(MainWindow& window) {
    const auto rate = setting_at(*window.presenter().run(), "lr", early(window));
    return rate ? Edit::parse(fmt::format("lr = {}", *rate / 2)) : another_number(window);
}

bool fan_there(MainWindow& window) {
    const Fan* fan = window.presenter().fan();
    if (!fan) return true; // the window has said why there is none
    return !fan->futures.empty() && std::all_of(fan->futures.begin(), fan->futures.end(), [&](const Future& future) {
        return future.run && future.run->head() >= fan->iteration + fan->horizon;
    });
}

} // namespace

std::vector<WindowState> window_states(const Card& card, std::size_t pages) {
    std::vector<WindowState> out;
    for (std::size_t i = 0; i < card.checks.size(); ++i) {
        const Check* check = &card.checks[i];
        const Act ask = [i](MainWindow& window) { // as one comes to it: where the part stands, the question in view
            window.presenter().goPrepared();
            window.lesson().goToCheck(i);
            window.frame();
            window.story().showCheck();
        };
        out.push_back({fmt::format("check{}-asked", i + 1), usual, ask, all_there, go_to_end});
        out.push_back({fmt::format("check{}-answered", i + 1), usual,
                       [ask, check](MainWindow& window) {
                           ask(window);
                           window.lesson().answer(QString::fromStdString(check->id), first_answer(*check));
                       },
                       [](MainWindow& window) {
                           const auto& shown = window.lesson().look().check;
                           return shown && (shown->state == StoryCheck::State::committed || !shown->refusal.isEmpty());
                       },
                       [](MainWindow& window) {
                           window.lesson().goToCheck(0);
                           go_to_end(window);
                       }});
        if (!check->edit) continue;
        out.push_back({fmt::format("check{}-written", i + 1), usual,
                       [ask](MainWindow& window) {
                           ask(window);
                           window.frame();
                           window.story().pressDigit(1); // opens its editor
                       },
                       [](MainWindow& window) {
                           const auto shown = window.lesson().look().check;
                           if (shown && shown->editing && shown->state == StoryCheck::State::asking) window.story().pressDigit(1); // tries what one begins with
                           return shown && shown->editing && shown->state == StoryCheck::State::committed && all_there(window);
                       },
                       [](MainWindow& window) {
                           window.lesson().goToCheck(0);
                           go_to_end(window);
                       }});
    }
    out.push_back({"held", usual,
                   [](MainWindow& window) {
                       go_back(window);
                       window.frame();
                       if (const auto edit = a_change(window)) window.presenter().preview(*edit);
                   },
                   all_there,
                   [](MainWindow& window) {
                       window.presenter().endPreview();
                       go_to_end(window);
                   }});
    out.push_back({"reached", usual,
                   [](MainWindow& window) {
                       go_back(window);
                       window.frame();
                       if (const auto edit = another_number(window)) window.presenter().preview(*edit);
                   },
                   all_there,
                   [](MainWindow& window) {
                       window.presenter().endPreview();
                       go_to_end(window);
                   }});
    out.push_back({"fan", usual,
                   [](MainWindow& window) {
                       go_back(window);
                       window.frame();
                       window.openFan();
                   },
                   fan_there,
                   [](MainWindow& window) {
                       window.presenter().closeFan(false);
                       go_to_end(window);
                   }});
    out.push_back({"why", usual, [](MainWindow& window) { window.why().ask(); },
                   [](MainWindow& window) {
                       const WhyStory& story = window.why().story();
                       return (!story.chain.empty() || !story.refusal.isEmpty()) && story.computing < 0;
                   },
                   [](MainWindow& window) { window.why().close(); }});
    const std::pair<const char*, Ruler> rulers[] = {{"flops", Ruler::flops}, {"bytes", Ruler::bytes}, {"time", Ruler::time}};
    for (const auto& [name, ruler] : rulers)
        out.push_back({fmt::format("ruler-{}", name), usual, change([ruler = ruler](AppState& state) { state.ruler = ruler; }), all_there,
                       change([](AppState& state) { state.ruler = Ruler::none; })});
    out.push_back({"op", usual,
                   [](MainWindow& window) {
                       for (int i = 0; i < 3; ++i) window.presenter().levelIn();
                   },
                   all_there,
                   [](MainWindow& window) {
                       for (int i = 0; i < 3; ++i) window.presenter().levelOut();
                   }});
    out.push_back({"export", usual, [](MainWindow& window) { window.files().openExport(); }, all_there,
                   [](MainWindow& window) {
                       window.files().panel()->leave();
                       QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete); // else it is there until the program ends
                   }});
    out.push_back({"keys", usual, [](MainWindow& window) { window.showKeys(); }, all_there,
                   [](MainWindow& window) {
                       for (KeysOverlay* keys : window.findChildren<KeysOverlay*>()) keys->close();
                   }});
    out.push_back({"contrast", usual, change([](AppState& state) { state.high_contrast = true; }), all_there,
                   change([](AppState& state) { state.high_contrast = false; })});
    out.push_back({"alone", usual,
                   [](MainWindow& window) {
                       const std::vector<std::string> ids = window.stage().ids();
                       window.presenter().change("stage", [&ids](AppState& state) {
                           state.alone = ids.size() > 1;
                           state.front = state.alone ? ids.front() : std::string();
                       });
                   },
                   all_there,
                   change([](AppState& state) {
                       state.alone = false;
                       state.front.clear();
                   })});
    out.push_back({"folded", usual, change([](AppState& state) { state.paths_open = state.story_open = false; }), all_there,
                   change([](AppState& state) { state.paths_open = state.story_open = true; })});
    out.push_back({"larger", both, change([](AppState& state) { state.text_scale = 1.6; }), all_there,
                   change([](AppState& state) { state.text_scale = 1; })});
    out.push_back({"small", small, [](MainWindow&) {}, all_there, [](MainWindow&) {}});
    for (std::size_t page = 0; page < pages; ++page)
        out.push_back({fmt::format("class{}", page + 1), both,
                       [page, last = card.lesson.size() - 1](MainWindow& window) {
                           if (page <= last) window.presenter().setCardStep(page); // a class that comes to it
                           window.enterClass();
                           window.classStage()->goToPage(page);
                       },
                       all_there, [](MainWindow& window) { window.leaveClass(); }});
    // The last: the branch stays.
    out.push_back({"branch", usual,
                   [](MainWindow& window) {
                       if (window.presenter().runs().size() > 1) return;
                       go_back(window);
                       window.frame();
                       const auto edit = a_change(window);
                       if (!edit) return;
                       window.presenter().submit(*edit);
                       window.presenter().session().run_to(window.presenter().session().planned_steps());
                   },
                   [](MainWindow& window) {
                       const auto& presenter = window.presenter();
                       return all_there(window) && !presenter.status().playing && !presenter.status().busy;
                   },
                   [](MainWindow&) {}});
    return out;
}

} // namespace gradus
