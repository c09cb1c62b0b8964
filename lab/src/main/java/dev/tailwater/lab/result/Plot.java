package dev.tailwater.lab.result;

import java.util.Map;

/**
 * A description of how to draw a part of a table.
 *
 * @param title what the plot shows
 * @param table the title of the table
 * @param quantity on the vertical axis
 * @param along the parameter on the horizontal axis, in the order of the rows
 * @param by the parameter whose values are the lines, or the colours of bars; empty for one line
 * @param only rows with these values of other parameters
 * @param shape lines for steps of one size, bars for kinds
 * @param logarithmic whether the vertical axis is
 */
public record Plot(
    String title,
    String table,
    String quantity,
    String along,
    String by,
    Map<String, String> only,
    Shape shape,
    boolean logarithmic) {
  /** The shape of the drawing. */
  public enum Shape {
    LINES,
    BARS
  }

  public Plot {
    only = Map.copyOf(only);
  }
}
