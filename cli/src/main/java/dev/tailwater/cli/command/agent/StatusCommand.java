package dev.tailwater.cli.command.agent;

import dev.tailwater.cli.command.metric.MetricsText;
import dev.tailwater.cli.host.Surroundings;
import dev.tailwater.cli.outcome.ExitCode;
import dev.tailwater.cli.outcome.UserException;
import dev.tailwater.cli.report.Json;
import dev.tailwater.cli.report.JsonText;
import dev.tailwater.cli.report.LossesText;
import dev.tailwater.cli.report.Table;
import dev.tailwater.cli.value.ByteSizes;
import dev.tailwater.cli.value.Durations;
import dev.tailwater.cli.value.Printable;
import dev.tailwater.delivery.control.ControlClient;
import dev.tailwater.delivery.control.ControlJson;
import dev.tailwater.posix.EscapedPath;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code tailwater status}. */
@Command(
    name = "status",
    description =
        "Show what is at risk, as the running agent says, or else the state that the last"
            + " one left. With FILE, exit with 0 only if each is delivered as it is now: to its end,"
            + " and compared since it was last written to.")
public final class StatusCommand implements Callable<Integer> {
  private static final Duration ASK_AGAIN = Duration.ofMillis(50);

  private final Surroundings surroundings;

  @Parameters(arity = "0..*", paramLabel = "FILE", description = "Files that the agent ships.")
  private List<String> files = new ArrayList<>();

  @Mixin private AgentQueries agent = new AgentQueries();

  @Option(
      names = "--wait",
      description = "Wait until every FILE is delivered, at most as long as --timeout says.")
  private boolean wait;

  @Option(
      names = "--timeout",
      paramLabel = "DURATION",
      description =
          "How long --wait waits; then the exit code is 3, as without --wait. Default: 60s.")
  private Optional<String> timeout = Optional.empty();

  @Option(names = "--json", description = "Print the answer as JSON.")
  private boolean json;

  @Option(
      names = "--metrics",
      description =
          "Print metrics in the OpenMetrics text format, for node_exporter's textfile collector or"
              + " any other scraper.")
  private boolean metrics;

  public StatusCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() throws IOException {
    Duration limit = timeout();
    if (timeout.isPresent() && !wait) {
      throw UserException.noEffect("--timeout", "--wait");
    }
    if (wait && files.isEmpty()) {
      throw UserException.usage("--wait waits for files", "name the files to wait for");
    }
    if (metrics && !files.isEmpty()) {
      throw UserException.usage("--metrics are of the agent, not of files", "leave out the files");
    }
    if (!files.isEmpty()) {
      return filesDelivered(limit).number();
    }
    if (metrics && json) {
      throw UserException.usage("--metrics is not JSON", "leave one of --json and --metrics out");
    }
    JsonText status =
        agent.askOrRemember(
            surroundings, ControlClient::status, memory -> ControlJson.status(memory.report()));
    if (metrics) {
      MetricsText.print(status, surroundings.out());
    } else if (json) {
      Json.object(surroundings.out(), status::writeFields);
    } else {
      print(status);
    }
    return ExitCode.DONE.number();
  }

  private List<FileQueries.Answer> askOnce() throws IOException {
    return FileQueries.ask(agent, surroundings, files);
  }

  private List<FileQueries.Answer> waitForFiles(Duration limit) throws IOException {
    long untilNanos = System.nanoTime() + limit.toNanos();
    Path state = agent.stateDirectory(surroundings);
    StateAccess.requireOpen(state);
    while (true) {
      boolean isLast = System.nanoTime() - untilNanos >= 0;
      try {
        List<FileQueries.Answer> answers = askOnce();
        if (isLast || FileQueries.exitCode(answers) == ExitCode.DONE) {
          return answers;
        }
      } catch (UserException e) {
        if (isLast || !Files.isDirectory(state)) {
          throw e;
        } // An agent that is starting does not answer yet.
      }
      try {
        Thread.sleep(ASK_AGAIN);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("interrupted while waiting for files");
      }
    }
  }

  private Duration timeout() {
    try {
      return Durations.parse(timeout.orElse("60s"));
    } catch (IllegalArgumentException e) {
      throw UserException.usage("--timeout: " + e.getMessage(), "for example --timeout 5m");
    }
  }

