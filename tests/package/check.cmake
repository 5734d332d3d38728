# SPDX-License-Identifier: MIT
# cmake -DSOURCE=tests/package -DBUILD=build/release -DCXX=c++ -DGENERATOR=Ninja -DVERSION=0.1.0 -P check.cmake
set(box ${BUILD}/package-test)
set(prefix ${box}/prefix)
file(REMOVE_RECURSE ${box})
file(MAKE_DIRECTORY ${box})

function(run)
  execute_process(COMMAND ${ARGN} WORKING_DIRECTORY ${box} RESULT_VARIABLE status OUTPUT_VARIABLE out ERROR_VARIABLE out)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${ARGN}\n${out}\nstatus ${status}")
  endif()
  set(out "${out}" PARENT_SCOPE)
endfunction()

function(run_program program)
  run(${program})
  if(NOT out STREQUAL "ApiVersions errorCode\n")
    message(FATAL_ERROR "${program} printed: ${out}")
  endif()
endfunction()

run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${prefix})

# The generator that built the library: a machine without make has no default one.
run(${CMAKE_COMMAND} -G "${GENERATOR}" -S ${SOURCE} -B ${box}/build -DCMAKE_PREFIX_PATH=${prefix} -DCMAKE_CXX_COMPILER=${CXX})
run(${CMAKE_COMMAND} --build ${box}/build)
run_program(${box}/build/user)

file(GLOB_RECURSE pc ${prefix}/kparse.pc)
cmake_path(GET pc PARENT_PATH pc_dir)
set(ENV{PKG_CONFIG_PATH} ${pc_dir})
run(pkg-config --modversion kparse)
if(NOT out STREQUAL "${VERSION}\n")
  message(FATAL_ERROR "pkg-config says version ${out}")
endif()
run(pkg-config --cflags --libs kparse)
separate_arguments(flags UNIX_COMMAND "${out}")
run(${CXX} -std=c++20 ${SOURCE}/user.cpp -o by-pkg-config ${flags})
run_program(${box}/by-pkg-config)

if(EXISTS ${prefix}/bin/kparse)
  run(${prefix}/bin/kparse --version)
  if(NOT out STREQUAL "kparse ${VERSION}\n")
    message(FATAL_ERROR "kparse --version: ${out}")
  endif()
endif()
