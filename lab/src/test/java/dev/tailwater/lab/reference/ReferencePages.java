package dev.tailwater.lab.reference;

import dev.tailwater.cli.command.CommandTree;
import dev.tailwater.cli.command.metric.LabelledMetric;
import dev.tailwater.cli.command.metric.Metric;
import dev.tailwater.cli.command.metric.MetricFamily;
import dev.tailwater.cli.config.ShipKey;
import dev.tailwater.cli.host.Surroundings;
import dev.tailwater.cli.outcome.ExitCode;
import dev.tailwater.cli.schema.ConfigSchema;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;
import picocli.CommandLine;

/** Writes the pages of {@code docs/reference} from the code that they describe. */
final class ReferencePages {
  private static final String NOTE =
      """
      <!-- Made from the code by ReferenceTest; do not edit. To make it anew:
           ./mvnw -q -pl lab -am test -Dtest=ReferenceTest -Dtailwater.reference=write -->

      """;

  private ReferencePages() {}

  /** All pages, by file name. */
  static Map<String, String> all() throws IOException {
    Map<String, String> pages = new TreeMap<>();
    pages.put("cli.md", NOTE + cli());
    pages.put("config.md", NOTE + config());
    pages.put("exit-codes.md", NOTE + exitCodes());
    pages.put("metrics.md", NOTE + metrics());
    pages.put("tailwater.schema.json", schema());
    return pages;
  }

