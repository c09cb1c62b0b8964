package dev.tailwater.archive;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;

class CodecTest {
  @Test
  void readsWhatItWrites() {
    for (Codec codec :
        List.of(new Codec.Zstd(-7), new Codec.Zstd(19), new Codec.Gzip(1), new Codec.Store())) {
      assertEquals(codec, Codec.parse(codec.toString()));
    }
    assertEquals(new Codec.Zstd(1), Codec.parse(" ZSTD "));
    assertEquals(new Codec.Gzip(6), Codec.parse("gzip"));
  }

  @Test
  void refusesUnknownCodecsAndLevels() {
    for (String wrong :
        List.of(
            "", "lz4", "zstd:20", "zstd:-8", "zstd:", "zstd:x", "gzip:0", "gzip:10", "store:1")) {
      assertThrows(IllegalArgumentException.class, () -> Codec.parse(wrong), wrong);
    }
  }

  @Test
  void storeIsReadLikeZstd() {
    assertEquals(".zst", new Codec.Store().suffix());
    assertEquals(".zst", new Codec.Zstd(1).suffix());
    assertEquals(".gz", new Codec.Gzip(1).suffix());
  }
}
