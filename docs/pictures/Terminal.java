import java.util.List;
import java.util.Locale;

/** A terminal with a command and its output, in the colours of a terminal whatever the page has. */
final class Terminal {
  static final int LINE_HEIGHT = 21;
  static final int TOP = 58;
  static final int LEFT = 24;

  private Terminal() {}

  static String begin(String source, String title, int width, int rows, String style, String command) {
    int height = TOP + rows * LINE_HEIGHT + 16;
    return String.format(
        Locale.ROOT,
        """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" role="img" aria-labelledby="title">
        <!-- Made by docs/pictures/Pictures.java from %s; do not edit. -->
        <title id="title">%s</title>
        <style>
        text { font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; fill: #c9d1d9; white-space: pre }
        .prompt { fill: #7ee787 } .time { fill: #8b949e } .result { fill: #e6edf3; font-weight: 600 } .kill { fill: #ff7b72 }
        .yes { fill: #7ee787; font-weight: 600 }
        %s</style>
        <rect width="%d" height="%d" rx="10" fill="#0d1117"/>
        <circle cx="22" cy="19" r="5.5" fill="#ff5f57"/><circle cx="41" cy="19" r="5.5" fill="#febc2e"/><circle cx="60" cy="19" r="5.5" fill="#28c840"/>
        <text x="%d" y="%d"><tspan class="prompt">$</tspan> %s</text>
        """,
        width, height, width, height, source, title, style, width, height, LEFT, TOP - 8, command);
  }

  static String line(int row, String kinds, String marked) {
    return String.format(
        "<text class=\"%s\" x=\"%d\" y=\"%d\">%s</text>%n",
        kinds, LEFT, TOP - 8 + row * LINE_HEIGHT, marked);
  }

  /** The width that the longest line needs. */
  static int width(List<String> lines) {
    int columns = lines.stream().mapToInt(String::length).max().orElse(0);
    return Math.max(600, (int) Math.ceil(columns * 8.45) + 2 * LEFT);
  }
}
