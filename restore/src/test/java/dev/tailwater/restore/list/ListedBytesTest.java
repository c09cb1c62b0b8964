package dev.tailwater.restore.list;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.destination.PermanentDestinationException;
import dev.tailwater.restore.Bytes;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import org.junit.jupiter.api.Test;

class ListedBytesTest {
  private static InputStream listed(InputStream object, long bytes) {
    return new ListedBytes(object, URI.create("file:///archive"), "a/segment", bytes);
  }

  /** Zeros for ever, counted. */
  private static final class Endless extends InputStream {
    private long readBytes;

    @Override
    public int read() {
      readBytes++;
      return 0;
    }

    @Override
    public int read(byte[] target, int from, int length) {
      readBytes += length;
      return length;
    }
  }

  @Test
  void givesAnObjectThatIsAsLongAsItWasListed() throws IOException {
    byte[] bytes = Bytes.random(100_000, 1);
    assertArrayEquals(bytes, listed(new ByteArrayInputStream(bytes), bytes.length).readAllBytes());
    InputStream one = listed(new ByteArrayInputStream(new byte[] {7}), 1);
    assertEquals(7, one.read());
    assertEquals(-1, one.read());
  }

  @Test
  void stopsAnObjectThatNeverEnds() {
    Endless endless = new Endless();
    PermanentDestinationException e =
        assertThrows(
            PermanentDestinationException.class,
            () -> listed(endless, 1000).transferTo(OutputStream.nullOutputStream()));
    assertEquals("a/segment", e.key());
    assertTrue(e.getMessage().contains("listed with 1000 bytes"), e.getMessage());
    assertTrue(endless.readBytes < 100_000, endless.readBytes + " bytes were read");
    assertThrows(PermanentDestinationException.class, () -> listed(new Endless(), 0).skipNBytes(1));
  }
}