  private ExitCode filesDelivered(Duration limit) throws IOException {
    List<FileQueries.Answer> answers = wait ? waitForFiles(limit) : askOnce();
    if (json) {
      Json.object(
          surroundings.out(),
          out -> {
            out.writeArrayFieldStart("files");
            for (FileQueries.Answer answer : answers) {
              out.writeStartObject();
              answer.json().writeFields(out);
              out.writeEndObject();
            }
            out.writeEndArray();
          });
    } else {
      Table table = new Table("DELIVERED", ">SIZE", ">DURABLE", "FILE");
      for (FileQueries.Answer answer : answers) {
        table.row(
            Printable.line(answer.word()),
            Long.toString(answer.json().number("sizeBytes")),
            Long.toString(answer.json().number("durableBytes")),
            EscapedPath.of(answer.path()));
      }
      table.print(surroundings.out());
      answers.forEach(answer -> printDestinations(answer.json()));
    }
    return FileQueries.exitCode(answers);
  }

  /** Prints what each destination lacks of a file that is not delivered everywhere. */
  private void printDestinations(JsonText file) {
    List<JsonText> destinations = file.objects("destinations");
    long sizeBytes = file.number("sizeBytes");
    boolean everywhere =
        destinations.stream().allMatch(at -> at.number("durableBytes") >= sizeBytes);
    if (destinations.size() > 1 && !everywhere) {
      surroundings.out().println();
      DestinationTable.print(file, destinations, surroundings.out());
    }
  }

  private void print(JsonText status) {
    PrintStream out = surroundings.out();
    boolean running = status.isTrue("running");
    Table table = new Table("", "").row("agent", agentName(status));
    if (status.has("destination")) {
      table.row("destination", Printable.sentence(status.text("destination")));
    }
    table
        .row("state", running ? doing(status) : "not running; this is what the last run left")
        .row("files", Long.toString(status.number("files")));
    if (status.has("watching")) {
      table.row("directories", directories(status.object("watching")));
      String leftOut = leftOut(status.object("watching"));
      if (!leftOut.isEmpty()) {
        table.row("left out", leftOut);
      }
    }
    NoticeRows.add(table, status);
    table.row("at risk", atRisk(status));
    LossesText losses = LossesText.of(status);
    losses.addRows(table);
    long uncompared = status.number("uncomparedFiles");
    if (uncompared > 0) {
      table.row(
          "not compared",
          uncompared
              + (uncompared == 1 ? " file" : " files")
              + "; the next start compares with the archive");
    }
    SafetyRows.add(table, status);
    if (status.has("neighbour")) {
      NeighbourRow.add(table, status.object("neighbour"));
    }
    if (running) {
      table.row("delivered", delivered(status));
      merged(status).ifPresent(text -> table.row("merged", text));
      signatures(status).ifPresent(text -> table.row("signatures", text));
    }
    table.print(out);
    if (!status.has("destination")) {
      out.println();
      DestinationTable.print(status.objects("destinations"), running, out);
    }
    List<JsonText> atRisk = status.objects("atRisk");
    if (!atRisk.isEmpty()) {
      out.println();
      Table risks = new Table(">AT RISK", ">SIZE", "FILE");
      for (JsonText file : atRisk) {
        long risk = file.number("sizeBytes") - file.number("durableBytes");
        risks.row(
            ByteSizes.forPeople(risk),
            ByteSizes.forPeople(file.number("sizeBytes")),
            Printable.line(file.text("path")));
      }
      risks.print(out);
      long more = status.number("atRiskFiles") - atRisk.size();
      if (more > 0) {
        out.println("and " + more + (more == 1 ? " more file" : " more files"));
      }
    }
    if (!losses.isEmpty()) {
      out.println();
      losses.print(out);
    }
    for (JsonText problem : status.objects("problems")) {
      out.println();
      out.println(
          "problem, "
              + problem.number("times")
              + " times: "
              + Printable.sentence(problem.text("message")));
      if (problem.has("hint")) {
        out.println("Hint: " + Printable.sentence(problem.text("hint")));
      }
    }
  }

  private static String agentName(JsonText status) {
    String name = status.text("agent");
    return status.has("pid") ? name + " (process " + status.number("pid") + ")" : name;
  }

  private static String doing(JsonText status) {
    return status.text("phase").equals("last_gasp")
        ? "draining, and reading nothing any more"
        : status.isTrue("draining") ? "draining" : "shipping";
  }

