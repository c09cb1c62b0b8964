package dev.tailwater.destination.testkit;

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
import java.time.Duration;
import java.util.Optional;

/** A destination whose every call takes at least so long. As thread-safe as the wrapped one. */
public final class SlowDestination implements Destination {
  private final Destination real;
  private final Duration delay;

  private SlowDestination(Destination real, Duration delay) {
    this.real = real;
    this.delay = delay;
  }

  /** Waits before each call but {@link #uri}, {@link #capabilities} and {@link #close}. */
  public static SlowDestination wrap(Destination real, Duration delay) {
    return new SlowDestination(real, delay);
  }

  /** An interrupt while it waits is a transient failure, as it is of a slow network. */
  private void delay(String operation, String key) throws TransientDestinationException {
    try {
      Thread.sleep(delay);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TransientDestinationException(
          uri(), operation, key, "interrupted while it waited", "A test did this.", e);
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
    delay("put", key);
    return real.putSegment(key, content);
  }

  @Override
  public SegmentUpload beginSegment(String key) throws DestinationException {
    delay("put", key);
    SegmentUpload upload = real.beginSegment(key);
    return new SegmentUpload() {
      @Override
      public void write(ByteBuffer content) throws DestinationException {
        delay("put", key);
        upload.write(content);
      }

      @Override
      public PutResult commit() throws DestinationException {
        delay("put", key);
        return upload.commit();
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
    delay("read", key);
    return real.read(key, offsetBytes, lengthBytes);
  }

  @Override
  public Listing list(String prefix, Optional<String> afterKey, int maxEntries)
      throws DestinationException {
    delay("list", prefix);
    return real.list(prefix, afterKey, maxEntries);
  }

  @Override
  public void putObject(String key, byte[] content) throws DestinationException {
    delay("put", key);
    real.putObject(key, content);
  }

  @Override
  public void delete(String key) throws DestinationException {
    delay("delete", key);
    real.delete(key);
  }

  @Override
  public void removeEmptyFolders(String folder) throws DestinationException {
    delay("delete", folder);
    real.removeEmptyFolders(folder);
  }

  @Override
  public void close() throws DestinationException {
    real.close();
  }
}
