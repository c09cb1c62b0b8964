package dev.tailwater.cli.report;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/** A bar chart of characters. */
public final class Bars {
  private static final int WIDTH = 50;

  private final String labels;
  private final String numbers;
  private final List<String> names = new ArrayList<>();
  private final List<Long> counts = new ArrayList<>();

  /** Creates a chart with these heads above names and numbers. */
  public Bars(String labels, String numbers) {
    this.labels = labels;
    this.numbers = numbers;
  }

  /** Adds a bar. */
  public Bars add(String name, long count) {
    names.add(name);
    counts.add(count);
    return this;
  }

  /** Prints a line for each; the longest bar is that of the largest number. */
  public void print(PrintStream out) {
    long most = counts.stream().mapToLong(Long::longValue).max().orElse(0);
    Table table = new Table(labels, ">" + numbers, "");
    for (int i = 0; i < names.size(); i++) {
      long count = counts.get(i);
      int length = most == 0 ? 0 : (int) Math.ceil((double) WIDTH * count / most);
      table.row(names.get(i), Long.toString(count), "#".repeat(length));
    }
    table.print(out);
  }
}
