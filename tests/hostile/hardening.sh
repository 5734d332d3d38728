#!/bin/bash
# SPDX-License-Identifier: MIT
# hardening.sh PROGRAM: is what makes exploits harder really in it?
program=$1
wrong=0
# has WHAT COMMAND...: its output must have a line that fits WHAT
has() {
  local what=$1
  shift
  "$@" | grep -Eq "$what" || { echo "$what is missing: $*"; wrong=1; }
}
has 'Type: +DYN' readelf -hW "$program"                  # loaded anywhere
has 'GNU_RELRO' readelf -lW "$program"                   # relocations are read-only
has 'BIND_NOW|Flags:.* NOW' readelf -dW "$program"       # all of them
has 'GNU_STACK.* RW ' readelf -lW "$program"             # no code on the stack
has '__stack_chk_fail' readelf -W --dyn-syms "$program"
has '__(memcpy|memmove|memset|strcpy|snprintf|read|vsnprintf)_chk' readelf -W --dyn-syms "$program"
exit $wrong
