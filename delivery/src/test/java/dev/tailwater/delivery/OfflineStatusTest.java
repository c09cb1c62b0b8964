package dev.tailwater.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.delivery.config.AgentConfig;
import dev.tailwater.delivery.config.Source;
import dev.tailwater.delivery.status.FileDelivery;
import dev.tailwater.delivery.status.StatusReport;
import dev.tailwater.destination.OpenIntent;
import dev.tailwater.posix.PosixPath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the state of an agent that does not run says of files that changed since. */
class OfflineStatusTest {
  private TestAgent.Place place;

  @BeforeEach
  void makePlace(@TempDir Path base) throws Exception {
    place = new TestAgent.Place(base.toRealPath());
  }

  private void deliver(String... names) throws Exception {
    for (String name : names) {
      Files.writeString(place.log(name), "text of " + name + "\n");
    }
    try (TestAgent agent = TestAgent.start(place)) {
      assertTrue(agent.drain().isComplete());
    }
  }

  private StatusReport report() throws IOException {
    return OfflineStatus.read(TestAgent.REAL_CALLS, PosixPath.of(place.state()))
        .orElseThrow()
        .report();
  }

  private FileDelivery file(String name) throws IOException {
    return OfflineStatus.read(TestAgent.REAL_CALLS, PosixPath.of(place.state()))
        .orElseThrow()
        .file(PosixPath.of(place.log(name)));
  }

  private void append(String name, int bytes) throws IOException {
    Files.writeString(place.log(name), "x".repeat(bytes), StandardOpenOption.APPEND);
  }

  private void rename(String from, String to) throws IOException {
    Files.move(place.log(from), place.log(to), StandardCopyOption.REPLACE_EXISTING);
  }

  @Test
  void countsAFileOnceThatTookTheNameOfAnother() throws Exception {
    deliver("app.log", "app.log.1", "app.log.2");
    append("app.log", 7);
    rename("app.log.1", "app.log.2");
    rename("app.log", "app.log.1");
    Files.writeString(place.log("app.log"), "not known yet\n");
    StatusReport report = report();
    assertEquals(3, report.files().watched());
    assertEquals(1, report.files().atRiskFiles());
    assertEquals(7, report.progress().atRiskBytes());
    assertEquals(
        List.of(place.log("app.log.1").toString()),
        report.files().atRisk().stream().map(StatusReport.FileAtRisk::path).toList());
    assertEquals(FileDelivery.Change.RENAMED, file("app.log.2").change());
    assertTrue(file("app.log").stream().isEmpty());
  }

  @Test
  void countsTwoFilesThatChangedTheirNamesOnceEach() throws Exception {
    deliver("a", "b");
    append("a", 5);
    append("b", 3);
    rename("a", "c");
    rename("b", "a");
    rename("c", "b");
    StatusReport report = report();
    assertEquals(2, report.files().atRiskFiles());
    assertEquals(8, report.progress().atRiskBytes());
  }

  @Test
  void namesTheFilesWithTheMostAtRisk() throws Exception {
    String[] names = IntStream.range(0, 50).mapToObj(i -> "f" + i).toArray(String[]::new);
    deliver(names);
    for (int i = 0; i < 50; i++) {
      append(names[i], i + 1);
    }
    StatusReport report = report();
    assertEquals(50, report.files().atRiskFiles());
    assertEquals(50 * 51 / 2, report.progress().atRiskBytes());
    assertEquals(
        IntStream.range(0, StatusReport.Files.MOST_NAMED).mapToObj(i -> 50L - i).toList(),
        report.files().atRisk().stream().map(StatusReport.FileAtRisk::atRiskBytes).toList());
  }

  @Test
  void findsFilesThatAreArchivedAsThoseOfAnotherDirectory() throws Exception {
    Files.writeString(place.log("app.log"), "text\n");
    Source moved =
        new Source(PosixPath.of(place.logs()), List.of(), List.of())
            .archivedAs(PosixPath.of("/var/log/other"));
    AgentConfig config =
        AgentConfig.builder(TestAgent.NAME, List.of(moved), PosixPath.of(place.state())).build();
    try (TestAgent agent = TestAgent.start(place, config, TestAgent.REAL_CALLS)) {
      assertTrue(agent.drain().isComplete());
    }
    assertTrue(file("app.log").isDelivered());
    append("app.log", 9);
    assertEquals(9, report().progress().atRiskBytes());
    assertEquals(
        List.of(place.log("app.log").toString()),
        report().files().atRisk().stream().map(StatusReport.FileAtRisk::path).toList());
  }

  @Test
  void anEmptyFileOfWhichTheArchiveWasNotToldIsNotDelivered() throws Exception {
    deliver("app.log");
    Files.createFile(place.log("empty"));
    SwitchedDestination full =
        new SwitchedDestination("full", place.openArchive(TestAgent.REAL_CALLS, OpenIntent.WRITE))
            .set(SwitchedDestination.Mode.FULL);
    try (TestAgent agent = TestAgent.start(place.config(), full, TestAgent.REAL_CALLS)) {
      assertFalse(agent.agent().drain(Optional.of(Duration.ofSeconds(1))).isComplete());
    }
    assertFalse(file("empty").isDelivered(), file("empty").toString());
    deliver("app.log");
    assertTrue(file("empty").isDelivered(), file("empty").toString());
  }

  @Test
  void saysWhereThereIsNoFile() throws Exception {
    deliver("app.log");
    Files.createDirectory(place.log("sub"));
    assertEquals(
        place.log("absent") + ": there is no such file",
        assertThrows(IOException.class, () -> file("absent")).getMessage());
    assertEquals(
        place.log("sub") + " is not a regular file",
        assertThrows(IOException.class, () -> file("sub")).getMessage());
  }

  @Test
  void aFileWithTwoNamesIsDeliveredUnderBoth() throws Exception {
    deliver("app.log");
    Files.createLink(place.log("link"), place.log("app.log"));
    assertEquals(FileDelivery.Change.NONE, file("app.log").change());
    assertEquals(FileDelivery.Change.NONE, file("link").change());
    assertEquals(0, report().files().atRiskFiles());
  }
}
