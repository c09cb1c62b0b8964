package dev.tailwater.destination.hdfs;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.destination.DestinationException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.URI;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Files whose blocks are removed while they are read, since they were replaced. */
class HdfsObjectStreamTest {
  /** A file that gives some bytes, and then says what HDFS says of removed blocks. */
  @SuppressWarnings("InputStreamSlowMultibyteRead")
  private static HdfsObjectStream.Range removedAfter(String bytes) {
    InputStream file =
        new InputStream() {
          private final InputStream first = new ByteArrayInputStream(bytes.getBytes(US_ASCII));

          @Override
          public int read() throws IOException {
            int next = first.read();
            if (next < 0) {
              throw new IOException("Blocklist for /a has changed!");
            }
            return next;
          }
        };
    return new HdfsObjectStream.Range(file, 100);
  }

  private static HdfsObjectStream.Range whole(String bytes) {
    return new HdfsObjectStream.Range(
        new ByteArrayInputStream(bytes.getBytes(US_ASCII)), bytes.length());
  }

  private static HdfsObjectStream stream(HdfsObjectStream.Range... files) throws IOException {
    Deque<HdfsObjectStream.Range> next = new ArrayDeque<>(List.of(files));
    return new HdfsObjectStream(next::remove, "a", new Failures(URI.create("hdfs://host/")));
  }

  @Test
  void aFileThatIsReplacedBeforeItsFirstByteIsReadAnew() throws IOException {
    try (HdfsObjectStream stream = stream(removedAfter(""), removedAfter(""), whole("new"))) {
      assertEquals("new", new String(stream.readAllBytes(), US_ASCII));
    }
  }

  @Test
  void theNewFileMayBeEmpty() throws IOException {
    try (HdfsObjectStream stream = stream(removedAfter(""), whole(""))) {
      assertEquals(0, stream.readAllBytes().length);
    }
  }

  @Test
  void bytesOfTwoFilesAreNeverMixed() throws IOException {
    try (HdfsObjectStream stream = stream(removedAfter("ol"), whole("new"))) {
      assertEquals('o', stream.read());
      assertEquals('l', stream.read());
      DestinationException failure = assertThrows(DestinationException.class, stream::read);
      assertFalse(failure.permanent(), failure.getMessage());
    }
  }

  @Test
  void aFileThatFailsAgainAndAgainIsGivenUp() throws IOException {
    HdfsObjectStream.Range[] files = new HdfsObjectStream.Range[5];
    for (int i = 0; i < files.length; i++) {
      files[i] = removedAfter("");
    }
    try (HdfsObjectStream stream = stream(files)) {
      assertThrows(DestinationException.class, stream::read);
    }
  }

  @Test
  void aReadThatIsInterruptedEndsAndKeepsTheFlag() throws IOException {
    InputStream interrupted =
        new InputStream() {
          @Override
          public int read() throws IOException {
            throw new InterruptedIOException("while waiting for a packet");
          }

          @Override
          public int read(byte[] target, int from, int length) throws IOException {
            return read();
          }
        };
    try (HdfsObjectStream stream =
        stream(new HdfsObjectStream.Range(interrupted, 100), whole("new"))) {
      DestinationException failure = assertThrows(DestinationException.class, stream::read);
      assertTrue(Thread.interrupted());
      assertEquals("the thread was interrupted", failure.reason());
    }
  }
}
