// gradus shot: a picture of the window, made without a display.
#include "app/window/main_window.hpp"
#include "app/window/presenter_stage.hpp"
#include "app/window/picture.hpp"
#include "app/window/platform_remarks.hpp"
#include "app/window/settle.hpp"
#include "app/window/stage.hpp"
#include "app/window/window_main.hpp"
#include "engine/core/error.hpp"
#include "engine/core/text.hpp"
#include "lessons/runtime/view_names.hpp"

#include <QApplication>
#include <fmt/format.h>

namespace gradus {

namespace {

QSize size_of(const std::string& text) {
    const std::size_t cross = text.find('x');
    const auto width = parse_integer(std::string_view(text).substr(0, cross));
    const auto height = cross == std::string::npos ? std::nullopt : parse_integer(std::string_view(text).substr(cross + 1));
    if (!width || !height || *width < 1 || *height < 1 || *width > 16384 || *height > 16384)
        throw ArgumentError(fmt::format("--size {}: write WIDTHxHEIGHT in pixels, such as 1280x800", text));
    return {static_cast<int>(*width), static_cast<int>(*height)};
}

void write(QWidget& widget, const std::string& path) { write_picture(picture_of(widget, picture_format(path)), path); }

} // namespace

void shoot(int& argc, char** argv, Library library, const ShotOptions& options) {
    const QSize size = size_of(options.size);
    picture_format(options.output); // refuses before anything is computed
    if (options.part && *options.part < 1) throw ArgumentError(fmt::format("--part {}: parts count from 1", *options.part));
    if (!options.view.empty() && !is_view(options.view))
        throw ArgumentError(fmt::format("--view {}: there is no such view; see gradus list views", options.view));
    do_without_display();
    drop_platform_remarks();
    QApplication application(argc, argv);
    QApplication::setStyle("Fusion");
    AppState state;
    state.card = options.card;
    state.speed = 0;
    state.parameters = options.parameters;
    if (options.theme != "light" && options.theme != "dark")
        throw ArgumentError(fmt::format("--theme {}: there are light and dark", options.theme));
    if (options.language != "en" && options.language != "ko")
        throw ArgumentError(fmt::format("--lang {}: there are en and ko", options.language));
    state.theme = options.theme == "dark" ? ThemeMode::dark : ThemeMode::light;
    state.language = options.language == "ko" ? Language::ko : Language::en;
    library.at(options.card); // throws where there is none
    const auto lessons = std::make_shared<const Library>(std::move(library));
    MainWindow window(lessons, state);
    window.resize(size);
    window.show();
    if (!(options.scale >= 1 && options.scale <= 2)) throw ArgumentError(fmt::format("--scale {}: 1 to 2", options.scale));
    if (options.scale > window.mostScale())
        throw ArgumentError(fmt::format("--scale {}: a window of {} has room for {:.1f}", options.scale, options.size, window.mostScale()));
    window.presenter().change("text size", [&](AppState& s) { s.text_scale = options.scale; });
    Presenter& presenter = window.presenter();
    const StepIndex planned = presenter.session().planned_steps();
    const StepIndex step = options.step.value_or(planned - 1);
    if (step < 0 || step >= planned)
        throw ArgumentError(fmt::format("--step {}: the lesson has steps 0 to {}", step, planned - 1));
    presenter.session().run_to(step + 1);
    settle(window, [&] { return !presenter.runs().empty() && presenter.run()->head() > step && !presenter.status().playing; });
    if (options.presenter) {
        window.enterClass();
        PresenterStage& stage = *window.classStage();
        if (options.part && *options.part > static_cast<std::int64_t>(stage.pages()))
            throw ArgumentError(fmt::format("--part {}: in class the lesson has {} pages", *options.part, stage.pages()));
        if (options.part) stage.goToPage(static_cast<std::size_t>(*options.part - 1));
    } else if (options.part) {
        const auto part = static_cast<std::size_t>(*options.part - 1);
        presenter.setCardStep(part);
        if (presenter.state().card_step != part)
            throw ArgumentError(fmt::format("--part {}: the lesson has fewer parts", *options.part));
        if (options.parameters.empty()) presenter.goPrepared();
        else presenter.lookAtScene(lessons->at(options.card).lesson[part]); // what was chosen stays
    } else {
        presenter.goTo(step);
    }
    settle(window, [&] { return presenter.isComplete(); });
    if (options.view.empty()) {
        if (window.size() != size)
            throw ArgumentError(fmt::format("--size {}: the window is at least {}x{}", options.size, window.width(), window.height()));
        write(window, options.output);
        return;
    }
    if (options.presenter) {
        Stage& stage = window.classStage()->stage();
        const auto at = std::find(stage.ids().begin(), stage.ids().end(), options.view);
        if (at == stage.ids().end())
            throw ArgumentError(fmt::format("--view {}: this page shows {}", options.view, fmt::join(stage.ids(), ", ")));
        write(*stage.views()[static_cast<std::size_t>(at - stage.ids().begin())], options.output);
        return;
    }
    window.chooseViews({options.view});
    const auto there = [&] { return presenter.isComplete(); };
    settle(window, there);
    View& view = *window.stage().views().front();
    window.resize(window.size() + size - view.size()); // what was asked for is the view's own size
    settle(window, there);
    write(view, options.output);
}

} // namespace gradus
