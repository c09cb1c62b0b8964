package dev.tailwater.cli.report;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class TableTest {
  private static List<String> print(Table table) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    table.print(new PrintStream(out, true, StandardCharsets.UTF_8));
    return out.toString(StandardCharsets.UTF_8).lines().toList();
  }

  @Test
  void alignsColumnsToTheLeftAndToTheRight() {
    Table table = new Table("NAME", ">SIZE").row("a", "1").row("long name", "1 000 000");

    assertEquals(
        List.of("NAME            SIZE", "a                  1", "long name  1 000 000"),
        print(table));
  }

  @Test
  void alignsRowsThatAreMadeWhenTheyAreWanted() {
    Table table =
        new Table("", "")
            .row("first", "x")
            .rows(List.of(7, 42), List.of(Column.of(number -> "is " + number), Column.of(_ -> "y")))
            .row("l", "z");

    assertEquals(List.of("first  x", "is 7   y", "is 42  y", "l      z"), print(table));
  }

  @Test
  void makesNoCellsToMeasureAColumnWhoseCellsHaveOneWidth() {
    AtomicInteger made = new AtomicInteger();
    Column<String> ids =
        Column.ofAscii(
            3,
            id -> {
              made.incrementAndGet();
              return id;
            });
    Table table =
        new Table("ID", "").rows(List.of("abc", "def"), List.of(ids, Column.of(_ -> "x")));

    assertEquals(List.of("ID", "abc  x", "def  x"), print(table));
    assertEquals(2, made.get());
  }

  @Test
  void countsCharactersOutsideTheBasicPlaneOnce() {
    Table table = new Table("A", "B").row("\uD83D\uDE00", "x").row("ab", "y");

    assertEquals(List.of("A   B", "\uD83D\uDE00   x", "ab  y"), print(table));
  }

  @Test
  void leavesOutWhiteSpaceAtTheEndOfALine() {
    Table table = new Table("A", "B").row("a", "b \u2003").row("longer", "");

    assertEquals(List.of("A       B", "a       b", "longer"), print(table));
  }

  @Test
  void printsManyLinesAsItPrintsOne() {
    List<Integer> numbers = IntStream.range(0, 20_000).boxed().toList();
    Table table =
        new Table("N", ">T")
            .rows(numbers, List.of(Column.of(n -> "" + n), Column.of(n -> "\u00e9" + n % 7)));

    List<String> lines = print(table);

    assertEquals(20_001, lines.size());
    numbers.forEach(n -> assertEquals(String.format("%-5d  \u00e9%d", n, n % 7), lines.get(n + 1)));
  }

  @Test
  void alignsManyRowsByTheWidestOfAll() {
    List<Integer> numbers = IntStream.range(0, 20_000).boxed().toList();
    Table table =
        new Table(">N", "T", ">L")
            .rows(
                numbers,
                List.of(
                    (n, text) -> text.number(n),
                    Column.of(n -> n == 12_345 ? "\uD83D\uDE00 wide" : "-"),
                    (n, text) -> text.size(n == 777 ? 1 << 20 : 1)));

    List<String> lines = print(table);

    assertEquals("    N  T             L", lines.getFirst());
    assertEquals("   77  -           1 B", lines.get(78));
    assertEquals("  777  -       1.0 MiB", lines.get(778));
    assertEquals("12345  \uD83D\uDE00 wide      1 B", lines.get(12_346));
    assertEquals(20_001, lines.size());
  }
}
