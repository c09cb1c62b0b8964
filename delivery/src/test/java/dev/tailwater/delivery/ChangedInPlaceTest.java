package dev.tailwater.delivery;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.delivery.drain.DrainReport;
import dev.tailwater.delivery.watch.Losses;
import dev.tailwater.posix.PosixPath;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Of bytes that were changed after they had been read, nobody says that they are delivered. */
class ChangedInPlaceTest {
  /** A text longer than what is compared before the position. */
  private static final String BEFORE = "b".repeat(1000);

  private TestAgent.Place place;
  private Path file;

  @BeforeEach
  void choosePlace(@TempDir Path base) throws Exception {
    place = new TestAgent.Place(base.toRealPath());
    file = place.log("data.db");
    Files.writeString(file, BEFORE);
  }

  private void changeFirstByte() throws Exception {
    try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
      open.write('X');
    }
  }

  private FileDelivery delivery(TestAgent agent) throws Exception {
    return agent.agent().status(PosixPath.of(file));
  }

  private void awaitChange(TestAgent agent) throws Exception {
    TestAgent.await(
        "the change is noticed",
        () -> delivery(agent).change() == FileDelivery.Change.CHANGED_IN_PLACE);
  }

  private static List<PosixPath> changed(Losses.Report losses) {
    return losses.changed().stream().map(Losses.Changed::path).toList();
  }

  private boolean archiveSaysSo() throws Exception {
    return place.contents().bornAt(file.toString()).getFirst().record().stream()
        .anyMatch(record -> record.changedInPlace());
  }

  @Test
  void aByteThatWasChangedIsNotDelivered() throws Exception {
    try (TestAgent agent = TestAgent.start(place)) {
      agent.awaitDelivered(file);
      changeFirstByte();
      assertFalse(delivery(agent).isDelivered(), "as soon as it is written");
      awaitChange(agent);
      assertEquals(BEFORE.length(), delivery(agent).durableBytes());
      assertEquals(List.of(PosixPath.of(file)), changed(agent.agent().status().files().losses()));
      DrainReport report = agent.drain();
      assertFalse(report.isComplete());
      assertEquals(List.of(PosixPath.of(file)), changed(report.losses()));
      assertEquals(1, agent.problems.size(), agent.problems.toString());
    }
    assertTrue(archiveSaysSo());
  }

  @Test
  void aDrainWaitsUntilItIsKnownWhetherAFileWasChanged() throws Exception {
    try (TestAgent agent = TestAgent.start(place)) {
      agent.awaitDelivered(file);
      changeFirstByte();
      DrainReport report = agent.drain();
      assertFalse(report.isComplete());
      assertEquals(1, report.losses().changedFiles());
    }
  }

  @Test
  void theNextRunKnowsWhatTheLastOneKnew() throws Exception {
    try (TestAgent agent = TestAgent.start(place)) {
      agent.awaitDelivered(file);
      changeFirstByte();
      awaitChange(agent);
      assertFalse(agent.drain().isComplete());
    }
    FileDelivery offline =
        OfflineStatus.read(TestAgent.REAL_CALLS, PosixPath.of(place.state()))
            .orElseThrow()
            .file(PosixPath.of(file));
    assertEquals(FileDelivery.Change.CHANGED_IN_PLACE, offline.change());
    try (TestAgent agent = TestAgent.start(place)) {
      assertFalse(agent.drain().isComplete());
    }
  }

  @Test
  void whatWasChangedWhileNoAgentRanIsNoticed() throws Exception {
    try (TestAgent agent = TestAgent.start(place)) {
      assertTrue(agent.drain().isComplete());
    }
    changeFirstByte();
    StatusReport offline =
        OfflineStatus.read(TestAgent.REAL_CALLS, PosixPath.of(place.state()))
            .orElseThrow()
            .report();
    assertEquals(List.of(PosixPath.of(file)), changed(offline.files().losses()));
    try (TestAgent agent = TestAgent.start(place)) {
      DrainReport report = agent.drain();
      assertEquals(List.of(PosixPath.of(file)), changed(report.losses()));
      assertFalse(report.isComplete());
    }
  }

  @Test
  void aFileThatWasChangedAndDeletedIsStillSaidToBeChanged() throws Exception {
    try (TestAgent agent = TestAgent.start(place)) {
      agent.awaitDelivered(file);
      changeFirstByte();
      Files.delete(file);
      TestAgent.await(
          "the change is noticed",
          () -> agent.agent().status().files().losses().changedFiles() == 1);
      assertFalse(agent.drain().isComplete());
    }
    assertTrue(archiveSaysSo());
  }

  @Test
  void aShortFileThatIsWrittenAnewAsItWasHasNotChanged() throws Exception {
    Files.writeString(file, "up\n");
    try (TestAgent agent = TestAgent.start(place)) {
      agent.awaitDelivered(file);
      rewrite("up\n");
      agent.awaitDelivered(file);
      assertTrue(agent.drain().isComplete());
    }
    rewrite("up\n");
    try (TestAgent agent = TestAgent.start(place)) {
      agent.awaitDelivered(file);
      assertTrue(agent.drain().isComplete());
      assertEquals(List.of(), agent.problems);
    }
  }

  private void rewrite(String text) throws Exception {
    Files.writeString(file, text, StandardOpenOption.WRITE);
  }

  @Test
  void aTruncatedFileIsNotSaidToBeChanged() throws Exception {
    try (TestAgent agent = TestAgent.start(place)) {
      agent.awaitDelivered(file);
      Files.writeString(file, "c".repeat(1000)); // As long as it was, and all of it is new.
      agent.awaitDelivered(file);
      TestAgent.await(
          "the stream has ended", () -> place.contents().bornAt(file.toString()).size() == 2);
      assertTrue(agent.drain().isComplete());
    }
  }

  @Test
  void appendingRenamingAndWhatElseOnlyConcernsNamesChangesNothing() throws Exception {
    Path renamed = place.log("data.db.1");
    try (TestAgent agent = TestAgent.start(place)) {
      for (int i = 0; i < 200; i++) {
        Files.writeString(file, "line " + i + "\n", UTF_8, StandardOpenOption.APPEND);
        if (i % 20 == 0) {
          agent.awaitDelivered(file);
        }
      }
      agent.awaitDelivered(file);
      Files.move(file, renamed);
      Files.setPosixFilePermissions(renamed, PosixFilePermissions.fromString("rw-------"));
      Files.createLink(file, renamed);
      agent.awaitDelivered(renamed);
      Files.delete(file);
      DrainReport report = agent.drain();
      assertTrue(report.isComplete(), report.toString());
      Files.delete(renamed);
      assertEquals(List.of(), agent.problems);
    }
    try (TestAgent agent = TestAgent.start(place)) {
      DrainReport report = agent.drain();
      assertTrue(report.isComplete(), report.toString());
      assertEquals(List.of(), agent.problems);
    }
  }
}
