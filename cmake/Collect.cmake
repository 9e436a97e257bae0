# table(target folder Type header list files): one table of the records that the files define, made
# from their names. Each folder/x.cpp defines `extern const Type x` in namespace regard::<folder>; the
# table regard::<list>() holds them all, in the order of their names. A file without its record is a
# link error that names it, so nothing is listed by hand and nothing can be forgotten or dropped.
function(table target folder type header list files)
  list(SORT files)
  set(declarations "")
  set(entries "")
  foreach(file IN LISTS files)
    get_filename_component(stem ${file} NAME_WE)
    string(APPEND declarations "extern const ${type} ${stem};\n")
    string(APPEND entries "    &${folder}::${stem},\n")
  endforeach()
  set(table ${PROJECT_BINARY_DIR}/generated/${target}_${list}_table.cpp)
  file(CONFIGURE OUTPUT ${table} @ONLY CONTENT "// Written by cmake/Collect.cmake.
#include <array>

#include \"${header}\"

namespace regard {
namespace ${folder} {
${declarations}}  // namespace ${folder}

std::span<const ${type}* const> ${list}() {
  static constexpr auto table = std::to_array<const ${type}*>({
${entries}  });
  return table;
}

}  // namespace regard
")
  target_sources(${target} PRIVATE ${table})
endfunction()

# collect(part folder Type header list): the table of a part's folder.
function(collect part folder type header list)
  file(GLOB files CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${part}/${folder}/*.cpp)
  set_source_files_properties(${files} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)  # see group()
  table(regard_${part} ${folder} ${type} ${header} ${list} "${files}")
endfunction()
