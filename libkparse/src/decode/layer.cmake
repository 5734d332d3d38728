# SPDX-License-Identifier: MIT
kparse_layer(decode
  SOURCES headers.cpp interest.cpp layout.cpp note.cpp program.cpp program_set.cpp tree.cpp
  USES schema
)
