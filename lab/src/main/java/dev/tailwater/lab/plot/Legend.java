package dev.tailwater.lab.plot;

import dev.tailwater.lab.result.Plot;
import java.util.ArrayList;
import java.util.List;

/** The legend of a plot, which explains its colours and marks. */
public final class Legend {
  private Legend() {}

  /**
   * An entry of the legend.
   *
   * @param mark a character
   * @param colour the number of a colour of the style sheet, from 1; 0 is that of text
   */
  public record Entry(String mark, int colour, String name) {}

  /**
   * Returns the entries in the order of the lines, except for a line without a name, and then that
   * of the article, if the plot has its figures.
   */
  public static List<Entry> of(PlotData data) {
    List<Entry> entries = new ArrayList<>();
    boolean bars = data.shape() == Plot.Shape.BARS;
    for (int i = 0; i < data.lines().size(); i++) {
      String name = data.lines().get(i).name();
      if (!name.isEmpty()) {
        entries.add(new Entry(bars ? "■" : Palette.mark(i), i % Palette.COLOURS + 1, name));
      }
    }
    if (data.hasArticle()) {
      entries.add(new Entry(bars ? "◇" : "○", 0, "hollow: what the article reported"));
    }
    return entries;
  }
}
