package dev.tailwater.delivery.resume;

import dev.tailwater.archive.record.StreamRecord;
import dev.tailwater.delivery.checkpoint.CheckpointSaver;
import dev.tailwater.delivery.deliver.Deliverer;
import dev.tailwater.delivery.stream.Ending;
import dev.tailwater.delivery.stream.StreamProgress;
import dev.tailwater.delivery.tail.StreamNames;
import dev.tailwater.delivery.tail.Tail;
import dev.tailwater.delivery.tail.TailLook;
import dev.tailwater.delivery.tail.WatchedFile;
import dev.tailwater.delivery.time.Clocks;
import dev.tailwater.io.read.TailReader;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.value.FileStatus;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Moves a tail to the stream that its file is at. Thread-safe. */
public final class StreamSuccession {
  private final String agent;
  private final Resumption resumption;
  private final Deliverer deliverer;
  private final CheckpointSaver checkpoints;
  private final Clocks clocks;

  /**
   * Creates the succession of streams for one destination.
   *
   * @param agent the name under which new streams are archived
   * @param deliverer tells the archive of streams that end
   */
  public StreamSuccession(
      String agent,
      Resumption resumption,
      Deliverer deliverer,
      CheckpointSaver checkpoints,
      Clocks clocks) {
    this.agent = agent;
    this.resumption = resumption;
    this.deliverer = deliverer;
    this.checkpoints = checkpoints;
    this.clocks = clocks;
  }

  /** Finds the position to read from, if it is not known yet; returns the file as it is then. */
  public FileStatus resume(Tail tail, int fd, TailReader reader, FileStatus seen)
      throws IOException {
    FileStatus status = seen;
    boolean mindsDoubts = true; // Once: whoever forges more of them must not keep it from delivery.
    while (!tail.isResumed()) {
      StreamProgress stream = tail.stream();
      long savedBytes = stream.durableBytes();
      boolean isMarked = stream.marker().isPresent();
      boolean wasShrunk = tail.isShrunk();
      Resumption.Outcome outcome = resumption.resume(tail, fd, reader, status, mindsDoubts);
      if (outcome != Resumption.Outcome.RESUMED) {
        mindsDoubts &= outcome != Resumption.Outcome.DOUBTED;
        status = beginNextStream(tail, status, wasShrunk);
      } else if (stream.durableBytes() != savedBytes) {
        // So that no later start asks the destination for this again, not even after a clean end.
        checkpoints.save(stream);
      } else if (!isMarked && stream.marker().isPresent()) {
        checkpoints.saveWithNext(stream); // So that no later start compares it again.
      }
    }
    return status;
  }

  /**
   * Begins the stream that follows one of which nothing is left in the file.
   *
   * @param wasShrunk whether the first look of this run found the file truncated, so that the size
   *     it saw is the next stream's; otherwise the truncation may have come after that look
   */
  private FileStatus beginNextStream(Tail tail, FileStatus seen, boolean wasShrunk)
      throws ErrnoException {
    long knownSizeBytes = tail.stream().durableBytes();
    if (wasShrunk) {
      knownSizeBytes = Math.max(knownSizeBytes, tail.sizeBeforeTruncationBytes());
      return beginNextStream(tail, seen, knownSizeBytes, false);
    }
    Optional<FileStatus> now = TailLook.refreshForNextStream(tail, clocks.nanos(), clocks.millis());
    if (tail.isShrunk()) {
      knownSizeBytes = Math.max(knownSizeBytes, tail.sizeBeforeTruncationBytes());
    }
    return beginNextStream(tail, now.orElse(seen), knownSizeBytes, false);
  }

  /**
   * Moves a pinned tail, whose file was truncated, to its next stream.
   *
   * @return the file as it is in that stream; empty when it was closed meanwhile
   */
  public Optional<FileStatus> afterTruncation(Tail tail, int fd, TailReader reader)
      throws IOException {
    // If it is shorter than it was, its old bytes are gone; otherwise these are the new ones.
    Optional<FileStatus> seen =
        TailLook.refreshForNextStream(tail, clocks.nanos(), clocks.millis());
    if (seen.isEmpty()) {
      return seen;
    }
    boolean isNew = !resumption.mayHoldNext(tail);
    FileStatus status = beginNextStream(tail, seen.get(), tail.sizeBeforeTruncationBytes(), isNew);
    resume(tail, fd, reader, status);
    // Saving may have taken long, and the file may have been truncated once more.
    return TailLook.refresh(tail, clocks.nanos(), clocks.millis());
  }

  /**
   * Ends the present stream by truncation and begins the next one. Both are saved together, before
   * a byte of the new stream is delivered.
   *
   * @param seen the file as it is in the next stream
   * @param resumed whether it is certain that no earlier run delivered anything of the next stream
   */
  private FileStatus beginNextStream(
      Tail tail, FileStatus seen, long knownSizeBytes, boolean resumed) {
    StreamProgress old = tail.stream();
    long nowMillis = clocks.millis();
    long readToBytes = tail.readToBytes();
    old.endUnannounced(
        new Ending(
            StreamRecord.EndReason.TRUNCATED,
            readToBytes,
            Math.max(knownSizeBytes, readToBytes),
            nowMillis));
    StreamProgress next = nextStream(tail, old, nowMillis);
    tail.noteSeen(next, seen, nowMillis);
    checkpoints.saveAll(List.of(next, old));
    old.announceEnd();
    tail.beginStream(next, seen, resumed, nowMillis);
    deliverer.describe(old);
    return seen;
  }

  /** Returns the next stream, under the name that another destination has for it, if one has. */
  private StreamProgress nextStream(Tail tail, StreamProgress old, long nowMillis) {
    WatchedFile file = tail.file();
    StreamProgress latest =
        StreamNames.latest(file).filter(other -> isAfter(other, old)).orElse(old);
    return StreamNames.present(file)
        .filter(other -> isAfter(other, old))
        .map(stream -> StreamProgress.sameAs(stream, file.archivedName(), nowMillis))
        .orElseGet(
            () ->
                StreamProgress.begin(
                    agent,
                    file.identity(),
                    latest.id().withEpoch(resumption.epochAfter(latest.id())),
                    file.archivedName(),
                    nowMillis));
  }

  private static boolean isAfter(StreamProgress stream, StreamProgress old) {
    return stream.id().epoch() > old.id().epoch();
  }
}
