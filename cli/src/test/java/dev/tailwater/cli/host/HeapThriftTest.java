package dev.tailwater.cli.host;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** Tests of {@link HeapThrift}: when a heap is collected. */
final class HeapThriftTest {
  private static final long MEBIBYTE = 1L << 20;

  private long usedMebibytes;
  private long aliveMebibytes;
  private int collections;
  private final HeapThrift thrift =
      new HeapThrift(
          () -> usedMebibytes * MEBIBYTE,
          () -> {
            usedMebibytes = aliveMebibytes;
            collections++;
          });

  private void look(long used) {
    usedMebibytes = used;
    thrift.look();
  }

  @Test
  void leavesASmallHeapAlone() {
    aliveMebibytes = 1;
    look(39);
    assertEquals(0, collections);
  }

  @Test
  void collectsAHeapThatHasGrownByAThird() {
    aliveMebibytes = 90;
    look(100);
    assertEquals(1, collections);
    look(119);
    assertEquals(1, collections);
    look(120);
    assertEquals(2, collections);
  }

  @Test
  void leavesALittleGarbageInASmallHeap() {
    aliveMebibytes = 30;
    look(40);
    look(41);
    assertEquals(1, collections);
    look(42);
    assertEquals(2, collections);
  }

  @Test
  void doesNotCollectAgainAndAgainWhatIsAlive() {
    aliveMebibytes = 200;
    look(200);
    for (int i = 0; i < 10; i++) {
      look(205);
    }
    assertEquals(1, collections);
  }

  @Test
  void isAsThriftyAgainWhenLessIsAlive() {
    aliveMebibytes = 150;
    look(150);
    aliveMebibytes = 30;
    look(200);
    look(42);
    assertEquals(3, collections);
  }
}
