package dev.tailwater.restore;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.ForwardingDestination;
import dev.tailwater.destination.TransientDestinationException;
import dev.tailwater.destination.retry.Backoff;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.restore.list.ArchivedStream;
import dev.tailwater.restore.place.RestoreOptions;
import dev.tailwater.restore.place.RestoreResult;
import dev.tailwater.restore.place.Restorer;
import dev.tailwater.restore.read.StreamPrinter;
import dev.tailwater.restore.verify.CompareReport;
import dev.tailwater.restore.verify.CompareResult;
import dev.tailwater.restore.verify.DirectoryComparer;
import dev.tailwater.restore.verify.Verifier;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A server that gives bytes for longer than one that gives none is asked, and is then cut off. */
class LateBreaksTest extends RestoreFixture {
  private static final int LENGTH = 1_000_000;
  private static final int BREAK_AT = 600_000;
  private static final int REPLACED_AT = 100;

  /** Both at the same byte: the second attempt brings nothing that the first one had not. */
  private static final int BREAKS = 2;

  private final byte[] contents = Bytes.random(LENGTH, 6);
  private final TestArchive archive = TestArchive.inMemory();
  private final TestArchive.TestStream stream = archive.stream("/a", 1);
  private final AtomicLong nanos = new AtomicLong();
  private final ReadOptions reading =
      TestArchive.options()
          .withRetry(
              new ReadAttempts(BREAKS + 1, new Backoff(Duration.ZERO, Duration.ZERO), nanos::get));
  private String key = "";

  @BeforeEach
  void deliverOneSegment() throws IOException {
    key = stream.segment(contents, 0, LENGTH);
  }

  /** Delivers a revision, so that the segment's checksum says nothing of the file. */
  private void replaceAPart() throws IOException {
    byte[] now = Bytes.text("replaced");
    System.arraycopy(now, 0, contents, REPLACED_AT, now.length);
    TestPacks packs = new TestPacks(archive, "web-1", 2, List.of());
    packs.replace(stream, REPLACED_AT, now, 9).deliver();
  }

  private Destination breaking() {
    AtomicInteger reads = new AtomicInteger();
    return new ForwardingDestination(archive.destination) {
      @Override
      public InputStream read(String wanted, long offsetBytes, long lengthBytes)
          throws DestinationException {
        InputStream real = real().read(wanted, offsetBytes, lengthBytes);
        boolean isWhole = wanted.equals(key) && lengthBytes > LENGTH;
        return isWhole && reads.incrementAndGet() <= BREAKS
            ? new SequenceInputStream(firstBytes(real), new Broken(this))
            : real;
      }
    };
  }

  private static InputStream firstBytes(InputStream whole) {
    try (whole) {
      return new ByteArrayInputStream(whole.readNBytes(BREAK_AT));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A connection that is lost after a minute and a half. */
  private final class Broken extends InputStream {
    private final Destination destination;

    Broken(Destination destination) {
      this.destination = destination;
    }

    @Override
    public int read() throws IOException {
      return read(new byte[1], 0, 1);
    }

    @Override
    public int read(byte[] target, int from, int length) throws IOException {
      nanos.addAndGet(TimeUnit.SECONDS.toNanos(90));
      throw TransientDestinationException.whileReading(
          destination.uri(), key, new IOException("connection reset"));
    }
  }

  @Test
  void catGoesOn() throws IOException {
    ArchivedStream listed = archive.index(reading).find("/a").orElseThrow();
    ByteArrayOutputStream printed = new ByteArrayOutputStream();

    new StreamPrinter(breaking(), reading, RestoreProgress.none()).print(listed, printed);

    assertArrayEquals(contents, printed.toByteArray());
  }

  private RestoreResult restored() throws IOException {
    return only(new Restorer(CALLS, breaking(), RestoreOptions.of(reading), RestoreProgress.none())
            .restore(archive.index(reading), PosixPath.of(target())))
        .result();
  }

  @Test
  void restoreGoesOn() throws IOException {
    assertEquals(RestoreResult.RESTORED, restored());
    assertFile("a", contents);
  }

  @Test
  void restoreGoesOnComparingAFileThatIsThere() throws IOException {
    replaceAPart();
    Files.createDirectories(target());
    Files.write(target().resolve("a"), contents);
    assertEquals(RestoreResult.ALREADY_THERE, restored());
  }

  @Test
  void verifyGoesOn() throws IOException {
    assertEquals(
        Outcome.DONE,
        new Verifier(breaking(), reading, RestoreProgress.none())
            .verify(archive.index(reading))
            .outcome());
  }

  @Test
  void verifyGoesOnComparingFiles() throws IOException {
    replaceAPart();
    Files.createDirectories(target());
    Files.write(target().resolve("a"), contents);

    CompareReport report =
        new DirectoryComparer(CALLS, breaking(), reading, RestoreProgress.none())
            .compare(archive.index(reading), PosixPath.of(target()));

    assertEquals(CompareResult.SAME, report.streams().getFirst().result(), report.toString());
  }
}
