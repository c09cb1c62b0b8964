package dev.tailwater.cli.rehearse;

import dev.tailwater.destination.Capabilities;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.Listing;
import dev.tailwater.destination.PutResult;
import dev.tailwater.destination.SegmentUpload;
import dev.tailwater.destination.TransientDestinationException;
import java.io.InputStream;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * A destination that cannot be reached as long as a certain file exists: calls wait, as for an
 * answer that does not come, and then fail; and the answer to a call that was under way is lost,
 * whatever has become of it. Thread-safe if the real one is.
 */
public final class CutDestination implements Destination {
  private static final long TIME_OUT_NANOS = TimeUnit.SECONDS.toNanos(2);
  private static final long PAUSE_MILLIS = 20;

  private final Destination real;
  private final Path cut;

  /**
   * @param real is closed with this one
   * @param cut the file
   */
  public CutDestination(Destination real, Path cut) {
    this.real = real;
    this.cut = cut;
  }

  private interface Call<T> {
    T run() throws DestinationException;
  }

  private interface Action {
    void run() throws DestinationException;
  }

  private void pass(String operation, String key, Action action) throws DestinationException {
    Optional<String> _ =
        pass(
            operation,
            key,
            () -> {
              action.run();
              return Optional.<String>empty();
            });
  }

  private <T> T pass(String operation, String key, Call<T> call) throws DestinationException {
    requireWay(operation, key);
    T result = call.run();
    requireWay(operation, key);
    return result;
  }

  private void requireWay(String operation, String key) throws DestinationException {
    long startNanos = System.nanoTime();
    while (Files.exists(cut)) {
      boolean interrupted = false;
      try {
        Thread.sleep(PAUSE_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        interrupted = true;
      }
      if (interrupted || System.nanoTime() - startNanos > TIME_OUT_NANOS) {
        throw new TransientDestinationException(
            real.uri(),
            operation,
            key,
            "the rehearsal has cut the network",
            "it comes back by itself");
      }
    }
  }

  @Override
  public URI uri() {
    return real.uri();
  }

  @Override
  public Capabilities capabilities() {
    return real.capabilities();
  }

  @Override
  public PutResult putSegment(String key, ByteBuffer content) throws DestinationException {
    return pass("put", key, () -> real.putSegment(key, content));
  }

  @Override
  public SegmentUpload beginSegment(String key) throws DestinationException {
    SegmentUpload upload = pass("begin", key, () -> real.beginSegment(key));
    return new SegmentUpload() {
      @Override
      public void write(ByteBuffer content) throws DestinationException {
        pass("write", key, () -> upload.write(content));
      }

      @Override
      public PutResult commit() throws DestinationException {
        return pass("commit", key, upload::commit);
      }

      @Override
      public void close() throws DestinationException {
        upload.close();
      }
    };
  }

  @Override
  public InputStream read(String key, long offsetBytes, long lengthBytes)
      throws DestinationException {
    return pass("read", key, () -> real.read(key, offsetBytes, lengthBytes));
  }

  @Override
  public Listing list(String prefix, Optional<String> afterKey, int maxEntries)
      throws DestinationException {
    return pass("list", prefix, () -> real.list(prefix, afterKey, maxEntries));
  }

  @Override
  public void putObject(String key, byte[] content) throws DestinationException {
    pass("put", key, () -> real.putObject(key, content));
  }

  @Override
  public void delete(String key) throws DestinationException {
    pass("delete", key, () -> real.delete(key));
  }

  @Override
  public void removeEmptyFolders(String below) throws DestinationException {
    pass("remove folders", below, () -> real.removeEmptyFolders(below));
  }

  @Override
  public void close() throws DestinationException {
    real.close();
  }
}
