package dev.tailwater.lab.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

final class FiguresTest {
  @Test
  void keepsThreeDigitsThatMatter() {
    assertEquals("0.0123", Figures.text(0.012345));
    assertEquals("4.68", Figures.text(4.6789));
    assertEquals("100", Figures.text(100.2));
    assertEquals("12801", Figures.text(12800.6));
    assertEquals("0", Figures.text(0));
    assertEquals("-2.5", Figures.text(-2.5));
  }

  @Test
  void takesTheLargestUnitWithoutAFraction() {
    assertEquals("1000 B", Figures.size(1000));
    assertEquals("6 KiB", Figures.size(6144));
    assertEquals("1 MiB", Figures.size(1 << 20));
    assertEquals("1025 KiB", Figures.size((1 << 20) + 1024));
  }
}
