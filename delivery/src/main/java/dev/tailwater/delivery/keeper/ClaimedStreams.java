package dev.tailwater.delivery.keeper;

import dev.tailwater.delivery.stream.StreamProgress;
import dev.tailwater.io.FileIdentity;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What earlier runs knew of files. It is told once, and wanted again where what follows from it has
 * failed. Used by the watch thread only.
 */
final class ClaimedStreams {
  private final Map<FileIdentity, Optional<StreamProgress>> claimed = new HashMap<>();

  /** Whether a claim was begun that has not ended, or has failed in the midst of it. */
  private boolean claiming;

  /** Tells what is known of a file, once; what cannot be read can be asked for again. */
  interface Claim {
    Optional<StreamProgress> make() throws IOException;
  }

  /**
   * Claims what is known of a file, or returns what it was when that was claimed. Where a claim has
   * failed in its midst, a part of it may be lost, and nothing may be delivered before the next
   * start has read it again.
   */
  Optional<StreamProgress> claim(FileIdentity file, Claim claim) throws IOException {
    Optional<StreamProgress> before = claimed.get(file);
    if (before != null) {
      return before;
    }
    if (claiming) {
      throw new IOException("what is known of a file could not be taken in; restart the agent");
    }
    claiming = true;
    try {
      Optional<StreamProgress> known = claim.make();
      claimed.put(file, known);
      claiming = false;
      return known;
    } catch (IOException e) {
      claiming = false; // Nothing was taken.
      throw e;
    }
  }

  /** Forgets all: nobody wants it again. */
  void clear() {
    claimed.clear();
  }
}
