package dev.tailwater.lab.plot;

import java.awt.Font;
import java.awt.image.BufferedImage;
import java.util.Optional;

/** The check whether this host can draw text. */
public final class Fonts {
  private Fonts() {}

  /**
   * Returns why no plot can be drawn here, and what to do about it; empty if plots can be drawn.
   */
  public static Optional<String> missing() {
    try {
      Font font = new Font(Font.SANS_SERIF, Font.PLAIN, 12);
      BufferedImage image = new BufferedImage(1, 1, BufferedImage.TYPE_INT_ARGB);
      int width = image.createGraphics().getFontMetrics(font).stringWidth("tailwater");
      return width > 0 ? Optional.empty() : Optional.of(sentence("text has no width"));
    } catch (RuntimeException | Error e) {
      // The type of the exception depends on what is missing: libraries, their settings, or fonts.
      return Optional.of(sentence(String.valueOf(e.getMessage())));
    }
  }

  private static String sentence(String reason) {
    return "There are no plots, since Java finds no fonts on this host ("
        + reason
        + "): install fontconfig and a font (Debian: apt-get install fontconfig fonts-dejavu-core),"
        + " or draw the report on another host with 'tailwater lab report FILE.json'.";
  }
}
