// Many pictures in one process: gradus shot --all, and the lesson that runs without a display.
#include "app/window/shots.hpp"

#include "app/window/lesson_driver.hpp"
#include "app/window/main_window.hpp"
#include "app/window/picture.hpp"
#include "app/window/platform_remarks.hpp"
#include "app/window/settle.hpp"
#include "app/window/shot_states.hpp"
#include "app/window/stage.hpp"
#include "app/window/window_main.hpp"
#include "engine/core/error.hpp"
#include "engine/io/export/output_file.hpp"
#include "lessons/runtime/edit.hpp"

#include <QApplication>
#include <QSemaphore>
#include <QThreadPool>
#include <fmt/format.h>
#include <mutex>

namespace gradus {

namespace fs = std::filesystem;

namespace {

constexpr QSize sizes[] = {{1280, 800}, {1920, 1080}};

void make_folder(const fs::path& folder) {
    std::error_code error;
    fs::create_directories(folder, error);
    if (error || !fs::is_directory(folder)) throw FileError(fmt::format("{}: the folder cannot be made: {}", folder.string(), error.message()));
}

AppState state_for(const std::string& card) {
    AppState state;
    state.card = card;
    state.speed = 0;
    state.reduce_motion = true;
    return state;
}

/// Computes the lesson's whole run.
void compute(MainWindow& window) {
    Presenter& presenter = window.presenter();
    const StepIndex planned = presenter.session().planned_steps();
    presenter.session().run_to(planned);
    settle(window, [&] { return !presenter.runs().empty() && presenter.run()->head() >= planned && !presenter.status().playing; });
}

/// Compresses and writes pictures beside the drawing of the next ones. What fails is kept for the end.
class PictureWriter {
public:
    ~PictureWriter() { pool_.waitForDone(); }
    void write(QWidget& widget, const fs::path& path) {
        room_.acquire(); // a picture takes 8 MB until it is written
        pool_.start([this, picture = picture_of(widget, PictureFormat::png), path] {
            try {
                write_picture(picture, path);
            } catch (const Error& error) {
                const std::lock_guard lock(mutex_);
                failure_ = error.what();
            }
            room_.release();
        });
    }
    /// Until nothing is being written: what is measured now is to have the processors for itself.
    void rest() { pool_.waitForDone(); }
    void finish() {
        rest();
        if (!failure_.empty()) throw FileError(failure_);
    }

private:
    QThreadPool pool_;
    QSemaphore room_{8};
    std::mutex mutex_; // protects failure_
    std::string failure_;
};

/// One row of the contact sheet: the same thing in every theme, language and size.
struct SheetRow {
    std::string card, title, what;
    std::vector<std::string> files;
};

std::string sheet_of(const std::vector<SheetRow>& rows, std::size_t count) {
    std::string out = "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>Gradus: pictures</title>\n"
                      "<style>body{font:14px sans-serif;margin:24px;background:Canvas;color:CanvasText;color-scheme:light dark}"
                      "img{width:300px;border:1px solid GrayText;display:block}.row{display:flex;flex-wrap:wrap;gap:12px;margin:8px 0 24px}"
                      "figure{margin:0}figcaption{font-size:12px;margin-top:4px}</style>\n";
    out += fmt::format("<h1>{} pictures</h1>\n", count);
    std::string card;
    for (const SheetRow& row : rows) {
        if (row.card != card) out += fmt::format("<h2 id=\"{}\">{} <small>{}</small></h2>\n", row.card, row.title, row.card);
        card = row.card;
        out += fmt::format("<h3>{}</h3>\n<div class=\"row\">", row.what);
        for (const std::string& file : row.files) {
            const std::string words = file.substr(row.card.size() + 1, file.size() - row.card.size() - 5);
            out += fmt::format("<figure><a href=\"{0}\"><img loading=\"lazy\" src=\"{0}\" alt=\"{1}\"></a><figcaption>{1}</figcaption></figure>\n",
                               file, words);
        }
        out += "</div>\n";
    }
    return out + "</html>\n";
}

} // namespace

std::size_t shoot_all(int& argc, char** argv, Library library, const std::string& only, const fs::path& folder,
                      const std::function<void(double, const std::string&)>& tell) {
    if (!only.empty()) library.at(only); // throws where there is none
    do_without_display();
    drop_platform_remarks();
    QApplication application(argc, argv);
    QApplication::setStyle("Fusion");
    make_folder(folder);
    const auto shared = std::make_shared<const Library>(std::move(library));
    PictureWriter writer;
    std::vector<SheetRow> rows;
    std::size_t count = 0, done = 0;
    for (const Card& card : shared->cards) {
        if (!only.empty() && card.id != only) continue;
        if (tell) tell(only.empty() ? static_cast<double>(done) / static_cast<double>(shared->cards.size()) : 0, card.id);
        ++done;
        MainWindow window(shared, state_for(card.id));
        window.resize(sizes[0]);
        window.show();
        writer.rest();
        compute(window);
        Presenter& presenter = window.presenter();
        const std::size_t first_row = rows.size(), parts = card.lesson.size();
        const auto row_of = [&](const std::string& what) -> SheetRow& {
            for (std::size_t i = first_row; i < rows.size(); ++i)
                if (rows[i].what == what) return rows[i];
            return rows.emplace_back(SheetRow{card.id, card.title.en, what, {}});
        };
        const auto shown = [&] { return presenter.isComplete(); };
        const auto draw = [&](QWidget& widget, const std::string& what) {
            const AppState& state = presenter.state();
            const std::string file = fmt::format("{}_{}_{}_{}_{}x{}.png", card.id, what,
                                                 state.theme == ThemeMode::dark ? "dark" : "light",
                                                 state.language == Language::ko ? "ko" : "en", window.width(), window.height());
            writer.write(widget, folder / file);
            row_of(what).files.push_back(file);
            ++count;
        };
        const auto in_both = [&](const std::function<void()>& act) {
            for (const ThemeMode theme : {ThemeMode::light, ThemeMode::dark}) {
                presenter.change("theme", [&](AppState& state) { state.theme = theme; });
                act();
            }
        };
        const auto in_each = [&](const std::function<void()>& act) {
            for (const Language language : {Language::en, Language::ko}) {
                presenter.change("language", [&](AppState& state) { state.language = language; });
                act();
            }
        };
        in_each([&] {
            const Card* read = window.lesson().card();
            window.lesson().setCard(nullptr); // as somebody reads it for the first time, in whichever language
            window.lesson().setCard(read);
            for (std::size_t key = 0; key <= parts; ++key) {
                writer.rest();
                if (key < parts) {
                    presenter.change("part", [&](AppState& state) { state.card_step = key; });
                    presenter.goPrepared();
                } else {
                    presenter.goTo(presenter.session().planned_steps() - 1);
                }
                settle(window, shown);
                in_both([&] {
                    for (const QSize size : sizes) {
                        window.resize(size);
                        settle(window, shown, 3);
                        draw(window, key < parts ? fmt::format("part{}_window", key + 1) : "end_window");
                        for (std::size_t v = 0; key == parts && v < window.stage().views().size(); ++v)
                            draw(*window.stage().views()[v], "end_" + file_stem(window.stage().ids()[v]).toStdString());
                    }
                });
            }
        });
        for (const WindowState& state : window_states(card, parts + class_checks(card)))
            in_each([&] {
                in_both([&] {
                    for (const QSize size : state.sizes) {
                        window.resize(size);
                        settle(window, shown, 3);
                        if (size == state.sizes.front()) {
                            writer.rest();
                            state.enter(window);
                        }
                        settle(window, [&] { return shown() && state.there(window); }, 8);
                        draw(window, state.name);
                    }
                    state.leave(window);
                });
            });
    }
    writer.finish();
    TextFile sheet(folder / "index.html");
    sheet.text = sheet_of(rows, count);
    sheet.commit();
    return count;
}

std::vector<fs::path> shoot_lesson(int& argc, char** argv, Library library, const std::string& card, const std::string& language,
                                   const fs::path& folder) {
    do_without_display();
    drop_platform_remarks();
    QApplication application(argc, argv);
    QApplication::setStyle("Fusion");
    make_folder(folder);
    AppState state = state_for(card);
    state.language = language == "ko" ? Language::ko : Language::en;
    MainWindow window(std::make_shared<const Library>(std::move(library)), state);
    window.resize(sizes[0]);
    window.show();
    compute(window);
    window.presenter().goTo(window.presenter().session().planned_steps() - 1);
    settle(window, [&] { return window.presenter().isComplete(); });
    std::vector<fs::path> files{folder / "window.png"};
    write_picture(picture_of(window, PictureFormat::png), files.back());
    for (std::size_t i = 0; i < window.stage().ids().size(); ++i) {
        files.push_back(folder / (file_stem(window.stage().ids()[i]).toStdString() + ".png"));
        write_picture(picture_of(*window.stage().views()[i], PictureFormat::png), files.back());
    }
    return files;
}

} // namespace gradus
