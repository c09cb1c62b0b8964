package dev.tailwater.delivery.checkpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.name.StreamId;
import dev.tailwater.delivery.stream.Checkpoint;
import dev.tailwater.delivery.stream.StreamProgress;
import dev.tailwater.io.FileIdentity;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.store.KeyValueStore;
import dev.tailwater.store.WriteBatch;
import dev.tailwater.store.datafile.DataFileStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The names that lead to closed files are those of one run, and go with it. */
class NameTableTest {
  private static final FileCalls CALLS = LinuxFileCalls.create();
  private static final String URI = "memory:/";

  @TempDir Path state;

  private AgentState open() throws IOException {
    return AgentState.open(CALLS, PosixPath.of(state), Instant.EPOCH);
  }

  private static NameTable.Named named(int inode) {
    FileIdentity identity =
        new FileIdentity(7, inode, OptionalLong.of(1), OptionalLong.of(1_700_000_000L));
    return new NameTable.Named(identity, 100L + inode);
  }

  private static Checkpoint checkpoint(FileIdentity identity) {
    StreamId id = StreamId.of("web-1", identity, 0);
    return StreamProgress.begin("web-1", identity, id, PosixPath.of("/var/log/a"), 1).checkpoint();
  }

  private long files() throws IOException {
    try (Stream<Path> names = Files.list(state.resolve("names"))) {
      return names.count();
    }
  }

  @Test
  void whereNoFileIsClosedThereIsNoStore() throws Exception {
    try (AgentState agent = open()) {
      assertEquals(Optional.empty(), agent.names().find(1));
    }
    assertFalse(Files.exists(state.resolve("names")));
  }

  @Test
  void aNameLeadsToItsFileUntilTheRunEnds() throws Exception {
    try (AgentState agent = open()) {
      agent.names().add(Map.of(1L, named(1), 2L, named(2)));
      agent.names().add(Map.of(2L, named(3)));
      assertEquals(Optional.of(named(1)), agent.names().find(1));
      assertEquals(Optional.of(named(3)), agent.names().find(2));
      assertEquals(Optional.empty(), agent.names().find(3));
      assertTrue(files() > 0);
    }
    assertEquals(0, files());
    try (AgentState agent = open()) {
      assertEquals(Optional.empty(), agent.names().find(1));
    }
  }

  @Test
  void whatARunLeftThatWasKilledIsRemoved() throws Exception {
    Path saved = state.resolveSibling(state.getFileName() + "-names");
    try (AgentState agent = open()) {
      agent.names().add(Map.of(1L, named(1)));
      Files.createDirectory(saved);
      try (Stream<Path> names = Files.list(state.resolve("names"))) {
        for (Path name : names.toList()) {
          Files.copy(name, saved.resolve(name.getFileName()));
        }
      }
    }
    Files.delete(state.resolve("names"));
    Files.move(saved, state.resolve("names"));
    assertTrue(files() > 0);
    try (AgentState agent = open()) {
      assertEquals(0, files());
      agent.names().add(Map.of(2L, named(2)));
      assertEquals(Optional.empty(), agent.names().find(1));
      assertEquals(Optional.of(named(2)), agent.names().find(2));
    }
  }

  @Test
  void nothingIsAddedAfterTheEnd() throws Exception {
    NameTable names;
    try (AgentState agent = open()) {
      names = agent.names();
    }
    assertThrows(IOException.class, () -> names.add(Map.of(1L, named(1))));
    assertFalse(Files.exists(state.resolve("names")));
  }

  @Test
  void whatEarlierAgentsWroteIntoTheTableOfFilesIsRemoved() throws Exception {
    open().close();
    byte[] key = ByteBuffer.allocate(13).put(CheckpointStore.ascii("name/")).putLong(1).array();
    try (KeyValueStore table = DataFileStore.open(state.resolve("files"))) {
      table.apply(new WriteBatch().put(key, new byte[] {1}));
    }
    open().close();
    try (KeyValueStore table = DataFileStore.open(state.resolve("files"))) {
      assertEquals(Optional.empty(), table.get(key));
    }
  }

  @Test
  void aTableOfFilesTellsHowManyItHad() throws Exception {
    try (AgentState agent = open()) {
      assertEquals(OptionalLong.empty(), agent.of(URI).files().filesAtOpening());
    }
    try (AgentState agent = open()) {
      FileTable files = agent.of(URI).files();
      assertEquals(OptionalLong.of(0), files.filesAtOpening());
      files.change(
          Stream.of(1, 2, 3).map(inode -> checkpoint(named(inode).identity())).toList(),
          Map.of(),
          List.of());
      assertEquals(OptionalLong.of(0), files.filesAtOpening());
    }
    try (AgentState agent = open()) {
      assertEquals(OptionalLong.of(3), agent.of(URI).files().filesAtOpening());
      assertEquals(OptionalLong.of(0), agent.of("memory:/other").files().filesAtOpening());
    }
  }
}
