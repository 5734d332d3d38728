// SPDX-License-Identifier: MIT

/** Counts comparisons, and prints the first ones that fail. */
final class Tally {
  int checked;
  int wrong;

  void expect(boolean right, String what) {
    ++checked;
    if (right) return;
    if (++wrong <= 20) System.out.println("WRONG: " + (what.length() > 1200 ? what.substring(0, 1200) : what));
  }
}
