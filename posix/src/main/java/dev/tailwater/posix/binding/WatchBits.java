package dev.tailwater.posix.binding;

import dev.tailwater.posix.value.WatchEvent;
import java.util.Set;

/** Conversions from sets of {@link WatchEvent} to the mask of inotify_add_watch(2). */
public final class WatchBits {
  private WatchBits() {}

  public static int of(Set<WatchEvent> events) {
    int mask = 0;
    for (WatchEvent event : events) {
      mask |=
          switch (event) {
            case MODIFY -> 0x002;
            case ATTRIBUTES -> 0x004;
            case CLOSE_WRITE -> 0x008;
            case MOVED_FROM -> 0x040;
            case MOVED_TO -> 0x080;
            case CREATE -> 0x100;
            case DELETE -> 0x200;
            case DELETE_SELF -> 0x400;
            case MOVE_SELF -> 0x800;
            case ONLY_DIRECTORY -> 0x0100_0000;
            case NO_FOLLOW -> 0x0200_0000;
            case EXCLUDE_UNLINKED -> 0x0400_0000;
          };
    }
    return mask;
  }
}
