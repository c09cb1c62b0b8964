package dev.tailwater.delivery;

import dev.tailwater.layering.Rooms;
import org.junit.jupiter.api.Test;

/** How large the rooms of this module are; the module {@code it} checks their order. */
class LayeringTest {
  @Test
  void noRoomIsCrowded() {
    Rooms.below("dev.tailwater.delivery").areNotCrowded();
  }
}
