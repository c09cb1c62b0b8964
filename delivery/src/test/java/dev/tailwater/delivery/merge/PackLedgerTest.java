package dev.tailwater.delivery.merge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.name.PackGroup;
import dev.tailwater.archive.name.PackId;
import dev.tailwater.archive.name.PackName;
import dev.tailwater.archive.seal.PlainPack;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PackLedgerTest {
  private static final PackGroup GROUP = new PackGroup("9hq8uvlhiuj8l-0fk3v9a1");
  private static final PackGroup NEXT = new PackGroup("9hq8uvlhiuj8l-0fk3v9a2");
  private static final int GROUP_PACKS = 4096;
  private static final long BOUND_BYTES = 8 << 20;

  private final PackLedger ledger = new PackLedger(() -> 1L << 30);
  private long writtenBytes;

  private static PackLedger.ShortPack pack(
      PackGroup group, int first, int last, int bytes, int merges) {
    PackName name = new PackName(new PackId("a", group, first, last), 1, false);
    return new PackLedger.ShortPack(name, new PlainPack(name, new byte[bytes]), bytes, 1, merges);
  }

  /** Merges what is due, as if nothing compressed better together. */
  private void mergeAll() {
    for (Optional<PackLedger.Plan> next = ledger.next(); next.isPresent(); next = ledger.next()) {
      PackLedger.Plan plan = next.get();
      int bytes = plan.packs().stream().mapToInt(PackLedger.ShortPack::heldBytes).sum();
      writtenBytes += bytes;
      PackLedger.ShortPack merged =
          pack(plan.id().group(), plan.id().first(), plan.id().last(), bytes, plan.merges());
      ledger.merged(plan, plan.isLast() ? Optional.empty() : Optional.of(merged));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {300, 5_000, 60_000, 600_000, 1_000_000})
  void noByteIsWrittenMoreThanThreeTimesHoweverShortPacksAre(int packBytes) {
    long firstBytes = 0;
    for (int i = 0; i < GROUP_PACKS; i++) {
      firstBytes += packBytes;
      ledger.add(pack(GROUP, i, i, packBytes, 0));
      mergeAll();
      assertTrue(ledger.heldBytes() <= BOUND_BYTES, () -> ledger.heldBytes() + " bytes held");
    }
    ledger.add(pack(NEXT, 0, 0, packBytes, 0));
    mergeAll();
    assertEquals(packBytes, ledger.heldBytes(), "of a group that has ended, nothing is kept");
    long times = Math.ceilDiv(firstBytes + writtenBytes, firstBytes);
    assertTrue(times <= 3, () -> times + " times");
  }

  @Test
  void whatIsNotMergedInTimeIsGivenUpFromTheOldestOn() {
    for (int i = 0; i < 100; i++) {
      ledger.add(pack(GROUP, i, i, 500_000, 0));
    }
    assertTrue(ledger.heldBytes() <= BOUND_BYTES, () -> ledger.heldBytes() + " bytes held");
    assertEquals(84, ledger.next().orElseThrow().id().first());
  }

  @Test
  void packsThatAreNotNeighboursAreNotMergedWithEachOther() {
    for (int i = 0; i < 300; i += 2) {
      ledger.add(pack(GROUP, i, i, 100, 0));
    }
    assertTrue(ledger.next().isEmpty());
  }

  @Test
  void nothingIsKeptWhereNothingIsMerged() {
    PackLedger none = new PackLedger(() -> 0);
    none.add(pack(GROUP, 0, 0, 100, 0));
    assertEquals(0, none.heldBytes());
  }
}
