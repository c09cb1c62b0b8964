package dev.tailwater.it.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Who searches the page for a message finds the words that the program prints. */
class TroubleshootingTest {
  private static final Pattern HEADING = Pattern.compile("(?m)^#+ \"(.*)\"$");
  private static final List<String> MODULES =
      List.of("archive", "cli", "delivery", "destination", "io", "restore", "store");

  /** All texts of the program, as if none was continued on another line. */
  private static String texts() throws IOException {
    StringBuilder texts = new StringBuilder();
    for (String module : MODULES) {
      try (Stream<Path> files = Files.walk(Pages.root().resolve(module))) {
        for (Path file :
            files.filter(file -> file.toString().matches(".*/src/main/.*\\.(java|sh)")).toList()) {
          texts.append(Files.readString(file));
        }
      }
    }
    return texts.toString().replaceAll("\"\\s*\\+\\s*\"", "");
  }

  @Test
  void everyMessageInAHeadingIsOneOfTheProgram() throws Exception {
    String texts = texts();
    List<String> unknown = new ArrayList<>();
    List<String> known = new ArrayList<>();
    Matcher heading = HEADING.matcher(Pages.text("docs/guide/troubleshooting.md"));
    while (heading.find()) {
      for (String part : heading.group(1).split("\\.\\.\\.", -1)) {
        if (part.isBlank()) {
          continue;
        }
        String words = part.strip().replaceAll("^,|,$", "").strip();
        // What stands before may depend on a number.
        String end = words.replaceFirst("^.* (?=\\S+ \\S+ \\S+ \\S+$)", "");
        (texts.contains(words) || texts.contains(end) ? known : unknown).add(words);
      }
    }
    assertEquals(List.of(), unknown);
    assertFalse(known.isEmpty(), "no message was found");
  }
}
