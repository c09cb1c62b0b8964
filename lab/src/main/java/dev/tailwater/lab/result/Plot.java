package dev.tailwater.lab.result;

import java.util.Map;

/**
 * How to draw a part of a table.
 *
 * @param title what is to be seen
 * @param table the title of the table
 * @param quantity on the vertical axis
 * @param along the parameter on the horizontal axis, in the order of the rows
 * @param by the parameter of which each value is a line, or a colour of bars; empty: there is one
 *     line
 * @param only rows with these values of other parameters
 * @param shape lines for steps of one size, bars for kinds
 * @param logarithmic the vertical axis
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
  /** Of what it is drawn. */
  public enum Shape {
    LINES,
    BARS
  }

  public Plot {
    only = Map.copyOf(only);
  }
}
