package dev.tailwater.delivery.command;

import java.time.Duration;
import java.util.List;

/**
 * A command that the user has configured.
 *
 * @param words the program and its arguments, which no shell interprets
 * @param limit how long it may take before it is killed
 */
public record UserCommand(List<String> words, Duration limit) {
  public UserCommand {
    words = List.copyOf(words);
    if (words.isEmpty() || words.getFirst().isBlank()) {
      throw new IllegalArgumentException("a command needs a program");
    }
    if (words.stream().anyMatch(word -> word.indexOf('\0') >= 0)) {
      throw new IllegalArgumentException("a command cannot hold a NUL character");
    }
    if (!limit.isPositive()) {
      throw new IllegalArgumentException("the time limit of a command must be positive");
    }
  }

  /** Creates a command for the shell: {@code /bin/sh -c line}. */
  public static UserCommand shell(String line, Duration limit) {
    if (line.isBlank()) {
      throw new IllegalArgumentException("a command needs a program");
    }
    return new UserCommand(List.of("/bin/sh", "-c", line), limit);
  }

  /** Returns the command as people would write it. */
  public String shown() {
    boolean isShell = words.size() == 3 && words.subList(0, 2).equals(List.of("/bin/sh", "-c"));
    return isShell ? words.get(2) : String.join(" ", words);
  }
}
