# SPDX-License-Identifier: MIT
# What each of these projects does with the libraries, in C and in C++, with warnings of its own; and the proof that
# no setting of Selvage reached it.

# Our -Wconversion, -Wmissing-prototypes and -Wdouble-promotion would refuse this file.
set(careless ${CMAKE_CURRENT_BINARY_DIR}/careless.c)
file(WRITE ${careless} "float careless(double value);\nfloat careless(double value) { return value; }\nint stray(long value) { return value; }\n")

function(add_user name library)
  add_executable(${name} ${ARGN} ${careless})
  target_link_libraries(${name} PRIVATE ${library})
  target_compile_options(${name} PRIVATE -Wall -Wextra -Wpedantic -Werror)
endfunction()
add_user(hello-selvage selvage::selvage ${SELVAGE_SOURCE}/runtime/examples/hello.c)
add_user(hello-static selvage::static ${SELVAGE_SOURCE}/runtime/examples/hello.c)
add_user(copy-garment selvage::formats ${SELVAGE_SOURCE}/formats/examples/copy_garment.c)
add_user(both-in-c++ selvage::selvage ${CMAKE_CURRENT_LIST_DIR}/both.cpp)
target_link_libraries(both-in-c++ PRIVATE selvage::formats)

foreach(library selvage formats static)
  foreach(property INTERFACE_COMPILE_OPTIONS INTERFACE_COMPILE_DEFINITIONS INTERFACE_COMPILE_FEATURES)
    get_target_property(value selvage::${library} ${property})
    if(value)
      message(SEND_ERROR "selvage::${library} hands on ${property}: ${value}")
    endif()
  endforeach()
endforeach()
foreach(variable CMAKE_BUILD_TYPE CMAKE_C_STANDARD BUILD_TESTING)
  if(${variable})
    message(SEND_ERROR "${variable} became ${${variable}}")
  endif()
endforeach()
