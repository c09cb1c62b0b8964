package dev.tailwater.destination.directory;

import dev.tailwater.destination.Capabilities;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationContext;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.Entry;
import dev.tailwater.destination.Listing;
import dev.tailwater.destination.NoSuchObjectException;
import dev.tailwater.destination.ObjectKeys;
import dev.tailwater.destination.OpenIntent;
import dev.tailwater.destination.PutResult;
import dev.tailwater.destination.SegmentUpload;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.value.EntryType;
import dev.tailwater.posix.value.FileStatus;
import dev.tailwater.posix.value.OpenFlag;
import java.io.InputStream;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A destination that is a directory. Thread-safe. Holds no descriptor between calls, except for
 * open {@linkplain #read streams} and {@linkplain #beginSegment uploads}.
 *
 * <p>A put into a directory that is known to be durable makes 13 system calls, and one for each
 * buffer of content, whose size is the preferred write size of the mount ({@link
 * dev.tailwater.io.mount.MountInfo#preferredWriteBytes}: 256 KiB on a local disk, the server's
 * {@code wsize} on NFS): open and fstat of the root, openat2 and fstat of the parent, openat2 of
 * {@code .tailwater-tmp} and of the temporary file, pwrite..., fdatasync, close, renameat2, fsync
 * of the parent, and three closes. The content is copied once, from the heap into a native buffer.
 *
 * <p>{@link #delete} removes the name without a sync, so the kernel decides when the removal
 * reaches the disk. Only {@link #removeEmptyFolders} removes directories, since another agent may
 * be about to write into them.
 */
final class DirectoryDestination implements Destination {
  private static final long MERGE_BYTES = 64L << 20;
  private static final long MAX_AGE_MILLIS = 1000;

  private final URI uri;
  private final OpenIntent intent;
  private final FileCalls calls;
  private final Failures failures;
  private final ArchiveRoot archive;
  private final ObjectBuffers buffers;
  private final ParentDirectories parents;
  private final TemporaryFiles temporaries;
  private final ObjectWriter writer;
  private final LookupRetries lookups;

  private DirectoryDestination(
      URI uri, OpenIntent intent, DestinationContext context, ArchiveRoot archive) {
    this.uri = uri;
    this.intent = intent;
    this.calls = context.calls();
    this.failures = new Failures(uri, intent);
    this.archive = archive;
    this.buffers = new ObjectBuffers(archive.mount().preferredWriteBytes());
    this.parents = new ParentDirectories(calls);
    this.temporaries = new TemporaryFiles(calls, context.random());
    this.writer = new ObjectWriter(calls, archive.mount(), buffers);
    this.lookups = LookupRetries.on(archive.mount(), failures);
  }

  static DirectoryDestination open(
      URI uri, PosixPath path, OpenIntent intent, DestinationContext context)
      throws DestinationException {
    Failures failures = new Failures(uri, intent);
    ArchiveRoot archive = ArchiveRoot.open(context.calls(), path, intent, failures);
    DirectoryDestination opened = new DirectoryDestination(uri, intent, context, archive);
    if (intent == OpenIntent.WRITE) {
      opened.removeLeftovers(context);
    }
    return opened;
  }

  private void removeLeftovers(DestinationContext context) throws DestinationException {
    try (Handle root = archive.enter("open", "");
        Handle directory = temporaries.directory(root)) {
      temporaries.removeLeftovers(directory, context.clock());
    } catch (ErrnoException e) {
      throw failures.of("open", "", e);
    }
  }

  @Override
  public URI uri() {
    return uri;
  }

  @Override
  public Capabilities capabilities() {
    return new Capabilities(Integer.MAX_VALUE, MAX_AGE_MILLIS, MERGE_BYTES);
  }

  @Override
  public PutResult putSegment(String key, ByteBuffer content) throws DestinationException {
    requireNameForObject("put", key);
    return StaleHandles.retried(() -> create(key, content));
  }

  private PutResult create(String key, ByteBuffer content) throws DestinationException {
    PosixPath name = temporaries.newName();
    try (Handle root = archive.enter("put", key);
        Handle parent = parents.openDurable(root, ParentDirectories.pathOf(key));
        Handle temporary = temporaries.directory(root)) {
      writer.write(temporary, name, content);
      return writer.publish(temporary, name, parent, PosixPath.of(key).fileName());
    } catch (ErrnoException e) {
      throw failures.of("put", key, e);
    } catch (ObjectWriter.NotRegularException e) {
      throw failures.notAnObject("put", key);
    }
  }

  @Override
  public SegmentUpload beginSegment(String key) throws DestinationException {
    requireNameForObject("put", key);
    return DirectoryUpload.begin(
        new DirectoryUpload.Tools(calls, archive, parents, temporaries, writer, failures), key);
  }

  @Override
  public void putObject(String key, byte[] content) throws DestinationException {
    requireNameForObject("put", key);
    StaleHandles.retried(() -> replace(key, content));
  }

  private PutResult replace(String key, byte[] content) throws DestinationException {
    PosixPath name = temporaries.newName();
    try (Handle root = archive.enter("put", key);
        Handle parent = parents.openDurable(root, ParentDirectories.pathOf(key));
        Handle temporary = temporaries.directory(root)) {
      writer.write(temporary, name, ByteBuffer.wrap(content));
      writer.replace(temporary, name, parent, PosixPath.of(key).fileName());
      return PutResult.CREATED;
    } catch (ErrnoException e) {
      throw failures.of("put", key, e);
    }
  }

  @Override
  public InputStream read(String key, long offsetBytes, long lengthBytes)
      throws DestinationException {
    ObjectKeys.require(uri, "read", key);
    if (offsetBytes < 0 || lengthBytes < 0) {
      throw new IllegalArgumentException("range " + offsetBytes + "+" + lengthBytes);
    }
    if (SillyNames.containLeafOf(key)) {
      throw new NoSuchObjectException(uri, key);
    }
    return lookups.find(key, () -> StaleHandles.retried(() -> open(key, offsetBytes, lengthBytes)));
  }

  private FileObjectStream open(String key, long offsetBytes, long lengthBytes)
      throws DestinationException {
    try {
      Handle file = openObject(key);
      try {
        FileStatus status = calls.fstat(file.fd());
        if (status.type() == EntryType.REGULAR) {
          long start = Math.min(offsetBytes, status.sizeBytes());
          long end = start + Math.min(lengthBytes, status.sizeBytes() - start);
          return new FileObjectStream(file, key, start, end, buffers, failures);
        }
      } catch (ErrnoException e) {
        file.close();
        throw e;
      }
      file.close();
      throw new NoSuchObjectException(uri, key);
    } catch (ErrnoException e) {
      throw switch (e.errno()) {
        // A path that leads through a file has no object, and a socket is none.
        case ENOENT, ENOTDIR, ENXIO -> new NoSuchObjectException(uri, key);
        default -> failures.of("read", key, e);
      };
    }
  }

  private Handle openObject(String key) throws ErrnoException, DestinationException {
    Handle root = archive.enter("read", key);
    Handle file;
    try {
      // Non-blocking, so that a planted FIFO cannot block the reader.
      file = root.open(PosixPath.of(key), Set.of(OpenFlag.NON_BLOCK), 0);
    } catch (ErrnoException e) {
      root.close();
      throw e;
    }
    return root.exchangeFor(file);
  }

  @Override
  public Listing list(String prefix, Optional<String> afterKey, int maxEntries)
      throws DestinationException {
    if (maxEntries < 1) {
      throw new IllegalArgumentException("maxEntries " + maxEntries);
    }
    return StaleHandles.retried(() -> page(prefix, afterKey, maxEntries));
  }

  private Listing page(String prefix, Optional<String> afterKey, int maxEntries)
      throws DestinationException {
    List<Entry> entries = new ArrayList<>();
    try (Handle root = archive.enter("list", prefix);
        KeyWalk walk = new KeyWalk(calls, root, afterKey)) {
      walk.start(prefix);
      Optional<Entry> next = walk.next();
      while (next.isPresent() && entries.size() < maxEntries) {
        entries.add(next.get());
        next = walk.next();
      }
      return new Listing(entries, next.isPresent());
    } catch (ErrnoException e) {
      throw failures.of("list", prefix, e);
    }
  }

  @Override
  public void delete(String key) throws DestinationException {
    requireWritable("delete", key);
    if (!SillyNames.containLeafOf(key)) {
      StaleHandles.retried(() -> remove(key));
    }
  }

  /** Removes the object; returns whether there was one. */
  private boolean remove(String key) throws DestinationException {
    try (Handle root = archive.enter("delete", key);
        Handle parent = root.openDirectory(ParentDirectories.pathOf(key))) {
      calls.unlink(parent.fd(), PosixPath.of(key).fileName());
      return true;
    } catch (ErrnoException e) {
      return switch (e.errno()) {
        // A directory is no object, so there is nothing to delete.
        case ENOENT, ENOTDIR, EISDIR -> false;
        default -> throw failures.of("delete", key, e);
      };
    }
  }

  @Override
  public void removeEmptyFolders(String folder) throws DestinationException {
    requireWritable("delete", folder);
    try (Handle root = archive.enter("delete", folder)) {
      new EmptyDirectories(calls, root).remove(folder);
    } catch (ErrnoException e) {
      throw failures.of("delete", folder, e);
    }
  }

  @Override
  public void close() {
    buffers.close();
  }

  private void requireWritable(String operation, String key) throws DestinationException {
    if (intent != OpenIntent.WRITE) {
      throw new IllegalStateException(operation + " " + key + ": " + uri + " was opened to read");
    }
    ObjectKeys.require(uri, operation, key);
  }

  private void requireNameForObject(String operation, String key) throws DestinationException {
    requireWritable(operation, key);
    if (SillyNames.containLeafOf(key)) {
      throw failures.sillyName(operation, key);
    }
  }
}
