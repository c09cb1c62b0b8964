package dev.tailwater.delivery.seal;

import dev.tailwater.archive.record.StreamRecord;
import dev.tailwater.delivery.checkpoint.CheckpointSaver;
import dev.tailwater.delivery.checkpoint.Ending;
import dev.tailwater.delivery.checkpoint.StreamProgress;
import dev.tailwater.delivery.deliver.Deliverer;
import dev.tailwater.delivery.tail.StreamNames;
import dev.tailwater.delivery.tail.Tail;
import dev.tailwater.delivery.tail.WatchedFile;
import dev.tailwater.io.read.TailReader;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.value.FileStatus;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;

/** Brings a tail to the stream that its file is at. Belongs to one worker. */
final class StreamSuccession {
  private final String agent;
  private final Resumption resumption;
  private final TailReader reader;
  private final Deliverer deliverer;
  private final CheckpointSaver checkpoints;
  private final LongSupplier nanoClock;
  private final LongSupplier clockMillis;

  StreamSuccession(SealContext context, TailReader reader) {
    this.agent = context.agent();
    this.resumption = context.resumption();
    this.reader = reader;
    this.deliverer = context.deliverer();
    this.checkpoints = context.checkpoints();
    this.nanoClock = context.nanoClock();
    this.clockMillis = context.clockMillis();
  }

  /** Finds the position, if it is not known yet. */
  FileStatus resume(Tail tail, int fd, FileStatus seen) throws IOException {
    FileStatus status = seen;
    while (!tail.isResumed()) {
      StreamProgress stream = tail.stream();
      long savedBytes = stream.durableBytes();
      if (!resumption.resume(tail, fd, reader, status)) {
        // What this run has seen of the size belongs to the file as it is now.
        status = beginNextStream(tail, status, stream.durableBytes(), false);
      } else if (stream.durableBytes() != savedBytes) {
        // What was asked for once need not be asked for again, not even after a clean end.
        checkpoints.save(stream);
      }
    }
    return status;
  }

  /**
   * The file of a pinned tail was truncated.
   *
   * @return the file as it is in the stream that it is at now; empty when it was closed meanwhile
   */
  Optional<FileStatus> afterTruncation(Tail tail, int fd) throws IOException {
    // If it is shorter than it was seen, what it had is gone; else that is what it has now.
    Optional<FileStatus> seen = look(tail);
    if (seen.isEmpty()) {
      return seen;
    }
    boolean isNew = !resumption.mayHoldNext(tail);
    FileStatus status = beginNextStream(tail, seen.get(), tail.sizeBeforeTruncationBytes(), isNew);
    resume(tail, fd, status);
    // To save that may have taken long, and the file may have been truncated once more.
    return look(tail);
  }

  private Optional<FileStatus> look(Tail tail) throws ErrnoException {
    return tail.refresh(nanoClock.getAsLong(), clockMillis.getAsLong());
  }

  /**
   * Ends the present stream by truncation and begins the next. Both are saved at once, before a
   * byte of the new stream is delivered.
   *
   * @param resumed whether nothing of the next stream was delivered before this run, for certain
   * @param seen the file as it is in the next stream
   */
  private FileStatus beginNextStream(
      Tail tail, FileStatus seen, long knownSizeBytes, boolean resumed) {
    StreamProgress old = tail.stream();
    long nowMillis = clockMillis.getAsLong();
    long readToBytes = tail.isResumed() ? tail.positionBytes() : old.durableBytes();
    old.end(
        new Ending(
            StreamRecord.EndReason.TRUNCATED,
            readToBytes,
            Math.max(knownSizeBytes, readToBytes),
            nowMillis));
    StreamProgress next = nextStream(tail, old, nowMillis);
    checkpoints.saveAll(List.of(next, old));
    tail.beginStream(next, seen, resumed, nowMillis);
    deliverer.describe(old);
    return seen;
  }

  /** What another destination calls the stream that follows, else what it is called next. */
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
                    latest.id().withEpoch(latest.id().epoch() + 1),
                    file.archivedName(),
                    nowMillis));
  }

  private static boolean isAfter(StreamProgress stream, StreamProgress old) {
    return stream.id().epoch() > old.id().epoch();
  }
}
