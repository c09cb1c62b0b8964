package dev.tailwater.restore.read;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.ForwardingDestination;
import dev.tailwater.destination.NoSuchObjectException;
import dev.tailwater.destination.TransientDestinationException;
import dev.tailwater.destination.testkit.DestinationFault;
import dev.tailwater.destination.testkit.DestinationFaultPlan;
import dev.tailwater.destination.testkit.FaultyDestination;
import dev.tailwater.restore.Bytes;
import dev.tailwater.restore.RestoreProgress;
import dev.tailwater.restore.TestArchive;
import dev.tailwater.restore.list.ArchivedStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class StreamPrinterTest {
  private final byte[] contents = Bytes.random(100_000, 6);
  private final TestArchive archive = TestArchive.inMemory();
  private final ByteArrayOutputStream output = new ByteArrayOutputStream();

  private long print(Destination destination, String idOrPath) throws IOException {
    ArchivedStream stream = archive.index(TestArchive.options()).find(idOrPath).orElseThrow();
    return new StreamPrinter(destination, TestArchive.options(), RestoreProgress.none())
        .print(stream, output)
        .bytes();
  }

  @Test
  void printsAStreamInOrderByPathAndById() throws IOException {
    TestArchive.TestStream stream = archive.stream("/a", 1);
    stream.segment(contents, 40_000, 100_000);
    stream.segment(contents, 0, 60_000);

    assertEquals(100_000, print(archive.destination, "/a"));
    assertArrayEquals(contents, output.toByteArray());
    output.reset();
    assertEquals(100_000, print(archive.destination, stream.id.text()));
    assertArrayEquals(contents, output.toByteArray());
  }

  @Test
  void theNewestStreamOfAPathIsPrinted() throws IOException {
    archive.stream("/a", 1).segmentAt(0, Bytes.text("old"));
    archive.stream("/a", 2).segmentAt(0, Bytes.text("new"));

    print(archive.destination, "/a");

    assertArrayEquals(Bytes.text("new"), output.toByteArray());
  }

  @Test
  void stopsAtTheFirstMissingByteAndSaysWhy() throws IOException {
    TestArchive.TestStream stream = archive.stream("/a", 1);
    stream.segment(contents, 0, 10_000);
    stream.gap(10_000, 20_000, "truncated");
    stream.segment(contents, 20_000, 30_000);

    IncompleteStreamException e =
        assertThrows(IncompleteStreamException.class, () -> print(archive.destination, "/a"));

    assertEquals(10_000, e.offsetBytes());
    assertTrue(String.valueOf(e.getMessage()).contains("gap: truncated"), e.toString());
    assertArrayEquals(Arrays.copyOf(contents, 10_000), output.toByteArray());
  }

  @Test
  void aStreamWithoutItsBeginningPrintsNothing() throws IOException {
    archive.stream("/a", 1).segment(contents, 5, 10);

    IncompleteStreamException e =
        assertThrows(IncompleteStreamException.class, () -> print(archive.destination, "/a"));

    assertEquals(0, e.offsetBytes());
    assertEquals(0, output.size());
  }

  @Test
  void afterATransientFailureNothingIsPrintedTwice() throws IOException {
    TestArchive.TestStream stream = archive.stream("/a", 1);
    stream.segment(contents, 0, 50_000);
    stream.segment(contents, 50_000, 100_000);
    FaultyDestination failing =
        FaultyDestination.wrap(
            archive.destination,
            DestinationFaultPlan.when(
                call -> call.number() % 2 == 1, DestinationFault.FAIL_TRANSIENT));

    assertEquals(100_000, print(failing, "/a"));
    assertArrayEquals(contents, output.toByteArray());
  }

  @Test
  void noticesThatASecondAttemptHasOtherBytesThanWerePrinted() throws IOException {
    byte[] large = Bytes.random(1_000_000, 6);
    byte[] other = Bytes.random(1_000_000, 7);
    TestArchive others = TestArchive.inMemory();
    others.stream("/a", 1).segment(other, 0, other.length);
    archive.stream("/a", 1).segment(large, 0, large.length);
    assertEquals(0, assertUnsure(others, false).offsetBytes());
  }

  @Test
  void noticesThatOtherBytesWerePrintedOfASegmentThatIsGoneThen() throws IOException {
    byte[] large = Bytes.random(1_000_000, 6);
    byte[] other = Bytes.random(1_000_000, 7);
    TestArchive others = TestArchive.inMemory();
    others.stream("/a", 1).segment(other, 0, other.length);
    TestArchive.TestStream stream = archive.stream("/a", 1);
    stream.segment(large, 0, large.length);
    stream.segment(large, 0, 600_000);
    stream.segment(large, 600_000, large.length);

    assertEquals(0, assertUnsure(others, true).offsetBytes());
  }

  private IncompleteStreamException assertUnsure(TestArchive others, boolean isGone)
      throws IOException {
    AtomicInteger reads = new AtomicInteger();
    Destination deceiving =
        new ForwardingDestination(archive.destination) {
          @Override
          public InputStream read(String key, long offsetBytes, long lengthBytes)
              throws DestinationException {
            int number = reads.incrementAndGet();
            if (isGone && number == 2) {
              throw new NoSuchObjectException(uri(), key);
            }
            return number > 1
                ? real().read(key, offsetBytes, lengthBytes)
                : new SequenceInputStream(
                    others.destination.read(key, offsetBytes, 600_000), broken(uri(), key));
          }
        };
    return assertThrows(IncompleteStreamException.class, () -> print(deceiving, "/a"));
  }

  /** A connection that is lost. */
  private static InputStream broken(URI destination, String key) {
    return new InputStream() {
      @Override
      public int read() throws IOException {
        return read(new byte[1], 0, 1);
      }

      @Override
      public int read(byte[] target, int from, int length) throws IOException {
        throw TransientDestinationException.whileReading(
            destination, key, new IOException("connection reset"));
      }
    };
  }

  @Test
  void aSegmentThatIsGoneOrCannotBeginIsReplacedByAnother() throws IOException {
    TestArchive.TestStream stream = archive.stream("/a", 1);
    String merged = stream.segment(contents, 0, 100_000);
    stream.segment(contents, 0, 50_000);
    stream.segment(contents, 50_000, 100_000);
    ArchivedStream listed = archive.index(TestArchive.options()).find("/a").orElseThrow();
    archive.destination.delete(merged);

    new StreamPrinter(archive.destination, TestArchive.options(), RestoreProgress.none())
        .print(listed, output);

    assertArrayEquals(contents, output.toByteArray());
  }

  @Test
  void allSegmentsMayBecomeOneBetweenTheListAndTheFirstRead() throws IOException {
    TestArchive.TestStream stream = archive.stream("/a", 1);
    List<String> shortOnes = new ArrayList<>();
    for (int start = 0; start < 100_000; start += 10_000) {
      shortOnes.add(stream.segment(contents, start, start + 10_000));
    }
    ArchivedStream listed = archive.index(TestArchive.options()).find("/a").orElseThrow();
    stream.segment(contents, 0, 100_000);
    for (String key : shortOnes) {
      archive.destination.delete(key);
    }

    new StreamPrinter(archive.destination, TestArchive.options(), RestoreProgress.none())
        .print(listed, output);

    assertArrayEquals(contents, output.toByteArray());
  }

  /** While the third piece is on its way, the rest becomes one with what is printed already. */
  @Test
  void whatIsMergedWhileItIsPrintedIsPrintedOnce() throws IOException {
    TestArchive.TestStream stream = archive.stream("/a", 1);
    List<String> shortOnes = new ArrayList<>();
    for (int start = 0; start < 100_000; start += 10_000) {
      shortOnes.add(stream.segment(contents, start, start + 10_000));
    }
    AtomicInteger reads = new AtomicInteger();
    FaultyDestination merging =
        FaultyDestination.wrap(
            archive.destination,
            call -> {
              if (call.is("read") && reads.incrementAndGet() == 3) {
                try {
                  stream.segment(contents, 0, 100_000);
                  for (String key : shortOnes) {
                    archive.destination.delete(key);
                  }
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              }
              return DestinationFault.PROCEED;
            });

    assertEquals(100_000, print(merging, "/a"));

    assertArrayEquals(contents, output.toByteArray());
  }

  @Test
  void aClosedPipeEndsItWithThePipesError() throws IOException {
    archive.stream("/a", 1).segment(contents, 0, 100_000);
    ArchivedStream stream = archive.index(TestArchive.options()).find("/a").orElseThrow();
    OutputStream closed =
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            throw new IOException("Broken pipe");
          }
        };

    IOException e =
        assertThrows(
            IOException.class,
            () ->
                new StreamPrinter(
                        archive.destination, TestArchive.options(), RestoreProgress.none())
                    .print(stream, closed));

    assertEquals("Broken pipe", e.getMessage());
  }
}
