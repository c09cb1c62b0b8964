package dev.tailwater.destination.hdfs;

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
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathIsNotEmptyDirectoryException;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;

/**
 * A destination in HDFS. Thread-safe.
 *
 * <p>A put into an existing directory makes four calls to the NameNode (create, addBlock, complete,
 * rename) and one connection to the first data node. It needs the caller's buffer and up to 2 MiB
 * of packets.
 */
final class HdfsDestination implements Destination {
  private static final long MAX_AGE_MILLIS = 1000;
  private static final long MERGE_BYTES = 128L << 20;

  private final HdfsPlace place;
  private final OpenIntent intent;
  private final ClusterClient cluster;
  private final Failures failures;
  private final TemporaryFiles temporaries;
  private final Publisher publisher;

  private HdfsDestination(
      HdfsPlace place, OpenIntent intent, ClusterClient cluster, TemporaryFiles temporaries) {
    this.place = place;
    this.intent = intent;
    this.cluster = cluster;
    this.failures = new Failures(place.uri());
    this.temporaries = temporaries;
    this.publisher = new Publisher(place, temporaries);
  }

  static HdfsDestination open(
      HdfsPlace place, OpenIntent intent, DestinationContext context, TimeLimits limits)
      throws DestinationException {
    Owner self;
    try {
      self = Owner.self();
    } catch (IOException e) {
      throw new Failures(place.uri()).of("open", "", e);
    }
    return new HdfsDestination(
        place,
        intent,
        new ClusterClient(place, limits),
        new TemporaryFiles(place, self, context.random(), context.clock()));
  }

  @Override
  public URI uri() {
    return place.uri();
  }

  @Override
  public Capabilities capabilities() {
    return new Capabilities(Integer.MAX_VALUE, MAX_AGE_MILLIS, MERGE_BYTES);
  }

  @Override
  public PutResult putSegment(String key, ByteBuffer content) throws DestinationException {
    requireWritable("put", key);
    return cluster.call(
        "put",
        key,
        files -> write(files, content, finished -> publisher.publish(files, finished, key)));
  }

  /** Creates the upload without a call to the cluster. */
  @Override
  public SegmentUpload beginSegment(String key) throws DestinationException {
    requireWritable("put", key);
    return new HdfsUpload(key, cluster, temporaries, publisher);
  }

  @Override
  public void putObject(String key, byte[] content) throws DestinationException {
    requireWritable("put", key);
    cluster.call(
        "put",
        key,
        files ->
            write(
                files,
                ByteBuffer.wrap(content),
                finished -> {
                  publisher.replace(files, finished, key);
                  return PutResult.CREATED;
                }));
  }

  private interface Naming {
    PutResult name(Path finished) throws IOException;
  }

  private PutResult write(DistributedFileSystem files, ByteBuffer content, Naming naming)
      throws IOException {
    TemporaryFile file = temporaries.create(files);
    try {
      file.write(content);
      file.finish();
      return naming.name(file.path());
    } catch (IOException | RuntimeException e) {
      file.abandon();
      temporaries.discardLater(file.path());
      throw e;
    }
  }

  @Override
  public InputStream read(String key, long offsetBytes, long lengthBytes)
      throws DestinationException {
    ObjectKeys.require(place.uri(), "read", key);
    if (offsetBytes < 0 || lengthBytes < 0) {
      throw new IllegalArgumentException("range " + offsetBytes + "+" + lengthBytes);
    }
    return cluster.call("read", key, files -> openRange(files, key, offsetBytes, lengthBytes));
  }

  private InputStream openRange(
      DistributedFileSystem files, String key, long offsetBytes, long lengthBytes)
      throws IOException {
    return new HdfsObjectStream(
        () -> openFile(files, key, offsetBytes, lengthBytes), key, failures);
  }

  private HdfsObjectStream.Range openFile(
      DistributedFileSystem files, String key, long offsetBytes, long lengthBytes)
      throws IOException {
    FSDataInputStream file = openObject(files, key);
    try {
      long sizeBytes = ((HdfsDataInputStream) file).getVisibleLength();
      long start = Math.min(offsetBytes, sizeBytes);
      if (start > 0) {
        file.seek(start);
      }
      return new HdfsObjectStream.Range(file, Math.min(lengthBytes, sizeBytes - start));
    } catch (IOException | RuntimeException e) {
      file.close();
      throw e;
    }
  }

  private FSDataInputStream openObject(DistributedFileSystem files, String key) throws IOException {
    try {
      return files.open(publisher.pathOf(key));
    } catch (IOException e) {
      if (e instanceof FileNotFoundException || Failures.isThroughAFile(e)) {
        throw new NoSuchObjectException(place.uri(), key);
      }
      throw e;
    }
  }

  @Override
  public Listing list(String prefix, Optional<String> afterKey, int maxEntries)
      throws DestinationException {
    if (maxEntries < 1) {
      throw new IllegalArgumentException("maxEntries " + maxEntries);
    }
    return cluster.call(
        "list",
        prefix,
        files -> {
          List<Entry> entries = new ArrayList<>();
          KeyWalk walk = new KeyWalk(files.getClient(), place.root(), afterKey);
          if (!walk.start(prefix)) {
            requireArchive(files);
          }
          Optional<Entry> next = walk.next();
          while (next.isPresent() && entries.size() < maxEntries) {
            entries.add(next.get());
            next = walk.next();
          }
          return new Listing(entries, next.isPresent());
        });
  }

  /** Fails if the root does not exist, so that a wrong path does not look like an empty archive. */
  private void requireArchive(DistributedFileSystem files) throws IOException {
    if (intent == OpenIntent.READ && !files.exists(new Path(place.root()))) {
      throw failures.noArchive("list", place.root());
    }
  }

  @Override
  public void delete(String key) throws DestinationException {
    requireWritable("delete", key);
    cluster.call(
        "delete",
        key,
        files -> {
          try {
            return files.delete(publisher.pathOf(key), false);
          } catch (IOException e) {
            // A directory is no object, so there is nothing to delete.
            if (e instanceof PathIsNotEmptyDirectoryException || Failures.isThroughAFile(e)) {
              return false;
            }
            throw e;
          }
        });
  }

  @Override
  public void removeEmptyFolders(String folder) throws DestinationException {
    requireWritable("delete", folder);
    cluster.call(
        "delete",
        folder,
        files -> {
          new EmptyFolders(files).remove(publisher.pathOf(folder));
          return folder;
        });
  }

  @Override
  public void close() throws DestinationException {
    cluster.close();
  }

  private void requireWritable(String operation, String key) throws DestinationException {
    if (intent != OpenIntent.WRITE) {
      throw new IllegalStateException(
          operation + " " + key + ": " + place.uri() + " was opened to read");
    }
    ObjectKeys.require(place.uri(), operation, key);
  }
}
