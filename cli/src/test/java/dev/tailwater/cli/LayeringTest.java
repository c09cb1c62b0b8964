package dev.tailwater.cli;

import dev.tailwater.layering.Rooms;
import org.junit.jupiter.api.Test;

/** Where each class of this module belongs, from the lowest room up. */
class LayeringTest {
  private static final Rooms ROOMS = Rooms.below("dev.tailwater.cli");

  @Test
  void roomsUseOnlyLowerRooms() {
    ROOMS.areInThisOrder(
        "value",
        "outcome",
        "host",
        "report",
        "config",
        "schema",
        "init",
        "child",
        "store",
        "bench",
        "probe",
        "ship",
        "estimate",
        "rehearse",
        "demo",
        "plugin",
        "completion",
        "command.metric",
        "command.agent",
        "command.archive",
        "command.ship",
        "command.store",
        "command",
        ".");
  }

  @Test
  void noRoomIsCrowded() {
    ROOMS.areNotCrowded();
  }
}
