# SPDX-License-Identifier: GPL-3.0-or-later
# The project's own build functions: one way to declare a library, a program, a plugin and a test.

add_library(accelopt_options INTERFACE)
target_compile_definitions(accelopt_options INTERFACE
    QT_NO_CAST_FROM_ASCII QT_NO_CAST_TO_ASCII QT_NO_URL_CAST_FROM_STRING QT_NO_KEYWORDS QT_NO_FOREACH
    QT_NO_NARROWING_CONVERSIONS_IN_CONNECT ACCELOPT_VERSION="${PROJECT_VERSION}")
target_compile_options(accelopt_options INTERFACE -Wall -Wextra -Wshadow -Wnon-virtual-dtor -Wno-missing-field-initializers -Werror
    $<$<CXX_COMPILER_ID:GNU>:-Wno-error=maybe-uninitialized -Wno-mismatched-new-delete -Wno-dangling-reference -Wno-error=array-bounds -Wno-error=stringop-overflow>)
target_include_directories(accelopt_options INTERFACE ${CMAKE_SOURCE_DIR}/src)
if(ACCELOPT_SANITIZE)
    target_compile_options(accelopt_options INTERFACE -fsanitize=${ACCELOPT_SANITIZE} -fno-omit-frame-pointer)
    target_link_options(accelopt_options INTERFACE -fsanitize=${ACCELOPT_SANITIZE})
endif()

# accelopt_library(name SOURCES a.cpp a.h … LINK Qt6::Core …): a static library of src/; include it as "name/header.h".
function(accelopt_library name)
    cmake_parse_arguments(ARG "" "" "SOURCES;LINK;LINK_PRIVATE" ${ARGN})
    qt_add_library(accelopt_${name} STATIC ${ARG_SOURCES})
    set_target_properties(accelopt_${name} PROPERTIES AUTOMOC ON)
    target_link_libraries(accelopt_${name} PUBLIC ${ARG_LINK} PRIVATE accelopt_options ${ARG_LINK_PRIVATE})
    target_include_directories(accelopt_${name} PUBLIC ${CMAKE_SOURCE_DIR}/src)
endfunction()

# accelopt_program(name SOURCES … LINK …): an executable in bin/.
function(accelopt_program name)
    cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
    qt_add_executable(${name} ${ARG_SOURCES})
    target_link_libraries(${name} PRIVATE accelopt_options ${ARG_LINK})
    install(TARGETS ${name} RUNTIME DESTINATION bin)
endfunction()

# accelopt_plugin(kind name SOURCES … LINK …): a Qt plugin in plugins/<kind>/.
function(accelopt_plugin kind name)
    cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
    qt_add_library(accelopt_${kind}_${name} MODULE ${ARG_SOURCES})
    set_target_properties(accelopt_${kind}_${name} PROPERTIES
        AUTOMOC ON OUTPUT_NAME ${name} PREFIX "" LIBRARY_OUTPUT_DIRECTORY ${ACCELOPT_PLUGIN_DIR}/${kind})
    target_link_libraries(accelopt_${kind}_${name} PRIVATE accelopt_options ${ARG_LINK})
    install(TARGETS accelopt_${kind}_${name} LIBRARY DESTINATION lib/accelopt-studio/${kind})
endfunction()

set(ACCELOPT_TEST_ENVIRONMENT QT_QPA_PLATFORM=offscreen QT_QUICK_BACKEND=software QT_SCALE_FACTOR=1 LC_ALL=C.UTF-8 TZ=UTC
    QT_FORCE_STDERR_LOGGING=1 ACCELOPT_BIN=${CMAKE_BINARY_DIR}/bin ACCELOPT_SOURCE=${CMAKE_SOURCE_DIR} PYTHONDONTWRITEBYTECODE=1)

# accelopt_test(tst_name SOURCES … LINK … [TIMEOUT s] [LABELS …] [DEPENDS target…]): one Qt Test program, one ctest entry.
function(accelopt_test name)
    cmake_parse_arguments(ARG "" "TIMEOUT" "SOURCES;LINK;LABELS;ARGS" ${ARGN})
    if(NOT ARG_SOURCES)
        set(ARG_SOURCES ${name}.cpp)
    endif()
    if(NOT ARG_TIMEOUT)
        set(ARG_TIMEOUT 120)
    endif()
    qt_add_executable(${name} ${ARG_SOURCES})
    set_target_properties(${name} PROPERTIES AUTOMOC ON RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
    target_link_libraries(${name} PRIVATE accelopt_options Qt6::Test ${ARG_LINK})
    target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR}/tests)
    target_compile_definitions(${name} PRIVATE ACCELOPT_TEST_DATA="${CMAKE_SOURCE_DIR}/tests/data")
    add_test(NAME ${name} COMMAND ${name} ${ARG_ARGS})
    set_tests_properties(${name} PROPERTIES TIMEOUT ${ARG_TIMEOUT} ENVIRONMENT "${ACCELOPT_TEST_ENVIRONMENT}" LABELS "${ARG_LABELS}")
endfunction()

# accelopt_python_test(name FOLDER dir [TIMEOUT s]): the unittest modules test_*.py of a folder, one ctest entry.
function(accelopt_python_test name)
    cmake_parse_arguments(ARG "" "FOLDER;PATTERN;TIMEOUT" "" ${ARGN})
    if(NOT ARG_TIMEOUT)
        set(ARG_TIMEOUT 300)
    endif()
    if(NOT ARG_PATTERN)
        set(ARG_PATTERN "test_*.py")
    endif()
    add_test(NAME ${name} COMMAND python3 -m unittest discover -s ${ARG_FOLDER} -p ${ARG_PATTERN} WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
    set_tests_properties(${name} PROPERTIES TIMEOUT ${ARG_TIMEOUT}
        ENVIRONMENT "${ACCELOPT_TEST_ENVIRONMENT};PYTHONPATH=${CMAKE_SOURCE_DIR}/resources/runner:${CMAKE_SOURCE_DIR}/resources/rules")
endfunction()
