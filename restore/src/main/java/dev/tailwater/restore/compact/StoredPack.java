package dev.tailwater.restore.compact;

import dev.tailwater.archive.age.AgeStanza;
import dev.tailwater.archive.name.PackName;
import dev.tailwater.archive.open.OpenedPack;
import java.util.List;

/**
 * A pack that is there and whose directory was read.
 *
 * @param carried the directories for the agent in its header
 */
record StoredPack(PackName name, long objectBytes, OpenedPack opened, List<AgeStanza> carried) {
  StoredPack {
    carried = List.copyOf(carried);
  }
}
