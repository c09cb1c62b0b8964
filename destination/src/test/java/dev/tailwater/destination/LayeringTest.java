package dev.tailwater.destination;

import dev.tailwater.layering.Rooms;
import org.junit.jupiter.api.Test;

/** Where each class of this module belongs, from the lowest room up. */
class LayeringTest {
  private static final Rooms ROOMS = Rooms.below("dev.tailwater.destination");

  @Test
  void roomsUseOnlyLowerRooms() {
    ROOMS.areInThisOrder(
        ".", "contract", "list", "retry", "directory", "cloud", "cloud.http", "cloud.training");
  }

  @Test
  void noRoomIsCrowded() {
    ROOMS.areNotCrowded();
  }
}
