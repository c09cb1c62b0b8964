package dev.tailwater.cli.command;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** An example for each command, which its help shows first and its errors repeat. */
public final class Examples {
  private static final Map<String, List<String>> LINES =
      Map.ofEntries(
          Map.entry(
              "ship",
              List.of(
                  "tailwater ship /var/log/app /mnt/archive",
                  "tailwater ship --dry-run --config tailwater.yaml")),
          Map.entry(
              "restore",
              List.of(
                  "tailwater restore /mnt/archive restored",
                  "tailwater restore --only '*.log' s3://bucket/prefix restored")),
          Map.entry(
              "verify",
              List.of(
                  "tailwater verify /mnt/archive",
                  "tailwater verify --against /var/log/app /mnt/archive")),
          Map.entry(
              "compact",
              List.of(
                  "tailwater compact --dry-run /mnt/archive",
                  "tailwater compact --identity key.txt --recipient age1… s3://bucket/prefix")),
          Map.entry("ls", List.of("tailwater ls /mnt/archive")),
          Map.entry("cat", List.of("tailwater cat /mnt/archive /var/log/app/a.log")),
          Map.entry("status", List.of("tailwater status", "tailwater status /var/log/app/a.log")),
          Map.entry("drain", List.of("tailwater drain")),
          Map.entry("init", List.of("tailwater init", "tailwater init --to s3://bucket/prefix")),
          Map.entry("check", List.of("tailwater check tailwater.yaml")),
          Map.entry("schema", List.of("tailwater schema > tailwater.schema.json")),
          Map.entry(
              "estimate",
              List.of(
                  "tailwater estimate --rate 100,1000 tailwater.yaml",
                  "tailwater estimate --measure 30s tailwater.yaml")),
          Map.entry("probe", List.of("tailwater probe s3://bucket/prefix")),
          Map.entry("keygen", List.of("tailwater keygen -o key.txt")),
          Map.entry("rehearse", List.of("tailwater rehearse /var/log/app /mnt/archive")),
          Map.entry("demo", List.of("tailwater demo")),
          Map.entry("completion", List.of("source <(tailwater completion bash)")),
          Map.entry("store", List.of("tailwater store stats /var/lib/tailwater")));

  private Examples() {}

  /** Shows the examples in the help of each command that is there. */
  static void addTo(CommandLine root) {
    for (CommandLine command : root.getSubcommands().values()) {
      CommandSpec spec = command.getCommandSpec();
      List<String> lines = LINES.getOrDefault(spec.name(), List.of());
      if (!lines.isEmpty()) {
        List<String> text = new ArrayList<>(Arrays.asList(spec.usageMessage().description()));
        text.add("");
        lines.forEach(line -> text.add("  " + line));
        text.add("");
        spec.usageMessage().description(text.toArray(String[]::new));
      }
    }
  }

  /** Returns the first example of a command; empty if it has none. */
  public static Optional<String> first(CommandSpec spec) {
    return Optional.ofNullable(LINES.get(spec.name()))
        .filter(lines -> spec.parent() != null && spec.parent().parent() == null)
        .map(List::getFirst);
  }

  /** Returns all examples, by command. */
  static Map<String, List<String>> all() {
    return LINES;
  }
}
