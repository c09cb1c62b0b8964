package dev.tailwater.delivery;

import dev.tailwater.archive.ByteSum;
import dev.tailwater.delivery.problem.Problem;
import dev.tailwater.delivery.stream.Checkpoint;
import dev.tailwater.delivery.stream.Ending;
import dev.tailwater.delivery.tail.ArchivedNames;
import java.util.List;
import java.util.Optional;

/**
 * Bytes that the last run had seen and not delivered to one destination, and that their files do
 * not have any more: the next start tells the archive of them.
 */
final class GoneBytes {
  private static final String HINT =
      "the next start of the agent records in the archive which bytes these are";

  private Optional<Checkpoint> first = Optional.empty();
  private long files;
  private long bytes;

  /** Takes in a stream that may have ended. */
  void add(Checkpoint stream) {
    Optional<Ending> untold =
        stream.ending().filter(end -> end.isFinal() || !stream.recorded().complete());
    if (untold.isPresent()) {
      note(stream, Math.max(untold.get().readToBytes(), untold.get().knownSizeBytes()));
    }
  }

  /** Takes in a stream whose file has this size now. */
  void add(Checkpoint stream, long sizeBytes) {
    if (stream.ending().isEmpty() && sizeBytes < stream.undelivered().sizeBytes()) {
      note(stream, stream.undelivered().sizeBytes());
    }
  }

  private void note(Checkpoint stream, long endBytes) {
    long goneBytes = endBytes - stream.durable().bytes();
    if (goneBytes > 0) {
      first = first.or(() -> Optional.of(stream));
      files++;
      bytes = ByteSum.of(bytes, goneBytes);
    }
  }

  long bytes() {
    return bytes;
  }

  /** Returns them as a problem, if there are any. */
  List<Problem> problems(ArchivedNames names) {
    return first.stream().map(stream -> problem(names, stream)).toList();
  }

  private Problem problem(ArchivedNames names, Checkpoint stream) {
    String others = files == 1 ? "" : " and " + (files - 1) + " more";
    return new Problem(
        Optional.empty(),
        "lost bytes",
        bytes
            + (bytes == 1 ? " byte that was" : " bytes that were")
            + " seen and not delivered "
            + (bytes == 1 ? "is" : "are")
            + " gone from "
            + names.here(stream.seen().path())
            + others,
        Optional.of(HINT),
        true,
        true,
        files,
        stream.seen().atMillis());
  }
}
