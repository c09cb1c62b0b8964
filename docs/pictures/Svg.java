import java.util.Locale;

/** What all pictures have in common: their first lines, their colours, their letters. */
final class Svg {
  private static final String STYLE =
      """
      text { font: 14px system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; fill: var(--ink) }
      .soft { fill: var(--soft); font-size: 13px } .strong { font-weight: 600 }
      svg { --page: #ffffff; --ink: #1b2430; --soft: #5a6675; --line: #c5ced9; --card: #f3f6f9; --main: #0b6b5d; --warm: #b35000; --tint: #e2f2ef; --other: #e8eefb }
      @media (prefers-color-scheme: dark) {
        svg { --page: #10151c; --ink: #e6ebf2; --soft: #a3afbf; --line: #3b4757; --card: #1b2430; --main: #5fd3bd; --warm: #ffa45c; --tint: #143a34; --other: #1c2c4a }
      }
      """;

  private Svg() {}

  static String begin(String source, String title, int width, int height) {
    return """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" role="img" aria-labelledby="title">
        <!-- Made by docs/pictures/Pictures.java from %s; do not edit. -->
        <title id="title">%s</title>
        <style>
        %s</style>
        <rect width="%d" height="%d" rx="10" fill="var(--page)"/>
        """
        .formatted(width, height, width, height, source, text(title), STYLE, width, height);
  }

  static String text(String plain) {
    return plain.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }

  static String label(double x, double y, String anchor, String kind, String plain) {
    return format(
        "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" class=\"%s\">%s</text>%n",
        x, y, anchor, kind, text(plain));
  }

  static String format(String pattern, Object... values) {
    return String.format(Locale.ROOT, pattern, values);
  }
}
