package dev.tailwater.restore.place;

import dev.tailwater.restore.Jobs;
import dev.tailwater.restore.durable.GroupSync;
import dev.tailwater.restore.list.ArchivedStream;
import dev.tailwater.restore.name.TargetNames;
import dev.tailwater.restore.name.TargetPath;
import dev.tailwater.restore.name.TargetPath.UnsafePathException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Map;
import java.util.Optional;

/**
 * The way of one stream through a run: its file is written, and gets its name when it is durable,
 * which may be later. There may be a million, so this is one object and no chain of lambdas.
 */
final class StreamWriting implements StreamAttempts.Place, StreamAttempts.Work, GroupSync.Then {
  private final StreamRestore.Run run;
  private final ArchivedStream stream;
  private final TargetNames names;
  private final StreamAttempts attempts;
  private final Map<ArchivedStream, RestoredStream> results;
  private Optional<StreamRestore> waiting = Optional.empty();
  private Optional<Throwable> notDurable = Optional.empty();

  StreamWriting(
      StreamRestore.Run run,
      ArchivedStream stream,
      TargetNames names,
      StreamAttempts attempts,
      Map<ArchivedStream, RestoredStream> results) {
    this.run = run;
    this.stream = stream;
    this.names = names;
    this.attempts = attempts;
    this.results = results;
  }

  void begin() throws InterruptedIOException {
    endIfKnown(attempts.attempt(stream, this, this));
  }

  /** Called when the file is durable, or is known not to be. */
  @Override
  public void run(Optional<Throwable> failure) throws InterruptedIOException {
    notDurable = failure;
    endIfKnown(attempts.attempt(stream, this, this));
  }

  private void endIfKnown(Optional<RestoredStream> result) {
    if (result.isPresent()) {
      ended(result.get());
    }
  }

  void ended(RestoredStream result) {
    results.put(stream, result);
    run.progress().finished();
  }

  @Override
  public TargetPath get() throws UnsafePathException {
    return waiting.isPresent() ? waiting.get().target() : names.of(stream);
  }

  @Override
  public Optional<RestoredStream> at(TargetPath target)
      throws StreamFailure, IOException, InterruptedException {
    return waiting.isPresent()
        ? Optional.of(commit(waiting.get(), notDurable))
        : write(new StreamRestore(run, stream, target));
  }

  private Optional<RestoredStream> write(StreamRestore restore)
      throws StreamFailure, IOException, InterruptedException {
    attempts.requireUsableTarget();
    boolean waits = false;
    try {
      Optional<RestoredStream> now = restore.write();
      if (now.isEmpty()) {
        waiting = Optional.of(restore);
        run.sync().add(restore.descriptor(), restore.device(), restore.placedEndBytes(), this);
        waits = true;
      }
      return now;
    } finally {
      if (!waits) {
        restore.close();
      }
    }
  }

  private static RestoredStream commit(StreamRestore restore, Optional<Throwable> failure)
      throws StreamFailure, IOException {
    try (restore) {
      if (failure.isPresent()) {
        discard(restore, failure.get());
      }
      Jobs.rethrow(failure.orElse(null));
      return restore.commit();
    }
  }

  private static void discard(StreamRestore restore, Throwable why) {
    try {
      restore.discard();
    } catch (IOException e) {
      why.addSuppressed(e);
    }
  }
}
