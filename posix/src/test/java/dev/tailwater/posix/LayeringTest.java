package dev.tailwater.posix;

import dev.tailwater.layering.Rooms;
import org.junit.jupiter.api.Test;

/** Where each class of this module belongs, from the lowest room up. */
class LayeringTest {
  private static final Rooms ROOMS = Rooms.below("dev.tailwater.posix");

  @Test
  void roomsUseOnlyLowerRooms() {
    ROOMS.areInThisOrder("value", ".", "binding", "linux");
  }

  @Test
  void noRoomIsCrowded() {
    ROOMS.areNotCrowded();
  }
}
