package dev.tailwater.io.async;

import dev.tailwater.posix.ErrnoException;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** The requests of one caller on their way through a queue; the tag is a request's index. */
final class Batch implements ReadHandler {
  private final ReadQueue queue;
  private final List<ReadRequest> requests;
  private final ReadResult[] results;
  private int submitted;
  private int done;

  Batch(ReadQueue queue, List<ReadRequest> requests) {
    this.queue = queue;
    this.requests = requests;
    this.results = new ReadResult[requests.size()];
  }

  /** Returns when all are done. When it throws, some may be in flight. */
  List<ReadResult> run() throws ErrnoException {
    fill();
    while (done < results.length) {
      queue.awaitSome(this);
    }
    return Collections.unmodifiableList(Arrays.asList(results));
  }

  private void fill() {
    while (submitted < results.length && queue.inFlight() < queue.depth()) {
      ReadRequest request = requests.get(submitted);
      queue.submit(request.file(), request.offsetBytes(), request.target(), submitted);
      submitted++;
    }
  }

  @Override
  public void completed(long tag, int bytes) {
    results[(int) tag] = new ReadResult(bytes, Optional.empty());
    done++;
    fill();
  }

  @Override
  public void failed(long tag, ErrnoException failure) {
    results[(int) tag] = new ReadResult(0, Optional.of(failure));
    done++;
    fill();
  }
}
