package dev.tailwater.it.docs;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/**
 * A fenced block of a page.
 *
 * @param page relative to the repository, such as {@code docs/guide/drain.md}
 * @param line of its fence, from 1
 * @param language what stands behind the fence; empty: nothing
 * @param text its lines, without the indentation of the fence
 */
record Block(String page, int line, String language, String text) {
  private static final Pattern FILE_NAME =
      Pattern.compile("\\A(?:#!.*\n)?(?:#|//|--) (/\\S+)\n", Pattern.UNIX_LINES);
  private static final Pattern PROMPT = Pattern.compile("\\$ (.*)");

  /** Configuration of other programs, which is written to the file that its first line names. */
  private static final List<String> CONFIGURATION = List.of("ini", "nginx", "conf");

  String place() {
    return page + ":" + line;
  }

  boolean isCommands() {
    return file().isEmpty() && (language.equals("sh") || language.equals("console"));
  }

  boolean isYaml() {
    return language.equals("yaml");
  }

  boolean isConfiguration() {
    return CONFIGURATION.contains(language);
  }

  /** The absolute path in a comment of its first line: this block is that file. */
  Optional<String> file() {
    Matcher matcher = FILE_NAME.matcher(text);
    return matcher.find() ? Optional.of(matcher.group(1)) : Optional.empty();
  }

  boolean isScript() {
    return text.startsWith("#!");
  }

  /** The commands in it, as a shell reads them. */
  String commands() {
    if (!language.equals("console")) {
      return text.replace("<version>", Pages.version());
    }
    // A line that ends with a backslash continues in the next one, which has no prompt.
    StringBuilder commands = new StringBuilder();
    boolean continued = false;
    for (String line : text.split("\n", -1)) {
      Matcher prompt = PROMPT.matcher(line);
      if (prompt.matches() || continued) {
        String command = prompt.matches() ? prompt.group(1) : line;
        commands.append(command).append('\n');
        continued = command.endsWith("\\");
      }
    }
    return commands.toString();
  }

  /** The documents of a block of YAML. */
  List<Map<?, ?>> documents() {
    return StreamSupport.stream(
            new Load(LoadSettings.builder().setLabel(place()).build())
                .loadAllFromString(text)
                .spliterator(),
            false)
        .<Map<?, ?>>map(document -> (Map<?, ?>) document)
        .toList();
  }

  /** Whether it is for Kubernetes. */
  boolean isManifest() {
    return isYaml() && documents().stream().allMatch(document -> document.containsKey("kind"));
  }

  /** Whether it is a list of steps of a CI service, which are commands. */
  boolean isSteps() {
    return isYaml() && documents().stream().allMatch(document -> document.containsKey("steps"));
  }

  /** A whole configuration file made of a part of one. */
  String wholeConfiguration() {
    Map<?, ?> keys = documents().getFirst();
    String sources = keys.containsKey("sources") ? "" : "sources: [/var/log/app]\n";
    String destination =
        keys.containsKey("destination") || keys.containsKey("destinations")
            ? ""
            : "destination: /mnt/archive\n";
    return sources + destination + text;
  }

  /** The commands of its steps, each a text for the shell. */
  String stepCommands() {
    return documents().stream()
        .flatMap(
            document ->
                document.get("steps") instanceof List<?> steps ? steps.stream() : Stream.of())
        .flatMap(
            step ->
                step instanceof Map<?, ?> map && map.get("run") instanceof String command
                    ? Stream.of(command)
                    : Stream.of())
        .collect(Collectors.joining("\n"));
  }
}
