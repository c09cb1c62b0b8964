package dev.tailwater.store.datafile;

import dev.tailwater.layering.Rooms;
import org.junit.jupiter.api.Test;

/** Where each class of this module belongs, from the lowest room up. */
class LayeringTest {
  private static final Rooms ROOMS = Rooms.below("dev.tailwater.store.datafile");

  @Test
  void roomsUseOnlyLowerRooms() {
    ROOMS.areInThisOrder(
        "index", "format", "salvage", "file", "read", "write", "vacuum", "recovery", ".", "tool");
  }

  @Test
  void noRoomIsCrowded() {
    ROOMS.areNotCrowded();
  }
}
