package dev.tailwater.delivery.deliver;

import dev.tailwater.archive.name.ArchiveObject;
import dev.tailwater.archive.open.SegmentOpener;
import dev.tailwater.delivery.trust.ArchiveTrust;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.TransientDestinationException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * Which segments may be removed, since all of their bytes are in a longer one. A name alone does
 * not tell that: what is damaged, or no segment at all, or made by anybody, supersedes nothing.
 */
final class SupersededSegments {
  private final Destination destination;
  private final Inventory inventory;
  private final ArchiveTrust trust;

  SupersededSegments(Destination destination, Inventory inventory, ArchiveTrust trust) {
    this.destination = destination;
    this.inventory = inventory;
    this.trust = trust;
  }

  /** Returns their keys, as far as the longer ones are sound. Reads these. */
  List<String> keys(Collection<Holding> holdings) throws DestinationException {
    List<String> keys = new ArrayList<>();
    for (Holding holding : holdings) {
      for (Map.Entry<ArchiveObject.Segment, List<String>> longer :
          holding.superseded().entrySet()) {
        if (trust.allowsRemovalsFor(longer.getKey()) && isSound(longer.getKey())) {
          keys.addAll(longer.getValue());
        }
      }
    }
    return keys;
  }

  /** Returns whether a segment is whole, as far as the agent can read it. */
  private boolean isSound(ArchiveObject.Segment segment) throws DestinationException {
    try {
      if (segment.encrypted()) {
        return inventory
            .peekContent(segment)
            .filter(stated -> stated.range().equals(segment.range()))
            .isPresent();
      }
      try (InputStream object = destination.read(segment.key(), 0, Long.MAX_VALUE)) {
        new SegmentOpener().open(segment, object, List.of(), OutputStream.nullOutputStream());
        return true;
      }
    } catch (TransientDestinationException e) {
      throw e;
    } catch (IOException unreadable) {
      return false; // Whoever reads the archive reports it.
    }
  }
}
