package dev.tailwater.delivery;

import dev.tailwater.destination.Capabilities;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.Listing;
import dev.tailwater.destination.PutResult;
import dev.tailwater.destination.SegmentUpload;
import dev.tailwater.posix.testkit.CrashError;
import dev.tailwater.posix.testkit.FaultyFileCalls;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.Optional;

/** When the destination behind it crashes, the whole process does. */
record DyingDestination(Destination faulty, FaultyFileCalls process) implements Destination {
  private interface Attempt<T> {
    T make() throws DestinationException;
  }

  private <T> T dieTogether(Attempt<T> attempt) throws DestinationException {
    try {
      return attempt.make();
    } catch (CrashError e) {
      try {
        process.kill();
      } catch (IOException closing) {
        throw new UncheckedIOException(closing);
      }
      throw e;
    }
  }

  @Override
  public URI uri() {
    return faulty.uri();
  }

  @Override
  public Capabilities capabilities() {
    return faulty.capabilities();
  }

  @Override
  public PutResult putSegment(String key, ByteBuffer content) throws DestinationException {
    return dieTogether(() -> faulty.putSegment(key, content));
  }

  @Override
  public SegmentUpload beginSegment(String key) throws DestinationException {
    SegmentUpload upload = dieTogether(() -> faulty.beginSegment(key));
    return new SegmentUpload() {
      @Override
      public void write(ByteBuffer content) throws DestinationException {
        dieTogether(
            () -> {
              upload.write(content);
              return true;
            });
      }

      @Override
      public PutResult commit() throws DestinationException {
        return dieTogether(upload::commit);
      }

      @Override
      public void close() throws DestinationException {
        dieTogether(
            () -> {
              upload.close();
              return true;
            });
      }
    };
  }

  @Override
  public InputStream read(String key, long offsetBytes, long lengthBytes)
      throws DestinationException {
    return dieTogether(() -> faulty.read(key, offsetBytes, lengthBytes));
  }

  @Override
  public Listing list(String prefix, Optional<String> afterKey, int maxEntries)
      throws DestinationException {
    return dieTogether(() -> faulty.list(prefix, afterKey, maxEntries));
  }

  @Override
  public void putObject(String key, byte[] content) throws DestinationException {
    dieTogether(
        () -> {
          faulty.putObject(key, content);
          return true;
        });
  }

  @Override
  public void delete(String key) throws DestinationException {
    dieTogether(
        () -> {
          faulty.delete(key);
          return true;
        });
  }

  @Override
  public void close() throws DestinationException {
    faulty.close();
  }
}
