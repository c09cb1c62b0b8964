package dev.tailwater.delivery.tail;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.tailwater.archive.FileOwner;
import dev.tailwater.io.AccountTable;
import dev.tailwater.posix.value.EntryType;
import dev.tailwater.posix.value.FileStatus;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class OwnerNamesTest {
  private final AtomicLong nanos = new AtomicLong();
  private final AtomicInteger reads = new AtomicInteger();
  private String content = "web:x:33:\n";
  private final OwnerNames names =
      new OwnerNames(
          _ -> {
            reads.incrementAndGet();
            return AccountTable.parse(content.getBytes(UTF_8));
          },
          nanos::get);

  private static FileStatus owned(long userId, long groupId) {
    return new FileStatus(
        1,
        1,
        EntryType.REGULAR,
        0600,
        userId,
        groupId,
        1,
        0,
        0,
        512,
        0,
        0,
        OptionalLong.empty(),
        0);
  }

  @Test
  void filesOfOneOwnerShareAnObjectAndTheTablesAreReadOnce() {
    FileOwner first = names.of(owned(33, 33));
    assertEquals(new FileOwner(33, 33, "web", "web"), first);
    assertSame(first, names.of(owned(33, 33)));
    assertEquals(2, reads.get());
  }

  @Test
  void anUnknownIdIsLookedForAgainAfterAMinuteAndNotBefore() {
    assertEquals(new FileOwner(40, 33, "", "web"), names.of(owned(40, 33)));
    content = "web:x:33:\nnew:x:40:\n";
    assertEquals(new FileOwner(40, 33, "", "web"), names.of(owned(40, 33)));
    assertEquals(2, reads.get());
    nanos.set(TimeUnit.SECONDS.toNanos(61));
    assertEquals(new FileOwner(40, 33, "new", "web"), names.of(owned(40, 33)));
  }

  @Test
  void whatHasNoUsableNameHasItsIdsOnly() {
    content = "x".repeat(FileOwner.MAX_NAME_BYTES + 1) + ":x:5:\n";
    FileOwner owner = names.of(owned(5, 0xFFFF_FFFFL));
    assertEquals(new FileOwner(5, FileOwner.MAX_ID, "", ""), owner);
    assertEquals(new FileOwner(5, 6, "", ""), OwnerNames.idsOnly().of(owned(5, 6)));
  }
}
