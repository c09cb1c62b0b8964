package dev.tailwater.it.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Links lead somewhere, and {@code docs/README.md} leads to every page. */
class DocumentedLinksTest {
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
  private static final Pattern DECISION =
      Pattern.compile("\\[(\\d{4})\\]\\([^)\\s#]*?(\\d{4})-[^)\\s]*\\)");
  private static final Pattern CELL_BORDER = Pattern.compile("(?<!\\\\)\\|");
  private static final Pattern HEADING = Pattern.compile("(?m)^#{1,6} (.*)$");
  private static final String FIRST_PAGE = "docs/README.md";

  private final Map<Path, Set<String>> anchors = new HashMap<>();

  /** All pages, with the reference and the decisions. */
  private static List<Path> pages() throws IOException {
    Path root = Pages.root();
    try (Stream<Path> files = Files.walk(root.resolve("docs"))) {
      return Stream.concat(
              files.filter(file -> !file.startsWith(root.resolve("docs/target"))),
              Stream.of(
                      "README.md",
                      "CONTRIBUTING.md",
                      "SECURITY.md",
                      "CHANGELOG.md",
                      "bench/README.md")
                  .map(root::resolve))
          .filter(file -> file.toString().endsWith(".md"))
          .sorted()
          .toList();
    }
  }

  private static String withoutBlocks(Path page) throws IOException {
    return Files.readString(page)
        .replaceAll("(?ms)^ *```.*?^ *```$", "")
        .replaceAll("`[^`\n]*`", "code");
  }

  private static List<String> links(Path page) throws IOException {
    List<String> links = new ArrayList<>();
    Matcher link = LINK.matcher(withoutBlocks(page));
    while (link.find()) {
      if (!link.group(1).matches("[a-z]+:.*")) {
        links.add(link.group(1));
      }
    }
    return links;
  }

  @Test
  void everyLinkLeadsToAFileAndToAHeadingInIt() throws Exception {
    List<String> broken = new ArrayList<>();
    for (Path page : pages()) {
      for (String link : links(page)) {
        String[] parts = link.split("#", 2);
        Path target = parts[0].isEmpty() ? page : page.resolveSibling(parts[0]).normalize();
        if (!Files.exists(target)) {
          broken.add(Pages.root().relativize(page) + ": " + link);
        } else if (parts.length > 1
            && target.toString().endsWith(".md")
            && !anchors(target).contains(parts[1])) {
          broken.add(Pages.root().relativize(page) + ": no heading for " + link);
        }
      }
    }
    assertEquals(List.of(), broken);
  }

  private Set<String> anchors(Path page) throws IOException {
    if (!anchors.containsKey(page)) {
      Set<String> found = new HashSet<>();
      Matcher heading =
          HEADING.matcher(Files.readString(page).replaceAll("(?ms)^ *```.*?^ *```$", ""));
      while (heading.find()) {
        String anchor = anchor(heading.group(1));
        String numbered = anchor;
        for (int i = 1; !found.add(numbered); i++) {
          numbered = anchor + "-" + i;
        }
      }
      anchors.put(page, found);
    }
    return anchors.get(page);
  }

  /** As GitHub makes it: lower case, no punctuation, hyphens for spaces. */
  private static String anchor(String heading) {
    return LINK.matcher(heading)
        .replaceAll("]")
        .toLowerCase(Locale.ROOT)
        .replaceAll("[^\\p{L}\\p{N}_\\- ]", "")
        .replace(' ', '-');
  }

  @Test
  void aDecisionIsCalledByItsNumber() throws Exception {
    List<String> wrong = new ArrayList<>();
    for (Path page : pages()) {
      Matcher link = DECISION.matcher(Files.readString(page));
      while (link.find()) {
        if (!link.group(1).equals(link.group(2))) {
          wrong.add(Pages.root().relativize(page) + ": " + link.group());
        }
      }
    }
    assertEquals(List.of(), wrong);
  }

  @Test
  void everyRowOfATableHasAsManyCellsAsItsHead() throws Exception {
    List<String> wrong = new ArrayList<>();
    for (Path page : pages()) {
      long cells = 0;
      for (String line : withoutBlocks(page).lines().toList()) {
        boolean isRow = line.startsWith("|");
        long borders = isRow ? CELL_BORDER.matcher(line).results().count() : 0;
        if (isRow && cells > 0 && borders != cells) {
          wrong.add(Pages.root().relativize(page) + ": " + line);
        }
        cells = isRow && cells == 0 ? borders : isRow ? cells : 0;
      }
    }
    assertEquals(List.of(), wrong);
  }

  @Test
  void everyPageIsInTheListOfPages() throws Exception {
    Path list = Pages.root().resolve(FIRST_PAGE);
    Set<Path> listed = new HashSet<>();
    for (String link : links(list)) {
      listed.add(list.resolveSibling(link.split("#", 2)[0]).normalize());
    }
    for (String page : Pages.all()) {
      if (!page.equals("README.md") && !page.equals(FIRST_PAGE)) {
        Path file = Pages.root().resolve(page).normalize();
        assertTrue(listed.contains(file), FIRST_PAGE + " does not list " + page);
      }
    }
  }
}
