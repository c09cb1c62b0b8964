package dev.tailwater.it.docs;

import dev.tailwater.it.Packaged;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The pages that people write, and the fenced blocks in them. */
final class Pages {
  private static final Pattern FENCE = Pattern.compile("( *)(```+)(\\w*)\\s*");

  private Pages() {}

  static Path root() {
    return Packaged.built("tailwater.root");
  }

  /** What stands for {@code <version>} in commands: that of the package. */
  static String version() {
    return Packaged.built("tailwater.package")
        .getFileName()
        .toString()
        .replaceAll("^tailwater-|\\.tar\\.gz$", "");
  }

  /**
   * All pages, relative to the repository, without the reference, which is made from the code, and
   * the decisions, which are about their time.
   */
  static List<String> all() throws IOException {
    Path root = root();
    try (Stream<Path> files = Files.walk(root.resolve("docs"))) {
      return Stream.concat(
              files
                  .map(file -> root.relativize(file).toString())
                  .filter(name -> name.endsWith(".md"))
                  .filter(name -> !name.matches("docs/(reference|decisions|target)/.*")),
              Stream.of("README.md", "CONTRIBUTING.md", "SECURITY.md", "bench/README.md"))
          .sorted()
          .toList();
    }
  }

  static String text(String page) throws IOException {
    return Files.readString(root().resolve(page));
  }

  static List<Block> blocks(String page) throws IOException {
    List<Block> blocks = new ArrayList<>();
    List<String> lines = text(page).lines().toList();
    for (int i = 0; i < lines.size(); i++) {
      Matcher fence = FENCE.matcher(lines.get(i));
      if (!fence.matches()) {
        continue;
      }
      int begin = i + 1;
      String end = fence.group(1) + fence.group(2);
      i = begin;
      while (!lines.get(i).stripTrailing().equals(end)) {
        i++;
      }
      String indentation = fence.group(1);
      String text =
          lines.subList(begin, i).stream()
              .map(
                  line ->
                      line.startsWith(indentation) ? line.substring(indentation.length()) : line)
              .map(line -> line + "\n")
              .collect(Collectors.joining());
      blocks.add(new Block(page, begin, fence.group(3), text));
    }
    return blocks;
  }

  static List<Block> blocks() throws IOException {
    List<Block> blocks = new ArrayList<>();
    for (String page : all()) {
      blocks.addAll(blocks(page));
    }
    return blocks;
  }
}
