#include "app/window/export_job.hpp"

#include "engine/io/export/export.hpp"

#include <exception>

namespace gradus {

ExportJob::ExportJob(std::filesystem::path path, Work work)
    : path_(std::move(path)), thread_([this, work = std::move(work)](const std::stop_token& stop) {
          try {
              work([this](double share) { progress_.store(share, std::memory_order_relaxed); }, stop);
              std::error_code error;
              bytes_ = std::filesystem::file_size(path_, error);
          } catch (const StoppedError&) {
              stopped_ = true;
          } catch (const std::bad_alloc&) {
              failure_ = "there is not enough memory for this";
          } catch (const std::exception& error) {
              failure_ = error.what();
          }
          done_.store(true, std::memory_order_release);
      }) {}

} // namespace gradus
