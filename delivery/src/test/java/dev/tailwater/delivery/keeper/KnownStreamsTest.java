package dev.tailwater.delivery.keeper;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.name.StreamId;
import dev.tailwater.delivery.checkpoint.AgentState;
import dev.tailwater.delivery.checkpoint.Beginning;
import dev.tailwater.delivery.checkpoint.CheckpointStore;
import dev.tailwater.delivery.checkpoint.FileTable;
import dev.tailwater.delivery.stream.Checkpoint;
import dev.tailwater.delivery.stream.StreamProgress;
import dev.tailwater.io.FileIdentity;
import dev.tailwater.io.Marker;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.store.KeyValueStore;
import dev.tailwater.store.log.TransactionLogStore;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KnownStreamsTest {
  private static final FileCalls CALLS = LinuxFileCalls.create();
  private static final String AGENT = "web-1";
  private static final PosixPath PATH = PosixPath.of("/var/log/app.log");

  @TempDir Path directory;
  private KeyValueStore store;
  private FileTable files;

  @BeforeEach
  void open() throws IOException {
    store = TransactionLogStore.open(directory);
    files = new CheckpointStore(store, store, "memory:/").files();
  }

  @AfterEach
  void close() throws IOException {
    store.close();
  }

  private static FileIdentity file(long fileSystemId, long inode, OptionalLong generation) {
    return new FileIdentity(fileSystemId, inode, generation, OptionalLong.of(1_700_000_000L));
  }

  private KnownStreams knowing(FileIdentity... identities) throws IOException {
    List<Checkpoint> checkpoints = new ArrayList<>();
    for (FileIdentity identity : identities) {
      checkpoints.add(
          StreamProgress.begin(AGENT, identity, StreamId.of(AGENT, identity, 0), PATH, 1)
              .checkpoint());
    }
    files.change(checkpoints, Map.of(), List.of());
    return new KnownStreams(AGENT, files, Beginning.OF_ARCHIVE);
  }

  private static List<FileIdentity> notFound(KnownStreams known) throws IOException {
    List<FileIdentity> identities = new ArrayList<>();
    known.settle(
        stream -> {
          identities.add(stream.identity());
          return false; // It could not be looked at.
        });
    return identities;
  }

  /** Where all were found, nothing has to be read to tell which were not. */
  @Test
  void tellsWhichOfTheFilesThatAreCountedWereNotFound() throws IOException {
    PosixPath place = PosixPath.of(directory.resolve("state"));
    int count = 5;
    for (int missing = 0; missing < count; missing++) {
      try (AgentState state = AgentState.open(CALLS, place, Instant.EPOCH)) {
        files = state.of("memory:/").files();
        List<FileIdentity> all = new ArrayList<>();
        for (int inode = 0; inode < count; inode++) {
          all.add(file(0x801, inode, OptionalLong.of(5)));
        }
        KnownStreams known = knowing(all.toArray(FileIdentity[]::new));
        List<FileIdentity> absent = all.subList(0, missing);
        for (FileIdentity present : all.subList(missing, count)) {
          if (present.inode() % 2 == 0) {
            assertTrue(known.present(present).isPresent());
            known.found(present);
          }
          assertTrue(known.claim(present, PATH).isPresent());
          FileIdentity copy = file(0x811, present.inode(), OptionalLong.of(5));
          assertEquals(Optional.empty(), known.claim(copy, PATH));
        }
        assertEquals(Set.copyOf(absent), Set.copyOf(notFound(known)));
      }
    }
  }

  @Test
  void findsTheStreamOfAFileWhoseDeviceIsAnotherNow() throws IOException {
    FileIdentity before = file(0x801, 77, OptionalLong.of(5));
    KnownStreams known = knowing(before);
    Optional<StreamProgress> found = known.claim(file(0x811, 77, OptionalLong.of(5)), PATH);
    assertEquals(StreamId.of(AGENT, before, 0), found.orElseThrow().id());
    assertEquals(Optional.empty(), known.claim(before, PATH));
    assertEquals(List.of(), notFound(known));
  }

  @Test
  void takesNoOtherFileForIt() throws IOException {
    KnownStreams known =
        knowing(file(0x801, 77, OptionalLong.of(5)), file(0x801, 78, OptionalLong.empty()));
    assertEquals(Optional.empty(), known.claim(file(0x811, 77, OptionalLong.of(6)), PATH));
    assertEquals(Optional.empty(), known.claim(file(0x811, 79, OptionalLong.of(5)), PATH));
    // Without a generation, the next file of the inode number may be born in the same instant.
    assertEquals(Optional.empty(), known.claim(file(0x811, 78, OptionalLong.empty()), PATH));
    assertEquals(2, notFound(known).size());
  }

  @Test
  void takesACopyOnAnotherDeviceForAnotherFileWhileTheFirstIsThere() throws IOException {
    FileIdentity here = file(0x801, 77, OptionalLong.of(5));
    FileIdentity copy = file(0x811, 77, OptionalLong.of(5));
    KnownStreams known = knowing(here);
    assertEquals(here, known.claim(here, PATH).orElseThrow().identity());
    assertEquals(Optional.empty(), known.claim(copy, PATH));
    assertEquals(List.of(), notFound(known));
    assertEquals(Optional.empty(), known.claim(copy, PATH));
  }

  @Test
  void findsAFileThatWasOutOfSightUnderItsOtherDeviceNumber() throws IOException {
    FileIdentity before = file(0x801, 77, OptionalLong.of(5));
    KnownStreams known = knowing(before);
    assertEquals(List.of(before), notFound(known));
    FileIdentity now = file(0x811, 77, OptionalLong.of(5));
    assertEquals(now, known.claim(now, PATH).orElseThrow().identity());
  }

  /** Returns the store, of which a read of checksums fails as long as a test says. */
  private KeyValueStore failing(AtomicBoolean trouble) {
    return (KeyValueStore)
        Proxy.newProxyInstance(
            KeyValueStore.class.getClassLoader(),
            new Class<?>[] {KeyValueStore.class},
            (_, called, arguments) -> {
              if (trouble.get()
                  && called.getName().equals("get")
                  && new String((byte[]) arguments[0], US_ASCII).startsWith("blocks/")) {
                throw new IOException("cannot be read: says a test");
              }
              return called.invoke(store, arguments);
            });
  }

  @Test
  void findsTheStreamOfAMovedFileThatCouldNotBeReadAtFirst() throws IOException {
    AtomicBoolean trouble = new AtomicBoolean();
    files = new CheckpointStore(store, failing(trouble), "memory:/").files();
    FileIdentity before = file(0x801, 77, OptionalLong.of(5));
    StreamProgress stream =
        StreamProgress.begin(AGENT, before, StreamId.of(AGENT, before, 0), PATH, 1);
    stream.acknowledge(new ByteRange(0, 1 << 20), Marker.NONE);
    files.change(List.of(stream.checkpoint()), Map.of(), List.of());
    KnownStreams known = new KnownStreams(AGENT, files, Beginning.OF_ARCHIVE);
    FileIdentity now = file(0x811, 77, OptionalLong.of(5));
    trouble.set(true);
    assertThrows(IOException.class, () -> known.claim(now, PATH));
    trouble.set(false);
    StreamProgress found = known.claim(now, PATH).orElseThrow();
    assertEquals(stream.id(), found.id());
    assertEquals(now, found.identity());
    assertEquals(1 << 20, found.durableBytes());
    assertEquals(List.of(), notFound(known));
  }
}
