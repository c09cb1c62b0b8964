package dev.tailwater.destination.hdfs;

import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.PutResult;
import dev.tailwater.destination.SegmentUpload;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * An upload that writes pieces into a temporary file, which the first piece creates. The bytes go
 * to the data nodes as they arrive; up to 2 MiB are buffered here. An uncommitted file is removed
 * by the close or, if the cluster does not answer, before a later put. For one thread.
 */
final class HdfsUpload implements SegmentUpload {
  private final String key;
  private final ClusterClient cluster;
  private final TemporaryFiles temporaries;
  private final Publisher publisher;
  private Optional<TemporaryFile> file = Optional.empty();
  private State state = State.WRITING;

  private enum State {
    WRITING,
    COMMITTED,
    FAILED,
    CLOSED
  }

  HdfsUpload(String key, ClusterClient cluster, TemporaryFiles temporaries, Publisher publisher) {
    this.key = key;
    this.cluster = cluster;
    this.temporaries = temporaries;
    this.publisher = publisher;
  }

  @Override
  public void write(ByteBuffer content) throws DestinationException {
    requireWriting();
    state = State.FAILED; // Until the call has succeeded.
    cluster.call(
        "put",
        key,
        files -> {
          TemporaryFile open = file.isPresent() ? file.get() : temporaries.create(files);
          file = Optional.of(open);
          open.write(content);
          return open;
        });
    state = State.WRITING;
  }

  @Override
  public PutResult commit() throws DestinationException {
    requireWriting();
    state = State.FAILED;
    PutResult result =
        cluster.call(
            "put",
            key,
            files -> {
              TemporaryFile written = file.isPresent() ? file.get() : temporaries.create(files);
              file = Optional.of(written);
              written.finish();
              return publisher.publish(files, written.path(), key);
            });
    state = State.COMMITTED;
    return result;
  }

  private void requireWriting() {
    if (state != State.WRITING) {
      throw new IllegalStateException(key + ": the upload is " + state);
    }
  }

  @Override
  public void close() throws DestinationException {
    State last = state;
    state = State.CLOSED;
    if (last == State.COMMITTED || last == State.CLOSED || file.isEmpty()) {
      return;
    }
    file.get().abandon();
    temporaries.discardLater(file.get().path());
    if (last == State.WRITING) { // The cluster has not failed so far.
      cluster.call(
          "put",
          key,
          files -> {
            temporaries.removeDiscarded(files);
            return files;
          });
    }
  }
}
