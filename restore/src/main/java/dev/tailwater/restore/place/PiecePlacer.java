package dev.tailwater.restore.place;

import dev.tailwater.archive.ArchiveException;
import dev.tailwater.archive.DamagedSegmentException;
import dev.tailwater.archive.header.SegmentHeader;
import dev.tailwater.destination.NoSuchObjectException;
import dev.tailwater.io.mount.MountInfo;
import dev.tailwater.io.write.BlockWriterOptions;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.restore.Damage;
import dev.tailwater.restore.RestoreProgress;
import dev.tailwater.restore.Retry;
import dev.tailwater.restore.StoredSegment;
import dev.tailwater.restore.list.ArchivedStream;
import dev.tailwater.restore.list.SegmentSource;
import dev.tailwater.restore.read.OverlapCheck;
import dev.tailwater.restore.read.Piece;
import dev.tailwater.restore.read.PieceBuffers;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Fetches, opens and places pieces: those of a file of several on a fixed number of threads, a lone
 * one on that of its caller. Each piece takes one native buffer of the size of a write ({@link
 * PieceWriter#options}). A caller waits until one is free, so nothing queues up, and memory use
 * does not depend on the number of pieces. Thread-safe.
 */
final class PiecePlacer implements AutoCloseable {
  private final SegmentSource source;
  private final RestoreProgress progress;
  private final BlockWriterOptions options;
  private final PieceBuffers buffers;
  private final ExecutorService threads;

  /**
   * @param mount where the files lie
   */
  PiecePlacer(SegmentSource source, MountInfo mount, int jobs, RestoreProgress progress) {
    this.source = source;
    this.progress = progress;
    this.options = PieceWriter.options(mount);
    this.buffers = new PieceBuffers(jobs, options.writeBytes());
    this.threads =
        Executors.newFixedThreadPool(jobs, Thread.ofPlatform().name("restore-fetch-", 0).factory());
  }

  /**
   * Begins to place a piece; waits until there is room for it.
   *
   * @param overlap learns which bytes the piece's segment has
   * @param clearFirst whether the piece's range of the file may contain anything
   */
  Future<PieceResult> place(
      ArchivedStream stream,
      Piece piece,
      PartialFile file,
      OverlapCheck overlap,
      boolean clearFirst)
      throws InterruptedException {
    PieceBuffers.Loan buffer = buffers.acquire();
    boolean accepted = false;
    try {
      FutureTask<PieceResult> task =
          new FutureTask<>(
              () -> {
                try (buffer) {
                  return placeNow(new Attempts(stream, piece, file, overlap, buffer, clearFirst));
                }
              });
      threads.execute(task);
      accepted = true;
      return task;
    } finally {
      if (!accepted) {
        buffer.close();
      }
    }
  }

  /**
   * Places a piece in this thread, as {@link #place} does in another one: where no other piece of
   * the file is placed meanwhile, to hand it over would gain nothing.
   */
  PieceResult placeHere(
      ArchivedStream stream,
      Piece piece,
      PartialFile file,
      OverlapCheck overlap,
      boolean clearFirst)
      throws InterruptedException {
    try (PieceBuffers.Loan buffer = buffers.acquire()) {
      return placeNow(new Attempts(stream, piece, file, overlap, buffer, clearFirst));
    }
  }

  private PieceResult placeNow(Attempts attempts) {
    Piece piece = attempts.piece;
    try {
      return new PieceResult.Placed(piece, source.retry().call(attempts, attempts));
    } catch (NoSuchObjectException e) {
      return attempts.lost(Damage.of(e.key(), "it was listed and is not there any more"), true);
    } catch (ArchiveException e) {
      return attempts.lost(Damage.of(e), false);
    } catch (IOException e) {
      ErrnoException refused = attempts.refused;
      return refused == null
          ? new PieceResult.Unreadable(piece, e)
          : new PieceResult.Unwritable(piece, refused);
    }
  }

  /** The attempts to place one piece; every one but the first clears what the last one wrote. */
  private final class Attempts implements Retry.Attempt<SegmentHeader>, LongSupplier {
    private final ArchivedStream stream;
    private final Piece piece;
    private final PartialFile file;
    private final OverlapCheck overlap;
    private final PieceBuffers.Loan buffer;
    private boolean dirty;
    private long doneBytes;
    private @Nullable ErrnoException refused;

    Attempts(
        ArchivedStream stream,
        Piece piece,
        PartialFile file,
        OverlapCheck overlap,
        PieceBuffers.Loan buffer,
        boolean dirty) {
      this.stream = stream;
      this.piece = piece;
      this.file = file;
      this.overlap = overlap;
      this.buffer = buffer;
      this.dirty = dirty;
    }

    /** Returns how many bytes came so far. */
    @Override
    public long getAsLong() {
      return doneBytes;
    }

    @Override
    public SegmentHeader run() throws IOException {
      requireReachable();
      clearIfDirty();
      dirty = true;
      try (PieceWriter writer =
          PieceWriter.of(file.descriptor(), options, buffer.segment(), piece)) {
        try {
          StoredSegment segment = piece.segment();
          Optional<OverlapCheck.Hasher> hasher =
              overlap.isEmpty()
                  ? Optional.empty()
                  : Optional.of(overlap.hasher(stream.keyOf(segment), segment));
          SegmentHeader header = source.open(stream, segment, new CountingOutput(writer, hasher));
          writer.finish();
          hasher.ifPresent(OverlapCheck.Hasher::accept);
          return header;
        } finally {
          if (writer.failure().isPresent()) {
            refused = writer.failure().get();
          }
        }
      }
    }

    private void requireReachable() throws DamagedSegmentException {
      if (piece.range().endBytes() > PieceWriter.MAX_END_BYTES) {
        throw new DamagedSegmentException(
            stream.keyOf(piece.segment()), 0, "its bytes would lie where no file has any");
      }
    }

    private void clearIfDirty() throws ErrnoException {
      try {
        if (dirty) {
          file.clear(piece.range());
        }
      } catch (ErrnoException e) {
        refused = e;
        throw e;
      }
    }

    PieceResult lost(Damage damage, boolean isGone) {
      try {
        // Whatever was written before the damage showed must not stay.
        clearIfDirty();
      } catch (ErrnoException refusedNow) {
        return new PieceResult.Unwritable(piece, refusedNow);
      }
      return new PieceResult.Lost(piece, damage, isGone);
    }

    /** Tells the comparison which raw bytes have come, and the progress how many. */
    private final class CountingOutput extends OutputStream {
      private final OutputStream target;
      private final Optional<OverlapCheck.Hasher> hasher;

      CountingOutput(OutputStream target, Optional<OverlapCheck.Hasher> hasher) {
        this.target = target;
        this.hasher = hasher;
      }

      @Override
      public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
      }

      @Override
      public void write(byte[] bytes, int from, int lengthBytes) throws IOException {
        target.write(bytes, from, lengthBytes);
        if (hasher.isPresent()) {
          hasher.get().write(bytes, from, lengthBytes);
        }
        doneBytes += lengthBytes;
        progress.done(lengthBytes);
      }
    }
  }

  @Override
  public void close() {
    threads.close();
    buffers.close();
  }
}
