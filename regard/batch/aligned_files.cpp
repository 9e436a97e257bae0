#include "regard/batch/aligned_files.h"

#include "regard/base/check.h"
#include "regard/batch/lines.h"
#include "regard/batch/raw_file.h"

namespace regard {

void read_aligned_files(const std::string& source_path, const std::string& target_path,
                        PairFilter& filter) {
  check(!is_standard_input(source_path) || !is_standard_input(target_path),
        "both files are standard input (-), which can be only one of them");
  Lines sources(source_path, filter.filters().max_line_bytes);
  Lines targets(target_path, filter.filters().max_line_bytes);
  for (;;) {
    const std::optional<TextLine> source = sources.next(), target = targets.next();
    if (!source && !target) return;
    if (!source || !target) break;
    const std::string source_fault = fault_of_line(*source);
    const std::string target_fault = fault_of_line(*target);
    if (!source_fault.empty())
      filter.bad({source_path, source->number}, source_fault);
    else if (!target_fault.empty())
      filter.bad({target_path, target->number}, target_fault);
    else
      filter.take({std::string(source->text), std::string(target->text)});
  }
  while (sources.next()) continue;
  while (targets.next()) continue;
  fail(Blame(Fault::input).at(source_path), source_path, " has ", sources.number(), " lines and ",
       target_path, " has ", targets.number(),
       ": line i of one must translate line i of the other, so one of them lacks ",
       "lines or has too many");
}

}  // namespace regard
