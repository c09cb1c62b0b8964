import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** The way of a byte: boxes in a grid, and arrows between them, as {@code way-of-a-byte.txt} says. */
final class WayPicture {
  private static final Path SOURCE = Pictures.HOME.resolve("way-of-a-byte.txt");
  private static final int BOX_WIDTH = 140;
  private static final int BOX_HEIGHT = 58;
  private static final int COLUMN = 222;
  private static final int ROW = 116;
  private static final int LEFT = 16;
  private static final int TOP = 36;
  private static final int WIDTH = LEFT + 3 * COLUMN + BOX_WIDTH + 64;
  private static final int HEIGHT = TOP + 2 * ROW + BOX_HEIGHT + 44;

  private record Box(int column, int row) {
    double x() {
      return LEFT + column * COLUMN;
    }

    double y() {
      return TOP + row * ROW;
    }
  }

  private WayPicture() {}

  static String draw() throws IOException {
    Map<String, Box> boxes = new LinkedHashMap<>();
    StringBuilder svg =
        new StringBuilder(
            Svg.begin(
                "way-of-a-byte.txt",
                "The way of a byte: program, file, watch, tail, seal, deliver, archive, restore; checkpoints say where to continue",
                WIDTH, HEIGHT));
    svg.append("<defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"8\" markerHeight=\"8\" orient=\"auto\"><path d=\"M0 0 L8 4 L0 8 z\" fill=\"var(--soft)\"/></marker></defs>\n");
    for (String line : Files.readAllLines(SOURCE)) {
      String[] parts = line.split("\\|", -1);
      String[] words = parts[0].strip().split(" +");
      if (words[0].equals("box")) {
        Box box = new Box(Integer.parseInt(words[2]), Integer.parseInt(words[3]));
        boxes.put(words[1], box);
        box(svg, box, words[4], parts[1].strip(), parts[2].strip());
      } else if (words[0].equals("arrow")) {
        arrow(svg, boxes.get(words[1]), boxes.get(words[2]), parts[1].strip());
      }
    }
    legend(svg, 0, "yours", "your programs and files");
    legend(svg, 1, "agent", "the agent");
    legend(svg, 2, "away", "the destination");
    return svg.append("</svg>\n").toString();
  }

  private static String fill(String whose) {
    return switch (whose) {
      case "agent" -> "var(--tint)";
      case "away" -> "var(--other)";
      default -> "var(--card)";
    };
  }

  private static void box(StringBuilder svg, Box box, String whose, String title, String note) {
    svg.append(Svg.format(
        "<rect x=\"%.0f\" y=\"%.0f\" width=\"%d\" height=\"%d\" rx=\"8\" fill=\"%s\" stroke=\"var(--line)\"/>%n",
        box.x(), box.y(), BOX_WIDTH, BOX_HEIGHT, fill(whose)));
    svg.append(Svg.label(box.x() + BOX_WIDTH / 2.0, box.y() + 25, "middle", "strong", title));
    svg.append(Svg.label(box.x() + BOX_WIDTH / 2.0, box.y() + 44, "middle", "soft", note));
  }

  private static void arrow(StringBuilder svg, Box from, Box to, String label) {
    double middle = BOX_HEIGHT / 2.0;
    String path;
    double x;
    double y;
    if (from.row() == to.row()) {
      boolean isRight = to.column() > from.column();
      double begin = from.x() + (isRight ? BOX_WIDTH : 0);
      double end = to.x() + (isRight ? 0 : BOX_WIDTH);
      path = Svg.format("M%.0f %.0f H%.0f", begin, from.y() + middle, end);
      x = (begin + end) / 2;
      y = from.y() + middle - 8;
    } else if (from.column() == to.column()) {
      path = Svg.format("M%.0f %.0f V%.0f", from.x() + BOX_WIDTH / 2.0, from.y() + BOX_HEIGHT, to.y());
      x = from.x() + BOX_WIDTH / 2.0 + 8;
      y = (from.y() + BOX_HEIGHT + to.y()) / 2 + 5;
    } else {
      double side = to.x() + BOX_WIDTH + 36;
      path = Svg.format(
          "M%.0f %.0f H%.0f V%.0f H%.0f",
          from.x() + BOX_WIDTH, from.y() + middle, side, to.y() + middle, to.x() + BOX_WIDTH);
      x = (from.x() + BOX_WIDTH + side) / 2;
      y = from.y() + middle - 8;
    }
    svg.append("<path d=\"").append(path).append("\" fill=\"none\" stroke=\"var(--soft)\" stroke-width=\"1.5\" marker-end=\"url(#tip)\"/>\n");
    svg.append(Svg.label(x, y, from.column() == to.column() ? "start" : "middle", "soft", label));
  }

  private static void legend(StringBuilder svg, int index, String whose, String text) {
    double x = LEFT + index * 210;
    double y = HEIGHT - 26;
    svg.append(Svg.format("<rect x=\"%.0f\" y=\"%.0f\" width=\"14\" height=\"14\" rx=\"3\" fill=\"%s\" stroke=\"var(--line)\"/>%n", x, y, fill(whose)));
    svg.append(Svg.label(x + 22, y + 12, "start", "soft", text));
  }
}
