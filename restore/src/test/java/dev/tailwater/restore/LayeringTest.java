package dev.tailwater.restore;

import dev.tailwater.layering.Rooms;
import org.junit.jupiter.api.Test;

/** Where each class of this module belongs, from the lowest room up. */
class LayeringTest {
  private static final Rooms ROOMS = Rooms.below("dev.tailwater.restore");

  @Test
  void roomsUseOnlyLowerRooms() {
    ROOMS.areInThisOrder(
        ".", "list", "tree", "read", "attribute", "durable", "name", "place", "verify", "compact");
  }

  @Test
  void noRoomIsCrowded() {
    ROOMS.areNotCrowded();
  }
}
