package dev.tailwater.delivery.seal;

import dev.tailwater.delivery.tail.SharedDescriptor;
import dev.tailwater.delivery.tail.Tail;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.posix.PosixPath;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Reads a tail, and when that fails, reports it and defers the tail, so that one bad file does not
 * stop the others. Thread-safe.
 *
 * @param context what the workers of the destination share
 */
record CutAttempt(SealContext context) {
  private static final String LISTING = "listing the destination";
  private static final long FILE_RETRY_NANOS = TimeUnit.SECONDS.toNanos(2);
  private static final long DESTINATION_RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** What is done with an open file. */
  interface Step<T> {
    T run(int fd) throws IOException, InterruptedException;
  }

  /**
   * Takes the step with the file of a claimed tail.
   *
   * @param otherwise the result when that fails
   */
  <T> T run(Tail tail, Step<T> step, T otherwise) throws InterruptedException {
    PosixPath name = tail.name();
    Optional<SharedDescriptor.Lease> lease = tail.file().lease();
    if (lease.isEmpty()) {
      defer(tail, FILE_RETRY_NANOS); // Gone, or out of descriptors; the watch finds out which.
      return otherwise;
    }
    // Leased, since reading takes long: a descriptor that is closed meanwhile may come to be
    // another file's.
    try (SharedDescriptor.Lease open = lease.get()) {
      T result = step.run(open.fd());
      tail.scheduling().undefer();
      context.problems().resolved(name);
      context.problems().resolved(LISTING);
      return result;
    } catch (DestinationException e) {
      context
          .problems()
          .report(LISTING, String.valueOf(e.getMessage()), Optional.of(e.retryHint()), false);
      defer(tail, DESTINATION_RETRY_NANOS);
      return otherwise;
    } catch (Error e) {
      defer(tail, FILE_RETRY_NANOS);
      throw e;
    } catch (ShortFileException e) {
      context
          .problems()
          .report(
              name.toString(),
              name + ": " + e.getMessage(),
              Optional.of(
                  "if these bytes exist, the file is at risk and is tried again; exclude files such"
                      + " as those of sysfs, whose size says nothing"),
              false);
      defer(tail, FILE_RETRY_NANOS);
      return otherwise;
    } catch (IOException | RuntimeException e) {
      context.problems().report(name.toString(), e, "the file stays at risk and is tried again");
      defer(tail, FILE_RETRY_NANOS);
      return otherwise;
    }
  }

  private void defer(Tail tail, long nanos) {
    tail.scheduling().defer(context.clocks().nanos() + nanos);
  }
}
