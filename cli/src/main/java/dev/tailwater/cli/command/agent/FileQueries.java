package dev.tailwater.cli.command.agent;

import dev.tailwater.cli.host.PathArgument;
import dev.tailwater.cli.host.Surroundings;
import dev.tailwater.cli.outcome.ExitCode;
import dev.tailwater.cli.report.Json;
import dev.tailwater.cli.report.JsonText;
import dev.tailwater.delivery.OfflineStatus;
import dev.tailwater.delivery.control.ControlJson;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Queries how far single files are delivered. A file for which that cannot be told does not stop
 * the others.
 */
final class FileQueries {
  private static final String ERROR = "error";

  /**
   * What is known of one file.
   *
   * @param json what the agent, or its state, says; or {@code path} and {@code error}
   */
  record Answer(PosixPath path, JsonText json) {
    boolean isError() {
      return json.has(ERROR);
    }

    boolean isDelivered() {
      return !isError() && json.isTrue("delivered");
    }

    /** Returns a word or two for a table. */
    String word() {
      if (isError()) {
        return json.text(ERROR);
      }
      if (json.isTrue("changedInPlace")) {
        return "changed in place";
      }
      if (isDelivered()) {
        return "yes";
      }
      if (!json.has("stream")) {
        return "not watched";
      }
      boolean durable = json.number("durableBytes") >= json.number("sizeBytes");
      if (durable && !json.isTrue("compared")) {
        return "not compared yet";
      }
      return durable && json.isTrue("renamed") ? "new name not delivered yet" : "no";
    }
  }

  private FileQueries() {}

  /** Returns an answer for each name, in their order. */
  static List<Answer> ask(AgentQueries agent, Surroundings surroundings, List<String> names)
      throws IOException {
    PathArgument argument = new PathArgument(surroundings, LinuxFileCalls.create());
    List<Answer> answers = new ArrayList<>();
    for (String name : names) {
      PosixPath path = argument.absolute(name);
      JsonText said =
          agent.askOrRememberErrors(
              surroundings, client -> client.file(path), memory -> remembered(memory, path));
      answers.add(new Answer(path, said.has(ERROR) ? error(path, said.text(ERROR)) : said));
    }
    return answers;
  }

  private static String remembered(OfflineStatus memory, PosixPath path) throws IOException {
    try {
      return ControlJson.file(memory.file(path));
    } catch (IOException e) {
      return errorText(path, String.valueOf(e.getMessage()));
    }
  }

  private static JsonText error(PosixPath path, String why) throws IOException {
    return JsonText.parse(errorText(path, why));
  }

  private static String errorText(PosixPath path, String why) throws IOException {
    ByteArrayOutputStream json = new ByteArrayOutputStream();
    Json.object(
        json,
        out -> {
          out.writeStringField("path", path.toString());
          out.writeStringField(ERROR, why);
        });
    return json.toString(StandardCharsets.UTF_8);
  }

  /** Returns the exit code: done only if all files are delivered. */
  static ExitCode exitCode(List<Answer> answers) {
    return answers.stream().allMatch(Answer::isDelivered) ? ExitCode.DONE : ExitCode.PARTIAL;
  }
}