  private static String schema() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ConfigSchema.write(out);
    return out.toString(StandardCharsets.UTF_8);
  }

  private static String cli() {
    PrintStream silent =
        new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
    CommandLine root =
        CommandTree.create(
            new Surroundings(silent, silent, Map.of(), Path.of("/"), OptionalInt.empty()));
    StringBuilder page = new StringBuilder("# Commands and options\n\n");
    append(page, root);
    return page.toString();
  }

  private static void append(StringBuilder page, CommandLine command) {
    if (command.getCommandSpec().usageMessage().hidden()) {
      return;
    }
    page.append("## ").append(command.getCommandSpec().qualifiedName()).append("\n\n```\n");
    page.append(command.getUsageMessage().replaceAll("(?m)[ \t]+$", "").strip());
    page.append("\n```\n\n");
    if (command.getCommandName().equals("help")) {
      return;
    }
    command.getSubcommands().values().forEach(sub -> append(page, sub));
  }

  private static String config() {
    StringBuilder page =
        new StringBuilder(
            """
            # Configuration file

            `tailwater ship --config FILE` reads a YAML file; `tailwater check FILE` validates one.
            A key is the option of `tailwater ship` with underscores; an option on the command line wins.
            Relative paths begin in the directory of the file. Durations are a whole number and `ms`, `s`,
            `m`, `h` or `d`, of 36500 days at most; sizes a whole number and `B`, `KiB`, `MiB` or `GiB`.

            | key | value | default | meaning |
            | --- | --- | --- | --- |
            | `sources` | list | none, must be given | What to ship: each a path, or `path`, `include`, `exclude`, `as` and `cut_at` as below. |
            """);
    page.append(
        "| `hooks` | map | none | Commands that are run when the pace changes, as below. |\n");
    for (ShipKey key : ShipKey.values()) {
      String standard =
          key.standard().map(value -> "`" + value + "`").orElse(key.standardForPeople());
      page.append("| `").append(key.key()).append("` | ");
      page.append(key.placeholder()).append(key.isList() ? ", or a list" : "").append(" | ");
      page.append(standard).append(" | ").append(key.meaning()).append(" |\n");
    }
    page.append(
        """

        Keys of a source:

        | key | value | default | meaning |
        | --- | --- | --- | --- |
        | `path` | PATH | none, must be given | A directory with everything below it, a file, or a glob. |
        | `include` | GLOB, or a list | all files | Ship only files that match. |
        | `exclude` | GLOB, or a list | nothing | Leave out files and directories that match. |
        | `as` | PATH | its own path | The absolute path that it has in the archive: where it was on the machine that its disk comes from. |
        | `cut_at` | WHERE | `anywhere` | Where segments of its files may end: `anywhere`, or `newline`, so that programs that read objects one by one see whole lines. |

        Instead of `destination`, `destinations` is a list of them; everything is delivered to each. A destination
        is a URI or a path, or a map:

        | key | value | default | meaning |
        | --- | --- | --- | --- |
        | `uri` | URI | none, must be given | Where the archive lives. |
        | `name` | NAME | the URI | How reports call it. |
        | `best_effort` | `true` or `false` | `false` | Nobody counts on it: what it lacks is not at risk. At least one is required. |
        | `bandwidth` | RATE | that of `bandwidth` above | How fast bytes may go there, except in a drain. |

        Every other key is an option of that kind of destination, with underscores, as in the query of its URI.

        In the list `notices` a source can be a map with one of the first three keys:

        | key | value | default | meaning |
        | --- | --- | --- | --- |
        | `file` | PATH | | A file that appears. |
        | `http` | URI | | An endpoint: 200 says that there is a notice, 204 or 404 that there is none. |
        | `command` | COMMAND | | A command: exit code 0 says that there is a notice, 1 to 125 that there is none. |
        | `every` | DURATION | `500ms` for a file, else `5s` | How often it is asked. |
        | `limit` | DURATION | `5s` | How long an endpoint or a command may take. |

        Keys of `hooks`; each is a COMMAND, or a map of `command` and `limit` (default `5s`):

        | key | when it is run |
        | --- | --- |
        | `on_hurry` | The machine goes away or the agent was told to stop: everything is delivered now. |
        | `on_last_gasp` | Reading has stopped for ever; what is left is written down. |
        | `on_safe` | Nothing is at risk, for the first time since the hurry began. |
        | `on_steady` | The notice was withdrawn: everything goes on as before. |

        A COMMAND is one text, which `/bin/sh -c` runs, or a list of a program and its arguments, which no shell sees.

        `neighbour` is `off`, the text of the option, or a map; what is not said has its default:

        | key | value | default | meaning |
        | --- | --- | --- | --- |
        | `nice` | 0 to 19 | `10` | Nice level of the threads that read, compress and merge. |
        | `scheduling` | `normal`, `batch` or `idle` | `batch` | Their scheduling policy. |
        | `io_priority` | `none`, `idle` or `best-effort:0` to `best-effort:7` | `best-effort:7` | Their I/O priority, and that of the threads that deliver. |
        | `cpu_limit` | `50%`, `0.5` or `off` | `off` | Processor time of the whole agent, in processors; may be more than one. |
        | `pressure` | `on`, `off`, or a map of `cpu`, `io` and `memory`, each a percentage or `off` | `on`: `{cpu: 20%, io: 30%, memory: 10%}` | From which part of the time on others are said to wait, so that the agent rests. |
        """);
    return page.toString();
  }

  private static String metrics() {
    StringBuilder page =
        new StringBuilder(
            """
            # Metrics

            `tailwater status --metrics` prints them in the OpenMetrics text format. Each has the label `agent`,
            and is left out when there is nothing to say.

            | metric | type | meaning |
            | --- | --- | --- |
            """);
    for (Metric metric : Metric.values()) {
      append(metric, page).append(" |\n");
    }
    for (LabelledMetric metric : LabelledMetric.values()) {
      append(metric, page).append(" Labels: ").append(metric.labels()).append(". |\n");
    }
    return page.toString();
  }

  private static StringBuilder append(MetricFamily family, StringBuilder page) {
    page.append("| `").append(family.sample()).append("` | ").append(family.type());
    return page.append(" | ").append(family.kind().meaning());
  }

  private static String exitCodes() {
    StringBuilder page = new StringBuilder("# Exit codes\n\n| code | meaning |\n| --- | --- |\n");
    for (ExitCode code : ExitCode.values()) {
      page.append("| ").append(code.number()).append(" | ").append(code.meaning()).append(" |\n");
    }
    page.append(
        """

        ## `ship`

        | code | when |
        | --- | --- |
        | 0 | Every byte that was seen is durable at every required destination. What went wrong beside that (the state could not be saved, directories are polled since inotify's limit is reached, merging) is listed behind `besides:`. |
        | 1 | It could not start; with `--once`, no source exists or matches a file; it ran out of memory. |
        | 2 | The options or the configuration file are wrong, or two places are the same. |
        | 3 | Bytes are left, also those that were written after reading had stopped; a file could not be read or looked at; a file was changed in place after it was read, or was gone before it could be opened; with `--once`, some of the sources do not exist or match no file. |

        With `--dry-run`, the code is the one that the run would have as far as names, permissions and the state tell:
        3 if a file cannot be read, and with `--once` as above if sources do not exist.

        A signal while the agent starts is heard when the start is over: the code is that of the drain which follows. One
        that comes before the program itself runs, in the first tenths of a second of the JVM, ends it with 128 and the
        signal's number. [Why](../decisions/0120-exit-codes-of-an-agent.md).

        ## `status`

        | code | when |
        | --- | --- |
        | 0 | It has answered. Without FILE that says nothing about delivery, nor whether an agent runs: the answer does. With FILE: each is delivered, as it is now. |
        | 1 | No agent answers, and none has left a state to answer from. |
        | 3 | A FILE is not delivered, or that is not known. |
        """);
    return page.toString();
  }
}
