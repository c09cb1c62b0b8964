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
    // A unit with several state directories lists them all, separated by colons.
    Optional<String> systemd = variable(surroundings, "STATE_DIRECTORY");
    if (systemd.isPresent()) {
      return surroundings.absolute(systemd.get().split(":", 2)[0]);
    }
    Optional<String> xdg = variable(surroundings, "XDG_STATE_HOME");
    if (xdg.isPresent()) {
      return surroundings.absolute(xdg.get()).resolve("tailwater");
    }
    String home = variable(surroundings, "HOME").orElseThrow(() -> noPlace("HOME is not set"));
    if (!home.startsWith("/")) {
      throw noPlace("HOME is not an absolute path: " + home);
    }
    return Path.of(home, ".local", "state", "tailwater").normalize();
  }

  private static Optional<String> variable(Surroundings surroundings, String name) {
    Optional<String> value = surroundings.variable(name);
    if (value.filter(text -> text.contains(Surroundings.REPLACEMENT)).isPresent()) {
      throw noPlace(name + " is not UTF-8");
    }
    return value;
  }

  private static UserException noPlace(String why) {
    return UserException.usage("there is no place for the state: " + why, "give it: --state DIR");
  }
}
