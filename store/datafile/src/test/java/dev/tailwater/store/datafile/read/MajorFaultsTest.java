package dev.tailwater.store.datafile.read;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class MajorFaultsTest {
  @Test
  void findsTheNumberBehindANameWithSpacesAndParentheses() {
    String stat = "4711 (a) b (c) S 1 2 3 4 5 6 701 80 9000 10 11 12";
    assertEquals(9000, MajorFaults.parse(stat));
  }
}
