package dev.tailwater.io;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;

/** The page size, from vectors of this and of other machines. */
final class PageSizeTest {
  @Test
  void findsThePageSize() {
    ByteBuffer vector = ByteBuffer.allocate(48).order(ByteOrder.nativeOrder());
    vector.putLong(3).putLong(17).putLong(6).putLong(65536).putLong(0).putLong(0);
    assertEquals(65536, PageSize.of(vector.array()));
    assertEquals(4096, PageSize.of(new byte[7]));
    assertEquals(1, Integer.bitCount(PageSize.bytes()));
  }
}
