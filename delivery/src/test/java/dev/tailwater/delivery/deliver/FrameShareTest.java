package dev.tailwater.delivery.deliver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import org.junit.jupiter.api.Test;

class FrameShareTest {
  private final FrameShare share = new FrameShare(80, 1000);

  private Optional<HeldFrames> keep(int lengthBytes) {
    return share.keep(lengthBytes, lengthBytes, () -> new byte[lengthBytes]);
  }

  @Test
  void theOldestGoWhenItIsFull() {
    HeldFrames first = keep(10).orElseThrow();
    for (int i = 0; i < 7; i++) {
      assertTrue(keep(10).isPresent());
    }
    assertEquals(80, share.heldBytes());
    assertTrue(first.units().isPresent());
    HeldFrames last = keep(5).orElseThrow();
    assertTrue(first.units().isEmpty());
    assertEquals(75, share.heldBytes());
    first.release();
    assertEquals(75, share.heldBytes());
    last.release();
    assertEquals(70, share.heldBytes());
  }

  @Test
  void theyGoWhenTheLastHolderLetsGo() {
    HeldFrames frames = keep(10).orElseThrow().hold();
    frames.release();
    assertEquals(10, frames.units().orElseThrow().length);
    frames.release();
    assertTrue(frames.units().isEmpty());
    assertEquals(0, share.heldBytes());
  }

  @Test
  void keepsNothingThatIsLongOrWouldDriveOutMany() {
    assertTrue(share.keep(1000, 1, () -> new byte[1]).isEmpty());
    assertTrue(keep(11).isEmpty());
    assertTrue(new FrameShare(0, 1000).keep(1, 1, () -> new byte[1]).isEmpty());
  }
}
