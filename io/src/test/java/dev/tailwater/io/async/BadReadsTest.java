package dev.tailwater.io.async;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.io.Descriptor;
import dev.tailwater.io.NotARegularFileException;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.value.OpenFlag;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Path;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is refused, and in which words. */
class BadReadsTest {
  @TempDir private Path directory;

  @SuppressWarnings("NullAway.Init") // before each test
  private ReadsFixture fixture;

  @BeforeEach
  void writeFile() throws IOException {
    fixture = new ReadsFixture(directory, 10_000);
  }

  @AfterEach
  void freeMemory() {
    fixture.close();
  }

  private void refuses(String words, long offsetBytes, MemorySegment target) throws IOException {
    refuses(IllegalArgumentException.class, words, offsetBytes, target);
  }

  private void refuses(
      Class<? extends RuntimeException> type, String words, long offsetBytes, MemorySegment target)
      throws IOException {
    try (Descriptor descriptor = fixture.descriptor();
        RandomReads reads = RandomReads.open(fixture.calls, RandomReadOptions.defaults());
        ReadQueue queue = reads.openQueue()) {
      RandomFile file = RandomFile.of(descriptor);
      RuntimeException asRequest =
          assertThrows(type, () -> new ReadRequest(file, offsetBytes, target));
      assertEquals("read of " + fixture.path + ": " + words, asRequest.getMessage());
      RuntimeException asStream =
          assertThrows(type, () -> queue.submit(file, offsetBytes, target, 0));
      assertEquals(asRequest.getMessage(), asStream.getMessage());
      assertEquals(0, queue.inFlight());
    }
  }

  @Test
  void refusesOffsetsThatAreNoPlaceInAFile() throws IOException {
    refuses("offset -1 is no place in a file", -1, fixture.target(1));
    refuses("offset 9223372036854775807 is no place in a file", Long.MAX_VALUE, fixture.target(1));
  }

  @Test
  void refusesHeapMemory() throws IOException {
    refuses(
        "the target is heap memory, which moves; use native memory",
        0,
        MemorySegment.ofArray(new byte[8]));
  }

  @Test
  void refusesReadOnlyMemory() throws IOException {
    refuses("the target is read-only", 0, fixture.target(1).asReadOnly());
  }

  @Test
  void refusesATargetOfNoBytes() throws IOException {
    refuses("the target has no bytes", 0, fixture.target(0));
  }

  @Test
  @SuppressWarnings("restricted") // nothing reads or writes there
  void refusesATargetOfMoreThanTwoGibibytes() throws IOException {
    refuses(
        "a target of 3221225472 bytes is over 2147483647: read it in several requests",
        0,
        fixture.target(8).reinterpret(3L << 30));
  }

  @Test
  void refusesMemoryThatOnlyOneThreadMayUse() throws IOException {
    try (Arena confined = Arena.ofConfined()) {
      refuses(
          "the target is of a confined arena, which only one thread may use; use a shared or"
              + " automatic one, or share() a pooled buffer first",
          0,
          confined.allocate(8));
    }
  }

  @Test
  void refusesMemoryOfAClosedArena() throws IOException {
    MemorySegment freed;
    try (Arena arena = Arena.ofShared()) {
      freed = arena.allocate(8);
    }
    refuses(IllegalStateException.class, "the target's arena is closed", 0, freed);
  }

  @ParameterizedTest
  @EnumSource(ReadEngine.class)
  void refusesTargetsWhoseArenaWasClosedAfterTheRequestWasMade(ReadEngine engine)
      throws IOException {
    ReadsFixture.assumeThereIs(engine);
    try (Descriptor descriptor = fixture.descriptor();
        RandomReads reads = fixture.open(engine, 4)) {
      RandomFile file = RandomFile.of(descriptor);
      ReadRequest good = new ReadRequest(file, 0, fixture.target(8));
      ReadRequest freed;
      try (Arena arena = Arena.ofShared()) {
        freed = new ReadRequest(file, 0, arena.allocate(8));
      }
      for (List<ReadRequest> batch : List.of(List.of(freed), List.of(good, freed))) {
        assertThrows(IllegalStateException.class, () -> reads.readAll(batch));
      }
      fixture.check(List.of(good), reads.readAll(List.of(good)));
    }
  }

