#include "tests/file/support.hpp"

#include <cstdlib>
#include <stdexcept>

namespace gradus::test {

Folder::Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "gradus-test-XXXXXX").string();
    if (!mkdtemp(name.data())) throw std::runtime_error("no temporary folder");
    path_ = name;
}

Folder::~Folder() {
    std::error_code error;
    std::filesystem::remove_all(path_, error);
}

std::vector<std::shared_ptr<const Run>> record_example(const std::filesystem::path& file, int forks, StepIndex steps) {
    Recorder recorder(file);
    RunRequest request;
    request.parameters = {{"data", "xor"}, {"layers", "2,4,1"}, {"batch", "4"}, {"lr", "0.1"}};
    request.steps = steps;
    request.observe_every = 7;
    request.device.threads = 1;
    Session session(request, nullptr, [&](RunWriter& writer) { recorder.add(writer); });
    session.submit(Edit::parse("lr = 0.2"), 0, 5);
    session.submit(Edit::parse("W1[0, 1] = 0.5"), 0, 11);
    session.submit(Edit::parse("point 2 = 0.9, 0.1"), 0, 20);
    session.play();
    session.wait();
    for (int i = 0; i < forks; ++i) {
        session.submit_fork(Edit::parse(i % 2 == 0 ? "lr = 0.05" : "b1[1] = -1"), 0, 15 + 10 * i);
        session.play();
        session.wait();
    }
    auto runs = session.runs();
    session.stop();
    recorder.close();
    return runs;
}

} // namespace gradus::test
