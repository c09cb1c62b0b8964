package dev.tailwater.cli.command.agent;

import dev.tailwater.cli.host.Surroundings;
import dev.tailwater.cli.outcome.ExitCode;
import dev.tailwater.cli.report.Json;
import dev.tailwater.cli.report.JsonText;
import dev.tailwater.cli.report.LeftBehindText;
import dev.tailwater.cli.report.LossesText;
import dev.tailwater.cli.value.ByteSizes;
import dev.tailwater.cli.value.Printable;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code tailwater drain}. */
@Command(
    name = "drain",
    description =
        "Ask the running agent to deliver everything now, and wait until it has (for"
            + " preStop hooks).")
public final class DrainCommand implements Callable<Integer> {
  private final Surroundings surroundings;

  @Mixin private AgentQueries agent = new AgentQueries();

  @Option(names = "--json", description = "Print the report as JSON.")
  private boolean json;

  public DrainCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() throws IOException {
    JsonText report = agent.ask(surroundings, client -> client.drain());
    if (json) {
      Json.object(surroundings.out(), report::writeFields);
    } else {
      print(report, surroundings.err());
    }
    return (report.isTrue("complete") ? ExitCode.DONE : ExitCode.PARTIAL).number();
  }

  private static void print(JsonText report, PrintStream err) {
    long leftBytes = report.number("leftBehindBytes");
    err.println(
        String.format(
            Locale.ROOT,
            "tailwater: delivered %s in %.1f s, %s",
            ByteSizes.forPeople(report.number("deliveredBytes")),
            report.number("tookMillis") / 1000.0,
            leftBytes > 0
                ? ByteSizes.forPeople(leftBytes) + " left behind:"
                : report.isTrue("complete")
                    ? "nothing is left"
                    : "but not everything could be done:"));
    List<JsonText> destinations = report.objects("destinations");
    if (destinations.size() > 1) {
      destinations.forEach(destination -> printDestination(destination, err));
    }
    LeftBehindText.of(report).print(err);
    LossesText.of(report).print(err);
    for (JsonText problem : report.objects("problems")) {
      err.println("  " + Printable.sentence(problem.text("message")));
    }
    for (JsonText problem : report.objects("otherProblems")) {
      String kind = problem.isTrue("bytesDependOnIt") ? "best effort: " : "besides: ";
      err.println("  " + kind + Printable.sentence(problem.text("message")));
    }
  }

  private static void printDestination(JsonText destination, PrintStream err) {
    long leftBytes = destination.number("leftBehindBytes");
    err.println(
        "  "
            + Printable.line(destination.text("name"))
            + (destination.isTrue("required") ? "" : " (best effort)")
            + ": delivered "
            + ByteSizes.forPeople(destination.number("deliveredBytes"))
            + (leftBytes == 0 ? ", nothing is left" : ", lacks " + ByteSizes.forPeople(leftBytes)));
  }
}
