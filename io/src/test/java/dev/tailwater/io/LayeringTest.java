package dev.tailwater.io;

import dev.tailwater.layering.Rooms;
import org.junit.jupiter.api.Test;

/** Where each class of this module belongs, from the lowest room up. */
class LayeringTest {
  private static final Rooms ROOMS = Rooms.below("dev.tailwater.io");

  @Test
  void roomsUseOnlyLowerRooms() {
    ROOMS.areInThisOrder(
        ".",
        "attribute",
        "mount",
        "buffer",
        "copy",
        "read",
        "async",
        "write",
        "watch.name",
        "watch.event",
        "watch.early",
        "watch.result",
        "watch");
  }

  @Test
  void noRoomIsCrowded() {
    ROOMS.areNotCrowded();
  }
}
