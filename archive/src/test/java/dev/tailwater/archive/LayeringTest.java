package dev.tailwater.archive;

import dev.tailwater.layering.Rooms;
import org.junit.jupiter.api.Test;

/** Where each class of this module belongs, from the lowest room up. */
class LayeringTest {
  private static final Rooms ROOMS = Rooms.below("dev.tailwater.archive");

  @Test
  void roomsUseOnlyLowerRooms() {
    ROOMS.areInThisOrder(
        ".",
        "name",
        "sign",
        "record",
        "age",
        "header",
        "pack",
        "seal",
        "open",
        "merge",
        "manifest");
  }

  @Test
  void noRoomIsCrowded() {
    ROOMS.areNotCrowded();
  }
}
