# SPDX-License-Identifier: MIT
kparse_layer(encode
  SOURCES encoder.cpp fields.cpp frame.cpp place.cpp scalar.cpp tags.cpp text.cpp
  USES decode
)
