# embed(part name file): the bytes of a file inside the library, so that the program needs no file
# of its own at run time. Read as std::string_view regard::embedded::<name>().
function(embed part name file)
  set(source ${PROJECT_BINARY_DIR}/generated/embedded_${name}.cpp)
  file(CONFIGURE OUTPUT ${source} @ONLY CONTENT "// Written by cmake/Embed.cmake.
#include <string_view>

asm(\".pushsection .rodata\\n\"
    \".balign 16\\n\"
    \"regard_embedded_${name}:\\n\"
    \".incbin \\\"${file}\\\"\\n\"
    \"regard_embedded_${name}_end:\\n\"
    \".popsection\\n\"
    \".globl regard_embedded_${name}\\n\"
    \".globl regard_embedded_${name}_end\\n\");

extern \"C\" const char regard_embedded_${name}[];
extern \"C\" const char regard_embedded_${name}_end[];

namespace regard::embedded {
std::string_view ${name}() {
  return {regard_embedded_${name},
          static_cast<std::size_t>(regard_embedded_${name}_end - regard_embedded_${name})};
}
}  // namespace regard::embedded
")
  set_source_files_properties(${source} PROPERTIES OBJECT_DEPENDS ${file})
  target_sources(regard_${part} PRIVATE ${source})
endfunction()

# font(part name file): embeds a typeface of the package fonts-dejavu-core (a free licence).
function(font part name file)
  find_file(REGARD_FONT_${name} ${file} PATHS /usr/share/fonts/truetype/dejavu
    /usr/share/fonts/dejavu /usr/share/fonts/dejavu-sans-fonts REQUIRED)
  embed(${part} ${name} ${REGARD_FONT_${name}})
endfunction()

# needed_modules(folder result module...): these modules and all that they import at once, one by the other; not
# what they import() later.
function(needed_modules folder result)
  set(found ${ARGN})
  set(unread ${ARGN})
  while(unread)
    list(POP_FRONT unread module)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${folder}/${module})
    file(STRINGS ${folder}/${module} imports REGEX "from '\\./[a-z_]+\\.js'")
    list(TRANSFORM imports REPLACE ".*from '\\./([a-z_]+\\.js)'.*" "\\1")
    list(REMOVE_ITEM imports ${found})
    list(REMOVE_DUPLICATES imports)
    list(APPEND found ${imports})
    list(APPEND unread ${imports})
  endwhile()
  list(SORT found)
  set(${result} ${found} PARENT_SCOPE)
endfunction()

# embed_folder(part): every .html, .css, .js and .svg file of the folder, embedded as gzip data, and one
# table of them: std::span<const regard::EmbeddedFile> regard::embedded::<part>_folder() (type in
# regard/<part>/embedded_file.h), in the order of their names. @PRELOADS@ in index.html becomes a line
# for each module that the page begins with, so that a browser asks for all at once and not for each as
# it finds who imports it.
function(embed_folder part)
  set(folder ${CMAKE_CURRENT_SOURCE_DIR}/${part})
  file(GLOB files CONFIGURE_DEPENDS ${folder}/*.html ${folder}/*.css ${folder}/*.js ${folder}/*.svg)
  list(SORT files)
  needed_modules(${folder} needed main.js view_translate.js)
  list(REMOVE_ITEM needed main.js)
  list(TRANSFORM needed REPLACE ".+" "<link rel=\"modulepreload\" href=\"/${part}/\\0\">")
  list(JOIN needed "\n" PRELOADS)
  set(declarations "")
  set(entries "")
  foreach(file IN LISTS files)
    get_filename_component(name ${file} NAME)
    string(MAKE_C_IDENTIFIER ${part}_${name} symbol)
    if(name STREQUAL index.html)
      set(file ${PROJECT_BINARY_DIR}/generated/${part}_${name})
      configure_file(${folder}/${name} ${file} @ONLY)
    endif()
    set(packed ${PROJECT_BINARY_DIR}/generated/${symbol}.gz)
    add_custom_command(OUTPUT ${packed} DEPENDS ${file} COMMAND gzip -9 -n -c ${file} > ${packed} VERBATIM)
    embed(${part} ${symbol} ${packed})
    string(APPEND declarations "std::string_view ${symbol}();\n")
    string(APPEND entries "      {\"${name}\", ${symbol}()},\n")
  endforeach()
  set(table ${PROJECT_BINARY_DIR}/generated/${part}_folder_table.cpp)
  file(CONFIGURE OUTPUT ${table} @ONLY CONTENT "// Written by cmake/Embed.cmake.
#include <array>

#include \"regard/${part}/embedded_file.h\"

namespace regard::embedded {
${declarations}
std::span<const EmbeddedFile> ${part}_folder() {
  static const auto table = std::to_array<EmbeddedFile>({
${entries}  });
  return table;
}
}  // namespace regard::embedded
")
  target_sources(regard_${part} PRIVATE ${table})
endfunction()
