package dev.tailwater.delivery.hook;

import dev.tailwater.delivery.command.CommandRun;
import dev.tailwater.delivery.command.UserCommand;
import dev.tailwater.delivery.problem.Problems;
import dev.tailwater.delivery.time.Deadline;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;

/**
 * Runs the user's commands at each transition, each on a thread of its own, so that none holds up a
 * drain. Thread-safe.
 *
 * <p>In addition to the environment of the agent, a hook gets {@code TAILWATER_PHASE} ({@code
 * hurry}, {@code last_gasp}, {@code safe} or {@code steady}), {@code TAILWATER_SECONDS_LEFT} (whole
 * seconds until the deadline, empty if there is none) and {@code TAILWATER_NOTICE} (the notice and
 * its source, in words). A hook that fails or takes too long is a problem until it succeeds; it
 * changes nothing else.
 */
public final class Hooks implements AutoCloseable {
  private final Map<HookMoment, UserCommand> commands;
  private final Problems problems;
  private final BiConsumer<HookMoment, String> output;
  private final Set<Thread> running = ConcurrentHashMap.newKeySet();

  /**
   * Creates the hooks.
   *
   * @param output is given each line that a hook writes, unchanged: it may hold any character
   */
  public Hooks(
      Map<HookMoment, UserCommand> commands,
      Problems problems,
      BiConsumer<HookMoment, String> output) {
    this.commands = Map.copyOf(commands);
    this.problems = problems;
    this.output = output;
  }

  /** Starts the hook of this moment, if there is one, and returns. */
  public void run(HookMoment moment, Optional<Duration> left, String notice) {
    if (!commands.containsKey(moment)) {
      return;
    }
    UserCommand command = commands.get(moment);
    Map<String, String> variables =
        Map.of(
            "TAILWATER_PHASE",
            moment.word(),
            "TAILWATER_SECONDS_LEFT",
            left.map(time -> Long.toString(Math.max(0, time.toSeconds()))).orElse(""),
            "TAILWATER_NOTICE",
            notice.replace('\0', ' '));
    Thread thread =
        Thread.ofVirtual()
            .name("hook-" + moment.word())
            .unstarted(
                () -> {
                  try {
                    run(moment, command, variables);
                  } finally {
                    running.remove(Thread.currentThread());
                  }
                });
    running.add(thread);
    thread.start();
  }

  private void run(HookMoment moment, UserCommand command, Map<String, String> variables) {
    String subject = "hook on_" + moment.word();
    try {
      CommandRun.Outcome outcome =
          CommandRun.run(command, variables, line -> output.accept(moment, line));
      if (outcome.isSuccess()) {
        problems.resolved(subject);
      } else if (outcome.inTime()) {
        failed(subject, command, "ended with " + outcome.exitCode());
      } else {
        failed(
            subject,
            command,
            "was killed, since it took longer than " + command.limit().toMillis() + " ms");
      }
    } catch (IOException e) {
      failed(subject, command, "could not be run: " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // Closed; the command has been killed.
    }
  }

  private void failed(String subject, UserCommand command, String how) {
    problems.report(
        subject,
        subject + ": '" + command.shown() + "' " + how,
        Optional.of("try the command by hand; its time limit is set with 'limit'"),
        true); // It is not tried again before its moment comes again.
  }

  /** Returns whether a hook is running. */
  public boolean isRunning() {
    return !running.isEmpty();
  }

  /** Waits for hooks that run, but no longer than this; false if some still do. */
  public boolean await(Duration atMost) throws InterruptedException {
    Deadline deadline = Deadline.after(atMost);
    for (Thread thread : running) {
      var _ = deadline.join(thread);
    }
    return running.isEmpty();
  }

  /** Kills the hooks that run. */
  @Override
  public void close() {
    running.forEach(Thread::interrupt);
  }
}
