package dev.tailwater.cli.command.ship;

import dev.tailwater.cli.config.ConfigFile;
import dev.tailwater.cli.config.ConfigProblem;
import dev.tailwater.cli.config.NoticeSetting;
import dev.tailwater.cli.config.ShipSettings;
import dev.tailwater.cli.host.Surroundings;
import dev.tailwater.cli.outcome.ExitCode;
import dev.tailwater.cli.report.Json;
import dev.tailwater.cli.ship.ConfigCheck;
import dev.tailwater.cli.value.Printable;
import dev.tailwater.delivery.neighbour.Neighbour;
import dev.tailwater.delivery.neighbour.NeighbourEnvironment;
import dev.tailwater.delivery.notice.MachineVendor;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code tailwater check CONFIG}. Loads the plug-ins of the destinations, but does not contact the
 * destinations; {@code probe} does.
 */
@Command(
    name = "check",
    description = "Check a configuration file, and name line and key of every problem.",
    footer = {
      "",
      "Files of recipients are read. Plug-ins of the destinations are loaded and check"
          + " their options; 'tailwater probe' tries the destination itself."
    })
public final class CheckCommand implements Callable<Integer> {
  private final Surroundings surroundings;

  @Parameters(paramLabel = "CONFIG", description = "The file, as for 'ship --config'.")
  private String file = "";

  @Option(names = "--json", description = "Print the result as JSON.")
  private boolean json;

  public CheckCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() throws IOException {
    ConfigFile.Result result = ConfigFiles.read(surroundings, file, new ConfigCheck(surroundings));
    List<ConfigProblem> problems = result.problems();
    List<String> notes = problems.isEmpty() ? notes(result.settings().build()) : List.of();
    if (json) {
      printJson(problems, notes);
    } else if (problems.isEmpty()) {
      surroundings.out().println(Printable.line(file) + ": no problems");
      notes.forEach(note -> surroundings.out().println("note: " + note));
    } else {
      for (ConfigProblem problem : problems) {
        surroundings.err().println(Printable.text(problem.at(file)));
        problem
            .hint()
            .ifPresent(hint -> surroundings.err().println("Hint: " + Printable.text(hint)));
      }
    }
    return (problems.isEmpty() ? ExitCode.DONE : ExitCode.USAGE).number();
  }

  /** Returns what the settings mean on this machine; these are no problems. */
  private static List<String> notes(ShipSettings settings) {
    List<String> notes = new ArrayList<>();
    if (settings.neighbour().pressure().isPresent()) {
      Neighbour.blindness(NeighbourEnvironment.system()).ifPresent(notes::add);
    }
    List<NoticeSetting> notices = settings.notices().sources();
    if (notices.isEmpty() || notices.stream().anyMatch(NoticeSetting.Auto.class::isInstance)) {
      notes.add("notices, auto: " + new MachineVendor().description());
    }
    return notes;
  }

  private void printJson(List<ConfigProblem> problems, List<String> notes) throws IOException {
    Json.object(
        surroundings.out(),
        json -> {
          json.writeStringField("file", file);
          json.writeBooleanField("valid", problems.isEmpty());
          json.writeArrayFieldStart("problems");
          for (ConfigProblem problem : problems) {
            json.writeStartObject();
            json.writeNumberField("line", problem.line());
            json.writeNumberField("column", problem.column());
            json.writeStringField("message", problem.message());
            if (problem.hint().isPresent()) {
              json.writeStringField("hint", problem.hint().get());
            }
            json.writeEndObject();
          }
          json.writeEndArray();
          json.writeArrayFieldStart("notes");
          for (String note : notes) {
            json.writeString(note);
          }
          json.writeEndArray();
        });
  }
}
