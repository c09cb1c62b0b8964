package dev.tailwater.lab.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The small files in which the kernel describes itself. A file that is missing or cannot be read is
 * no failure, because containers hide many of them.
 *
 * @param root {@code /}
 */
record SystemFiles(Path root) {
  private static final Pattern CHOSEN = Pattern.compile("\\[([\\w-]+)]");

  /** Returns the trimmed text of a file; empty if there is none. */
  Optional<String> text(String path) {
    try {
      String text = Files.readString(root.resolve(path)).strip();
      return text.isEmpty() ? Optional.empty() : Optional.of(text);
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** Returns the value after {@code key} and a colon or an equals sign, in the first such line. */
  Optional<String> value(String path, String key) {
    return text(path).stream()
        .flatMap(String::lines)
        .filter(line -> line.matches("\\Q" + key + "\\E\\s*[:=].*"))
        .map(line -> line.substring(line.indexOf(line.contains(":") ? ':' : '=') + 1).strip())
        .map(value -> value.replaceAll("^\"|\"$", ""))
        .filter(value -> !value.isEmpty())
        .findFirst();
  }

  /** Returns the word in brackets, in a file that lists choices and marks the current one. */
  Optional<String> chosen(String path) {
    return text(path).map(CHOSEN::matcher).filter(Matcher::find).map(found -> found.group(1));
  }

  boolean exists(String path) {
    return Files.exists(root.resolve(path));
  }

  /** Returns the sorted names in a directory; none if it is missing. */
  List<String> names(String path) {
    try (Stream<Path> paths = Files.list(root.resolve(path))) {
      return paths.map(name -> name.getFileName().toString()).sorted().toList();
    } catch (IOException e) {
      return List.of();
    }
  }
}
