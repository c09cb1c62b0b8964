package dev.tailwater.lab.plot;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Shape;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Path2D;
import java.awt.geom.Rectangle2D;
import java.util.ArrayList;
import java.util.List;

/**
 * The colours and marks of lines. Plots use variables of the style sheet for colours, and the style
 * sheet defines them for light and for dark pages. There are eight, which people with any colour
 * vision can distinguish, and the marks differ as well.
 */
final class Palette {
  static final int COLOURS = 8;

  /**
   * The colours of text and axes, of grid lines, of the page behind, and of what must be visible on
   * bars.
   */
  static final Color TEXT = new Color(3, 7, 11);

  static final Color GRID = new Color(3, 7, 12);
  static final Color PAGE = new Color(3, 7, 13);
  static final Color INK = new Color(3, 7, 14);

  private static final int FIRST = 101;
  private static final List<String> MARKS = List.of("●", "■", "▲", "◆", "▼");

  private Palette() {}

  static Color line(int index) {
    return new Color(3, 7, FIRST + index % COLOURS);
  }

  /** Returns a solid stroke for the first eight lines, and a dashed one for those after them. */
  static BasicStroke stroke(int index) {
    float[] dashes = {8, 4};
    return index < COLOURS
        ? new BasicStroke(2f, BasicStroke.CAP_ROUND, BasicStroke.JOIN_ROUND)
        : new BasicStroke(2f, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 1, dashes, 0);
  }

  /** Returns the mark of a line as a character, for a legend. */
  static String mark(int index) {
    return MARKS.get(index % MARKS.size());
  }

  /** Returns the mark of a line around the origin. */
  static Shape shape(int index, double size) {
    double half = size / 2;
    return switch (index % MARKS.size()) {
      case 0 -> new Ellipse2D.Double(-half, -half, size, size);
      case 1 -> new Rectangle2D.Double(-half * 0.9, -half * 0.9, size * 0.9, size * 0.9);
      case 2 -> polygon(0, -half * 1.1, half * 1.1, half * 0.9, -half * 1.1, half * 0.9);
      case 3 -> polygon(0, -half * 1.2, half * 1.2, 0, 0, half * 1.2, -half * 1.2, 0);
      default -> polygon(0, half * 1.1, half * 1.1, -half * 0.9, -half * 1.1, -half * 0.9);
    };
  }

  private static Shape polygon(double... coordinates) {
    Path2D.Double path = new Path2D.Double();
    path.moveTo(coordinates[0], coordinates[1]);
    for (int i = 2; i < coordinates.length; i += 2) {
      path.lineTo(coordinates[i], coordinates[i + 1]);
    }
    path.closePath();
    return path;
  }

  /** Returns the text of SVG with variables in place of the colours. */
  static String withVariables(String svg) {
    List<String[]> pairs = new ArrayList<>();
    pairs.add(new String[] {text(TEXT), "var(--soft)"});
    pairs.add(new String[] {text(GRID), "var(--line)"});
    pairs.add(new String[] {text(PAGE), "var(--card)"});
    pairs.add(new String[] {text(INK), "var(--ink)"});
    for (int i = 0; i < COLOURS; i++) {
      pairs.add(new String[] {text(line(i)), "var(--plot-" + (i + 1) + ")"});
    }
    String result = svg;
    for (String[] pair : pairs) {
      result = result.replace(pair[0], pair[1]);
    }
    return result;
  }

  private static String text(Color colour) {
    return "rgb(" + colour.getRed() + "," + colour.getGreen() + "," + colour.getBlue() + ")";
  }
}
