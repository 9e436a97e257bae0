# How every file is compiled, and why.
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()
set(CMAKE_CXX_FLAGS_RELEASE "-O3 -g1")
set(CMAKE_CXX_FLAGS_DEBUG "-O1 -g")

find_program(CCACHE ccache)
if(CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
endif()

find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(PNG REQUIRED)
find_package(PkgConfig REQUIRED)
find_package(nlohmann_json REQUIRED)
pkg_check_modules(HWY REQUIRED IMPORTED_TARGET libhwy)

add_library(regard_flags INTERFACE)
target_include_directories(regard_flags INTERFACE ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR}/generated)
target_compile_options(regard_flags INTERFACE
  -march=x86-64-v3        # AVX2 and FMA are the floor; hot kernels reach AVX-512 by run-time dispatch
  -ffp-contract=off       # a*b+c is fused where the source says so and nowhere else: same bits on every target
  -fno-math-errno
  -fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=  # an error names its place in the project, not on a disk
  -Wall -Wextra -Wpedantic
  $<$<BOOL:${REGARD_WERROR}>:-Werror>)
# x86-64-v3 lacks AES, without which Highway would not take AVX2 as the floor; no kernel needs AES.
target_compile_definitions(regard_flags INTERFACE HWY_DISABLE_PCLMUL_AES)
target_link_libraries(regard_flags INTERFACE Threads::Threads fmt::fmt nlohmann_json::nlohmann_json)
if(REGARD_SANITIZE)
  # A target with the property REGARD_PLAIN goes without.
  set(plain $<BOOL:$<TARGET_PROPERTY:REGARD_PLAIN>>)
  target_compile_options(regard_flags INTERFACE $<$<NOT:${plain}>:-fsanitize=${REGARD_SANITIZE}>
    $<$<NOT:${plain}>:-fno-sanitize-recover=all> -fno-omit-frame-pointer -g1)  # lines are all that a report shows
  target_link_options(regard_flags INTERFACE -fsanitize=${REGARD_SANITIZE})
endif()
