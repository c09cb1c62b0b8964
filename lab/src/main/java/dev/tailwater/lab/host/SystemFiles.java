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
 * The small files in which the kernel tells about itself. What is not there or may not be read is
 * not known, and that is no failure: containers hide much.
 *
 * @param root {@code /}
 */
record SystemFiles(Path root) {
  private static final Pattern CHOSEN = Pattern.compile("\\[([\\w-]+)]");

  /** Its text without the white space around it; empty when there is none. */
  Optional<String> text(String path) {
    try {
      String text = Files.readString(root.resolve(path)).strip();
      return text.isEmpty() ? Optional.empty() : Optional.of(text);
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** The value behind {@code key} and a colon or an equals sign, of the first such line. */
  Optional<String> value(String path, String key) {
    return text(path).stream()
        .flatMap(String::lines)
        .filter(line -> line.matches("\\Q" + key + "\\E\\s*[:=].*"))
        .map(line -> line.substring(line.indexOf(line.contains(":") ? ':' : '=') + 1).strip())
        .map(value -> value.replaceAll("^\"|\"$", ""))
        .filter(value -> !value.isEmpty())
        .findFirst();
  }

  /** The word in brackets, where a file lists choices and marks the one that is in force. */
  Optional<String> chosen(String path) {
    return text(path).map(CHOSEN::matcher).filter(Matcher::find).map(found -> found.group(1));
  }

  boolean exists(String path) {
    return Files.exists(root.resolve(path));
  }

  /** Names in a directory, sorted; none when it is not there. */
  List<String> names(String path) {
    try (Stream<Path> paths = Files.list(root.resolve(path))) {
      return paths.map(name -> name.getFileName().toString()).sorted().toList();
    } catch (IOException e) {
      return List.of();
    }
  }
}
