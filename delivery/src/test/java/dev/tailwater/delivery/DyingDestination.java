package dev.tailwater.delivery;

import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.InterceptedDestination;
import dev.tailwater.posix.testkit.CrashError;
import dev.tailwater.posix.testkit.FaultyFileCalls;
import java.io.IOException;
import java.io.UncheckedIOException;

/** When the destination behind it crashes, the whole process does. */
final class DyingDestination extends InterceptedDestination {
  private final FaultyFileCalls process;

  DyingDestination(Destination faulty, FaultyFileCalls process) {
    super(faulty);
    this.process = process;
  }

  @Override
  protected <T> T around(Operation operation, String key, Call<T> call)
      throws DestinationException {
    try {
      return call.run();
    } catch (CrashError e) {
      try {
        process.kill();
      } catch (IOException closing) {
        throw new UncheckedIOException(closing);
      }
      throw e;
    }
  }
}
