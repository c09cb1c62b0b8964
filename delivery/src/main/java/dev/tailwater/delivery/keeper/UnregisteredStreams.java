package dev.tailwater.delivery.keeper;

import dev.tailwater.delivery.checkpoint.CheckpointSaver;
import dev.tailwater.delivery.stream.StreamProgress;
import java.util.ArrayList;
import java.util.List;

/**
 * New streams that the table of files does not have yet. Each is recorded before a byte of it is
 * delivered, so that a start after a kill knows of which files the destination may have more.
 *
 * <p>That start asks the destination for all streams if this run knows nothing of earlier ones and
 * is killed in its first scan. Then a row for each file would say nothing, and the files that were
 * there before the agent are often most of those it ever sees. So they are recorded when they are
 * delivered, and what is left when the scan is complete. Used by the watch thread only.
 */
final class UnregisteredStreams {
  /** With so many, those that are recorded by now are forgotten. */
  private static final int LEAST_FORGOTTEN = 4_096;

  private final CheckpointSaver saver;

  /** Whether the next start asks the destination for all streams. */
  private boolean nextStartAsks;

  private List<StreamProgress> streams = new ArrayList<>();
  private int forgetsAt = LEAST_FORGOTTEN;

  UnregisteredStreams(CheckpointSaver saver, boolean nextStartAsks) {
    this.saver = saver;
    this.nextStartAsks = nextStartAsks;
  }

  /** Adds a stream, if the table does not have it. */
  void add(StreamProgress stream) {
    if (!stream.isRegistered()) {
      streams.add(stream);
    }
  }

  /** Records the streams, if nobody else would find them. */
  void settle() {
    if (!nextStartAsks) {
      record();
    } else if (streams.size() >= forgetsAt) {
      streams.removeIf(StreamProgress::isRegistered);
      forgetsAt = Math.max(LEAST_FORGOTTEN, 2 * streams.size());
    }
  }

  /** Records the streams, since the next start relies on that. */
  void firstScanDone() {
    nextStartAsks = false;
    streams.removeIf(StreamProgress::isRegistered);
    record();
  }

  private void record() {
    if (!streams.isEmpty()) {
      saver.saveAll(streams);
      streams = new ArrayList<>();
    }
  }
}