  /** Lists only the methods of watching that are in use. */
  private static String directories(JsonText watching) {
    List<String> parts = new ArrayList<>();
    addPart(parts, watching.number("inotifyDirectories"), "watched by inotify");
    addPart(parts, watching.number("hotDirectories"), "of them busy: their files are polled");
    addPart(parts, watching.number("fanotifyDirectories"), "watched by fanotify");
    addPart(parts, watching.number("polledDirectories"), "polled");
    return parts.isEmpty() ? "none yet" : String.join(", ", parts);
  }

  /** Returns what is left out; empty if nothing is. */
  private static String leftOut(JsonText watching) {
    List<String> parts = new ArrayList<>();
    addPart(parts, watching.number("leftOut"), "files and directories for lack of memory");
    addPart(parts, watching.number("foreignLinks"), "hard links that others can have made");
    return String.join(", ", parts);
  }

  private static void addPart(List<String> parts, long count, String what) {
    if (count > 0) {
      parts.add(count + " " + what);
    }
  }

  private static String atRisk(JsonText status) {
    long bytes = status.number("atRiskBytes");
    if (!status.isTrue("running")) {
      // Of others, such as those that it could not open, its state has nothing.
      return bytes == 0 ? "nothing of these files" : ByteSizes.forPeople(bytes);
    }
    List<String> parts = new ArrayList<>();
    if (bytes > 0) {
      parts.add(
          String.format(
              Locale.ROOT,
              "%s, the oldest for %.1f s",
              ByteSizes.forPeople(bytes),
              status.number("oldestAtRiskMillis") / 1000.0));
    }
    addPart(
        parts,
        status.object("watching").number("waitingFiles"),
        "files that wait to be opened, with whatever is written to them"
            + waitingOwners(status.object("watching")));
    if (status.object("watching").isTrue("searchWaits")) {
      parts.add("files that are not looked for until then");
    }
    addPart(
        parts,
        status.object("watching").number("unopenedFiles"),
        "files or directories that could not be opened, with whatever is in them");
    long unseenMillis = status.object("watching").number("unseenMillis");
    if (unseenMillis > 0) {
      parts.add(
          "whatever was written in the last "
              + Math.max(1, unseenMillis / 1000)
              + " s, in which no source was looked at");
    }
    return parts.isEmpty() ? "nothing" : String.join(", and ", parts);
  }

  /** Says whose files wait, if there are several owners. */
  private static String waitingOwners(JsonText watching) {
    long owners = watching.number("waitingOwners");
    if (owners < 2) {
      return "";
    }
    List<String> most = new ArrayList<>();
    for (JsonText owner : watching.objects("mostWaitingOwners")) {
      most.add(owner.number("files") + " of user " + owner.number("userId"));
    }
    return " (" + owners + " owners: " + String.join(", ", most) + ")";
  }

  /** Adds up all destinations. */
  private static Optional<String> merged(JsonText status) {
    long merged = 0;
    long superseded = 0;
    long bytes = 0;
    long gathered = 0;
    long notGathered = 0;
    for (JsonText at : status.objects("destinations")) {
      gathered += at.number("gatheredSegments");
      notGathered += at.number("notGathered");
      merged += at.number("mergedSegments");
      superseded += at.number("supersededSegments");
      bytes += at.number("mergedBytes");
    }
    if (merged == 0 && notGathered == 0) {
      return Optional.empty();
    }
    String sentence =
        superseded
            + " short segments into "
            + (merged - gathered)
            + (gathered == 0 ? "" : ", and packs into " + gathered + " more,")
            + " with "
            + ByteSizes.forPeople(bytes)
            + " of files";
    return Optional.of(
        notGathered == 0
            ? sentence
            : sentence + "; " + notGathered + " times the file was gone or had other bytes");
  }

  /** Tells the key of the agent, and whether it believes objects that are not signed. */
  private static Optional<String> signatures(JsonText status) {
    if (!status.has("signingKey")) {
      return Optional.empty();
    }
    long untrusted = 0;
    for (JsonText at : status.objects("destinations")) {
      untrusted += at.number("untrustedObjects");
    }
    return Optional.of(
        Printable.line(status.text("signingKey"))
            + (status.isTrue("signaturesRequired")
                ? "; objects of others, which are not believed: " + untrusted
                : "; the key is in the state directory only: if that is lost, nobody checks what the"
                    + " archive says is delivered (signing_key_file)"));
  }

  private static String delivered(JsonText status) {
    return ByteSizes.forPeople(status.number("deliveredBytes"))
        + " in "
        + status.number("deliveredSegments")
        + " segments of "
        + ByteSizes.forPeople(status.number("storedBytes"))
        + " since the agent started";
  }
}
