#include "fuzz/scratch_folder.h"

#include <fcntl.h>
#include <stdlib.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "regard/base/check.h"
#include "regard/base/open_file.h"

namespace regard {

ScratchFolder::ScratchFolder()
    : folder_(std::filesystem::temp_directory_path() / "regard-fuzz-XXXXXX") {
  if (!::mkdtemp(folder_.data())) fail(Fault::io, folder_, ": ", std::strerror(errno));
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

std::string ScratchFolder::write(const std::string& name, std::string_view bytes) const {
  const std::string to = path(name);
  const Descriptor file(::open(to.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
  if (::write(file.get(), bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size()))
    fail(Fault::io, to, ": ", std::strerror(errno));
  return to;
}

}  // namespace regard
