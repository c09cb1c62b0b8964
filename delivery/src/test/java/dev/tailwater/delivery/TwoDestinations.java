package dev.tailwater.delivery;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.tailwater.posix.testkit.InMemory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Two destinations that can be switched, and an agent that delivers to them. */
abstract class TwoDestinations {
  final SwitchedDestination first = SwitchedDestination.inMemory("first");
  final SwitchedDestination second = SwitchedDestination.inMemory("second");
  TestAgent.Place place;

  @BeforeEach
  void makePlace(@TempDir(factory = InMemory.class) Path base) throws Exception {
    place = new TestAgent.Place(base.toRealPath());
  }

  TestAgent start(AgentDestination... destinations) throws Exception {
    return TestAgent.start(place.config(), List.of(destinations), TestAgent.REAL_CALLS);
  }

  TestAgent startBoth() throws Exception {
    return start(first.required(), second.required());
  }

  Path append(String name, String text) throws Exception {
    return Files.writeString(
        place.log(name), text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  static void assertHolds(SwitchedDestination destination, Path born, String... texts)
      throws Exception {
    List<ArchiveContents.StreamContents> streams = destination.contents().bornAt(born.toString());
    assertEquals(
        List.of(texts),
        streams.stream().map(stream -> new String(stream.prefix(), UTF_8)).toList(),
        destination.uri().toString());
    for (ArchiveContents.StreamContents stream : streams) {
      assertFalse(stream.holdsBytesTwice(), destination.uri() + ": bytes held twice");
    }
  }
}
