package dev.tailwater.cli.report;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
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
            .rows(List.of(7, 42), number -> List.of("is " + number, "y"))
            .row("l", "z");

    assertEquals(List.of("first  x", "is 7   y", "is 42  y", "l      z"), print(table));
  }

  @Test
  void countsCharactersOutsideTheBasicPlaneOnce() {
    Table table = new Table("A", "B").row("\uD83D\uDE00", "x").row("ab", "y");

    assertEquals(List.of("A   B", "\uD83D\uDE00   x", "ab  y"), print(table));
  }
}
