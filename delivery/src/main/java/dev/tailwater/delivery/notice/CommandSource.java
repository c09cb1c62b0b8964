package dev.tailwater.delivery.notice;

import dev.tailwater.delivery.command.CommandRun;
import dev.tailwater.delivery.command.UserCommand;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A command that the user has configured. Exit code 0 means that there is a notice, which its
 * output may describe ({@link NoticeContent}); 1 to 125 mean that there is none. It has failed when
 * it cannot be run (a shell exits with 126 or 127 then), is ended by a signal, or takes too long.
 */
final class CommandSource implements NoticeSource {
  private static final int MAX_NONE = 125;

  private final UserCommand command;
  private final Duration every;
  private final Duration usual;
  private final InstantSource wallClock;

  CommandSource(UserCommand command, Duration every, Duration usual, InstantSource wallClock) {
    this.command = command;
    this.every = every;
    this.usual = usual;
    this.wallClock = wallClock;
  }

  @Override
  public String name() {
    return "command '" + command.shown() + "'";
  }

  @Override
  public Duration pause() {
    return every;
  }

  @Override
  public List<Notice> ask() throws IOException, InterruptedException {
    List<String> output = new ArrayList<>();
    CommandRun.Outcome outcome = CommandRun.run(command, Map.of(), output::add);
    if (!outcome.inTime()) {
      throw new IOException(
          "was killed, since it took longer than " + command.limit().toMillis() + " ms");
    }
    if (outcome.exitCode() > MAX_NONE) {
      String last = output.isEmpty() ? "" : ": " + output.getLast();
      throw new IOException("ended with " + outcome.exitCode() + last);
    }
    if (outcome.exitCode() != 0) {
      return List.of();
    }
    NoticeContent content = NoticeContent.parseOrText(String.join("\n", output));
    Instant now = wallClock.instant();
    return List.of(content.notice(content.id(), now, now, usual, "the command says so"));
  }
}