  @Test
  void refusesWhatIsNoRegularFile() throws Exception {
    refusesToRead(PosixPath.of(directory), EnumSet.of(OpenFlag.DIRECTORY), "is a directory");
    Path fifo = directory.resolve("fifo");
    assertEquals(0, new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor());
    refusesToRead(PosixPath.of(fifo), EnumSet.of(OpenFlag.NON_BLOCK), "is a FIFO");
    refusesToRead(PosixPath.of(Path.of("/dev/null")), Set.of(), "is a character device");
    refusesToRead(PosixPath.of(Path.of("/proc/self/maps")), Set.of(), "is made up by the kernel");
    Path socket = directory.resolve("socket");
    try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      server.bind(UnixDomainSocketAddress.of(socket));
      refusesToRead(PosixPath.of(socket), EnumSet.of(OpenFlag.PATH), "is a socket");
    }
  }

  private void refusesToRead(PosixPath path, Set<OpenFlag> flags, String words) throws IOException {
    try (Descriptor descriptor =
        Descriptor.open(fixture.calls, FileCalls.AT_FDCWD, path, flags, 0)) {
      NotARegularFileException refusal =
          assertThrows(NotARegularFileException.class, () -> RandomFile.of(descriptor));
      assertTrue(
          String.valueOf(refusal.getMessage()).startsWith(path + " " + words),
          refusal.getMessage());
    }
  }

  @Test
  void refusesDepthsThatCannotBe() {
    for (int depth : new int[] {Integer.MIN_VALUE, -1, 0, 1025, Integer.MAX_VALUE}) {
      IllegalArgumentException refusal =
          assertThrows(
              IllegalArgumentException.class,
              () -> RandomReadOptions.defaults().withQueueDepth(depth));
      assertEquals("a queue depth of " + depth + "; 1 to 1024 are possible", refusal.getMessage());
    }
  }

  @ParameterizedTest
  @EnumSource(ReadEngine.class)
  void worksAtTheGreatestAndTheLeastDepth(ReadEngine engine) throws IOException {
    ReadsFixture.assumeThereIs(engine);
    try (Descriptor descriptor = fixture.descriptor()) {
      RandomFile file = RandomFile.of(descriptor);
      for (int depth : new int[] {1, RandomReadOptions.MAX_QUEUE_DEPTH}) {
        try (RandomReads reads = fixture.open(engine, depth)) {
          List<ReadRequest> batch =
              IntStream.range(0, 3_000)
                  .mapToObj(i -> new ReadRequest(file, i, fixture.target(3)))
                  .toList();
          fixture.check(batch, reads.readAll(batch));
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource(ReadEngine.class)
  void refusesMoreThanTheDepthUntilResultsAreTaken(ReadEngine engine) throws IOException {
    ReadsFixture.assumeThereIs(engine);
    try (Descriptor descriptor = fixture.descriptor();
        RandomReads reads = fixture.open(engine, 2);
        ReadQueue queue = reads.openQueue()) {
      RandomFile file = RandomFile.of(descriptor);
      queue.submit(file, 0, fixture.target(8), 0);
      queue.submit(file, 8, fixture.target(8), 1);
      IllegalStateException refusal =
          assertThrows(
              IllegalStateException.class, () -> queue.submit(file, 0, fixture.target(8), 2));
      assertEquals(
          "2 reads are in flight, as many as the queue's depth: take results first",
          refusal.getMessage());
      ReadsFixture.Results results = new ReadsFixture.Results(3);
      assertTrue(queue.awaitSome(results) > 0);
      queue.submit(file, 0, fixture.target(8), 2);
      while (queue.awaitSome(results) > 0) {}
      assertEquals(3, results.count);
    }
  }

  @ParameterizedTest
  @EnumSource(ReadEngine.class)
  void refusesAClosedDescriptorAndFailsWhatHasNotBegun(ReadEngine engine) throws Exception {
    ReadsFixture.assumeThereIs(engine);
    try (RandomReads reads = fixture.open(engine, 4);
        ReadQueue queue = reads.openQueue()) {
      Descriptor descriptor = fixture.descriptor();
      RandomFile file = RandomFile.of(descriptor);
      ReadRequest request = new ReadRequest(file, 0, fixture.target(8));
      if (engine == ReadEngine.THREADS) { // the other tells the kernel the number at once
        queue.submit(file, 0, fixture.target(8), 0);
      }
      descriptor.close();
      IllegalStateException refusal =
          assertThrows(IllegalStateException.class, () -> reads.readAll(List.of(request, request)));
      assertEquals("descriptor of " + fixture.path + " is closed", refusal.getMessage());
      assertThrows(IllegalStateException.class, () -> queue.submit(file, 0, fixture.target(8), 1));
      assertThrows(IllegalStateException.class, () -> RandomFile.of(descriptor));
      ReadsFixture.Results results = new ReadsFixture.Results(1);
      while (queue.awaitSome(results) > 0) {}
      for (var failure : results.failures) {
        assertEquals(Errno.EBADF, failure.errno());
      }
      assertEquals(engine == ReadEngine.THREADS ? 1 : 0, results.failures.size());
    }
  }

  @ParameterizedTest
  @EnumSource(ReadEngine.class)
  void refusesEverythingWhenItIsClosed(ReadEngine engine) throws Exception {
    ReadsFixture.assumeThereIs(engine);
    try (Descriptor descriptor = fixture.descriptor()) {
      RandomFile file = RandomFile.of(descriptor);
      RandomReads reads = fixture.open(engine, 4);
      ReadQueue closedEarlier = reads.openQueue();
      closedEarlier.close();
      closedEarlier.close();
      refusesAll(closedEarlier, file);
      ReadQueue open = reads.openQueue();
      reads.close();
      reads.close();
      assertTrue(open.isClosed());
      refusesAll(open, file);
      ReadRequest request = new ReadRequest(file, 0, fixture.target(8));
      for (int count : new int[] {0, 1, 2}) {
        IllegalStateException refusal =
            assertThrows(
                IllegalStateException.class,
                () -> reads.readAll(Collections.nCopies(count, request)));
        assertEquals("the random reads are closed", refusal.getMessage());
      }
      assertThrows(IllegalStateException.class, reads::openQueue);
    }
  }

  private void refusesAll(ReadQueue queue, RandomFile file) {
    ReadsFixture.Results results = new ReadsFixture.Results(1);
    assertThrows(IllegalStateException.class, () -> queue.awaitSome(results));
    assertThrows(IllegalStateException.class, () -> queue.pollSome(results));
    IllegalStateException refusal =
        assertThrows(
            IllegalStateException.class, () -> queue.submit(file, 0, fixture.target(8), 0));
    assertEquals("the queue of reads is closed", refusal.getMessage());
  }
}
