package dev.tailwater.store;

import dev.tailwater.layering.Rooms;
import org.junit.jupiter.api.Test;

/** Where each class of this module belongs, from the lowest room up. */
class LayeringTest {
  private static final Rooms ROOMS = Rooms.below("dev.tailwater.store");

  @Test
  void roomsUseOnlyLowerRooms() {
    ROOMS.areInThisOrder(
        ".",
        "damage",
        "files",
        "common",
        "log.format",
        "log.map",
        "log.recovery",
        "log.write",
        "log.salvage",
        "log");
  }

  @Test
  void noRoomIsCrowded() {
    ROOMS.areNotCrowded();
  }
}
