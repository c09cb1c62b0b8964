package dev.tailwater.cli.host;

import dev.tailwater.cli.outcome.UserException;
import java.nio.file.Path;
import java.util.Optional;

/** Where an agent keeps its state. */
public final class StateDirectory {
  private StateDirectory() {}

  /**
   * The directory that was given, else {@code $STATE_DIRECTORY} (systemd.exec(5)), else {@code
   * $XDG_STATE_HOME/tailwater}, else {@code ~/.local/state/tailwater}.
   */
  public static Path resolve(Surroundings surroundings, Optional<String> given) {
    if (given.isPresent()) {
      return surroundings.absolute(given.get());
    }
    Optional<String> systemd = surroundings.variable("STATE_DIRECTORY");
    if (systemd.isPresent()) {
      // A unit with several state directories lists them all, separated by colons.
      return surroundings.absolute(systemd.get().split(":", 2)[0]);
    }
    Optional<String> xdg = surroundings.variable("XDG_STATE_HOME");
    if (xdg.isPresent()) {
      return surroundings.absolute(xdg.get()).resolve("tailwater");
    }
    String home =
        surroundings
            .variable("HOME")
            .orElseThrow(
                () ->
                    UserException.usage(
                        "there is no place for the state: HOME is not set",
                        "give it: --state DIR"));
    return Path.of(home, ".local", "state", "tailwater");
  }
}
