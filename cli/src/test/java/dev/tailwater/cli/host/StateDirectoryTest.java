package dev.tailwater.cli.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.tailwater.cli.outcome.UserException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** Where the state is kept, and what an agent is called, when nothing is said. */
class StateDirectoryTest {
  @Test
  void whatIsGivenWins() {
    assertEquals(Path.of("/work/s"), resolve(Map.of("STATE_DIRECTORY", "/x"), Optional.of("s")));
  }

  @Test
  void systemdComesNextAndTheFirstOfItsDirectoriesIsTaken() {
    assertEquals(
        Path.of("/var/lib/a"),
        resolve(
            Map.of("STATE_DIRECTORY", "/var/lib/a:/var/lib/b", "XDG_STATE_HOME", "/x"),
            Optional.empty()));
  }

  @Test
  void thenTheDesktopsDirectoryThenTheHomeDirectory() {
    assertEquals(
        Path.of("/x/tailwater"),
        resolve(Map.of("XDG_STATE_HOME", "/x", "HOME", "/h"), Optional.empty()));
    assertEquals(
        Path.of("/h/.local/state/tailwater"), resolve(Map.of("HOME", "/h"), Optional.empty()));
  }

  @Test
  void withoutAnyOfThemItMustBeGiven() {
    assertThrows(UserException.class, () -> resolve(Map.of(), Optional.empty()));
  }

  @Test
  void theHostNameBecomesALegalAgentName() {
    assertEquals("web-1.example.org", AgentName.fromHostName("web-1.example.org"));
    assertEquals("a-b-", AgentName.fromHostName("a/b\u00fc"));
    assertEquals(64, AgentName.fromHostName("x".repeat(100)).length());
    assertThrows(UserException.class, () -> AgentName.fromHostName("(none)"));
    assertThrows(UserException.class, () -> AgentName.fromHostName(""));
  }

  private static Path resolve(Map<String, String> environment, Optional<String> given) {
    Surroundings surroundings =
        new Surroundings(
            System.out, System.err, environment, Path.of("/work"), OptionalInt.empty());
    return StateDirectory.resolve(surroundings, given);
  }
}
