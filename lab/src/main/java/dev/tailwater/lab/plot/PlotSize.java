package dev.tailwater.lab.plot;

import dev.tailwater.lab.result.Plot;
import java.awt.Font;

/** The size of a drawing, in pixels of the page where it is shown at its natural size. */
public enum PlotSize {
  /** A drawing as wide as the page. */
  PAGE(760, 340, 13, 60, 8),
  /** Half of a wide page. */
  CARD(560, 300, 13, 34, 6),
  /** The width of a phone. */
  PHONE(320, 280, 11, 20, 3);

  private static final int BAR = 15;
  private static final int LONG_NAME = 14;
  private static final int MANY = 10;
  private static final int MOST_TICKS = 10;

  /** The mean width of a character, as a part of the size of its font. */
  private static final double CHARACTER = 0.58;

  /** The width of what is beside the categories. */
  private static final int AXIS = 60;

  private final int width;
  private final int height;
  private final int fontSize;
  private final int longestName;
  private final int ticksAcross;

  PlotSize(int width, int height, int fontSize, int longestName, int ticksAcross) {
    this.width = width;
    this.height = height;
    this.fontSize = fontSize;
    this.longestName = longestName;
    this.ticksAcross = ticksAcross;
  }

  int width() {
    return width;
  }

  /** Returns the height of a drawing whose bars are vertical, or which has none. */
  int height() {
    return height;
  }

  Font font() {
    return new Font(Font.SANS_SERIF, Font.PLAIN, fontSize);
  }

  /** Returns a name as the drawing has room for it. */
  String shortened(String name) {
    return name.length() <= longestName ? name : name.substring(0, longestName - 1).strip() + "…";
  }

  /** Returns the most ticks for which the axis of figures has room. */
  int mostTicks(boolean lying) {
    return lying ? ticksAcross : MOST_TICKS;
  }

  /** Returns whether bars are horizontal, so that many or long names can be read. */
  boolean isLying(PlotData data) {
    int longest = data.categories().stream().mapToInt(String::length).max().orElse(0);
    double room = (double) (width - AXIS) / Math.max(1, data.categories().size());
    return data.shape() == Plot.Shape.BARS
        && (data.categories().size() > MANY
            || longest > LONG_NAME
            || (longest + 1) * CHARACTER * fontSize > room);
  }

  /** Returns the height of a drawing whose bars are horizontal. */
  int lyingHeight(PlotData data) {
    int bars = data.categories().size() * Math.max(2, data.lines().size());
    return 60 + BAR * bars + 6 * data.categories().size();
  }
}
