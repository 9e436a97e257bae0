# Files of a part or of a test are compiled in groups, as one: most of what a file costs are headers
# that its neighbours include too. From nothing that takes half the time; after a small change it
# takes longer, so the debug preset does without. Names in unnamed namespaces must therefore differ
# within a folder; not in folders of like files (commands, routes, mechanisms, ...), which stay apart.
function(group target)
  if(REGARD_GROUPED)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 6)
  endif()
endfunction()

# part(x USES a b): the folder x as a static library regard_x that may include and call only a and b
# (and what they use). tests/architecture_test reads these same lines.
function(part name)
  cmake_parse_arguments(PART "" "" "USES;LINKS" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${name}/*.cpp)
  list(FILTER sources EXCLUDE REGEX "/main\\.cpp$")
  if(sources)
    add_library(regard_${name} STATIC ${sources})
    set(scope PUBLIC)
  else()
    add_library(regard_${name} INTERFACE)
    set(scope INTERFACE)
  endif()
  target_link_libraries(regard_${name} ${scope} regard_flags ${PART_LINKS})
  foreach(used IN LISTS PART_USES)
    target_link_libraries(regard_${name} ${scope} regard_${used})
  endforeach()
endfunction()
