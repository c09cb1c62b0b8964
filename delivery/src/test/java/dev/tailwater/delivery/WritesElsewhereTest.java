package dev.tailwater.delivery;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tailwater.delivery.config.AgentConfig;
import dev.tailwater.destination.OpenIntent;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.testkit.Call;
import dev.tailwater.posix.testkit.Fault;
import dev.tailwater.posix.testkit.FaultyFileCalls;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Writes of which the kernel tells another name than the file has; no scan is near. */
class WritesElsewhereTest {
  private TestAgent.Place place;
  private Path first;

  @BeforeEach
  void choosePlace(@TempDir Path base) throws Exception {
    place = new TestAgent.Place(base.toRealPath());
    first = Files.writeString(place.log("first.log"), "begun\n");
  }

  @Test
  void aFileGrowsAfterItsFirstNameWasReplacedByALink() throws Exception {
    writesAfter(place.log("second.log"));
  }

  @Test
  void aFileGrowsAfterItsFirstNameWasReplacedByALinkInAnotherDirectory() throws Exception {
    Path directory = Files.createDirectory(place.log("directory"));
    writesAfter(directory.resolve("second.log"));
  }

  private void writesAfter(Path second) throws Exception {
    AgentConfig config = place.config().toBuilder().reconcile(Duration.ofHours(1)).build();
    try (TestAgent agent = TestAgent.start(place, config, TestAgent.REAL_CALLS);
        FileChannel writer = FileChannel.open(first, StandardOpenOption.APPEND)) {
      agent.awaitDelivered(first);
      Files.createLink(second, first);
      Files.delete(first);
      for (int i = 0; i < 3; i++) {
        writer.write(ByteBuffer.wrap("more\n".getBytes(UTF_8)));
        // Not awaitDelivered: to be asked about a file has the agent look at it.
        TestAgent.await("all is in the archive", () -> archivedBytes() == Files.size(second));
      }
    }
  }

  private long archivedBytes() throws Exception {
    return place.contents().streams().stream().mapToLong(each -> each.prefix().length).sum();
  }

  private final AtomicLong searchNanos = new AtomicLong();
  private volatile boolean refuses = true;

  /** Tells the time; a search for what was written to takes long. */
  private long nanos() {
    boolean searches =
        StackWalker.getInstance()
            .walk(
                frames ->
                    frames.anyMatch(
                        frame ->
                            frame.getClassName().endsWith(".WritesElsewhere")
                                && frame.getMethodName().equals("lookIfDue")));
    if (searches && refuses) {
      searchNanos.addAndGet(TimeUnit.MINUTES.toNanos(1));
    }
    return System.nanoTime() + searchNanos.get();
  }

  private Fault refuse(Call call) {
    boolean refused =
        refuses
            && call.method().startsWith("open")
            && call.arguments().contains(PosixPath.of("refused.log"));
    return refused ? new Fault.Fail(Errno.EACCES) : Fault.PROCEED;
  }

  /** The next search is far off, since the last one took long. */
  @Test
  void aFileThatCouldNotBeOpenedIsTriedAgainBeforeTheNextSearch() throws Exception {
    AgentConfig config = place.config().toBuilder().reconcile(Duration.ofDays(1)).build();
    Path refused = Files.writeString(place.log("refused.log"), "more\n");
    Path second = place.log("second.log");
    try (TestAgent agent =
            TestAgent.start(
                config,
                place.openArchive(TestAgent.REAL_CALLS, OpenIntent.WRITE),
                FaultyFileCalls.wrap(TestAgent.REAL_CALLS, this::refuse).calls(),
                this::nanos);
        FileChannel writer = FileChannel.open(first, StandardOpenOption.APPEND)) {
      agent.awaitDelivered(first);
      Files.createLink(second, first);
      Files.delete(first);
      TestAgent.await(
          "what is written to the file has been searched for",
          () -> {
            writer.write(ByteBuffer.wrap("more\n".getBytes(UTF_8)));
            return searchNanos.get() > 0;
          });
      writer.write(ByteBuffer.wrap("more\n".getBytes(UTF_8)));
      Thread.sleep(500);
      refuses = false;
      TestAgent.await(
          "the refused file is in the archive",
          () -> !place.contents().bornAt(refused.toString()).isEmpty());
    }
  }
}
