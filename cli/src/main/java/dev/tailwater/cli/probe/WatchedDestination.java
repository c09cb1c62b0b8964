package dev.tailwater.cli.probe;

import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.ForwardingDestination;
import dev.tailwater.destination.Listing;
import dev.tailwater.destination.PermanentDestinationException;
import dev.tailwater.destination.PutResult;
import dev.tailwater.destination.SegmentUpload;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Optional;

/** A place below the scratch folder whose writes are recorded in {@link ScratchWrites}. */
final class WatchedDestination extends ForwardingDestination {
  private final ScratchWrites writes;
  private final String folder;

  /**
   * @param folder the place, relative to the destination
   */
  WatchedDestination(Destination real, ScratchWrites writes, String folder) {
    super(real);
    this.writes = writes;
    this.folder = folder;
  }

  @Override
  public PutResult putSegment(String key, ByteBuffer content) throws DestinationException {
    return put(key, content.remaining(), () -> real().putSegment(key, content));
  }

  @Override
  public void putObject(String key, byte[] content) throws DestinationException {
    put(
        key,
        content.length,
        () -> {
          real().putObject(key, content);
          return PutResult.CREATED;
        });
  }

  private interface Put {
    PutResult run() throws DestinationException;
  }

  private PutResult put(String key, long lengthBytes, Put put) throws DestinationException {
    boolean first = writes.beginPut(folder, key);
    try {
      PutResult result = put.run();
      writes.written(lengthBytes);
      return result;
    } catch (PermanentDestinationException e) {
      // After any other failure the put may have taken effect.
      if (first) {
        writes.forget(folder, key);
      }
      throw e;
    } finally {
      writes.end();
    }
  }

  @Override
  public SegmentUpload beginSegment(String key) throws DestinationException {
    writes.requireGoing();
    return new WatchedUpload(key, real().beginSegment(key));
  }

  /** An upload whose object is recorded from the commit on: there is none before. */
  private final class WatchedUpload implements SegmentUpload {
    private final String key;
    private final SegmentUpload upload;
    private long lengthBytes;

    WatchedUpload(String key, SegmentUpload upload) {
      this.key = key;
      this.upload = upload;
    }

    @Override
    public void write(ByteBuffer content) throws DestinationException {
      writes.requireGoing();
      upload.write(content);
      lengthBytes += content.remaining();
    }

    @Override
    public PutResult commit() throws DestinationException {
      return put(key, lengthBytes, upload::commit);
    }

    @Override
    public void close() throws DestinationException {
      upload.close();
    }
  }

  @Override
  public InputStream read(String key, long offsetBytes, long lengthBytes)
      throws DestinationException {
    writes.requireGoing();
    return real().read(key, offsetBytes, lengthBytes);
  }

  @Override
  public Listing list(String prefix, Optional<String> afterKey, int maxEntries)
      throws DestinationException {
    writes.requireGoing();
    return real().list(prefix, afterKey, maxEntries);
  }

  @Override
  public void delete(String key) throws DestinationException {
    writes.requireGoing();
    real().delete(key);
    writes.forget(folder, key);
  }

  @Override
  public void removeEmptyFolders(String below) throws DestinationException {
    writes.requireGoing();
    real().removeEmptyFolders(below);
  }
}
