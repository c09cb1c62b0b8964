package dev.tailwater.destination.hdfs;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem.HdfsDataOutputStreamBuilder;

/**
 * A file that is being written under a temporary name. For one thread at a time.
 *
 * <p>It is created with {@code SYNC_BLOCK}: with the last packet of each block, every data node of
 * the pipeline syncs the block and its checksums to disk, and then the directory in which the block
 * gets its final name (HDFS-5042). An hsync before the close would sync the same bytes but not that
 * directory, and cost another call to the NameNode. The file is always replicated, even in a
 * directory with erasure coding, since a striped file cannot be synced.
 */
final class TemporaryFile {
  private static final int COPY_BYTES = 64 << 10;

  private final Path path;
  private final FSDataOutputStream stream;
  private boolean finished;

  private TemporaryFile(Path path, FSDataOutputStream stream) {
    this.path = path;
    this.stream = stream;
  }

  /** Creates the file, and its directory if necessary, with one call to the NameNode. */
  static TemporaryFile create(DistributedFileSystem files, Path path, Optional<Short> replication)
      throws IOException {
    HdfsDataOutputStreamBuilder builder =
        files.createFile(path).create().overwrite(false).recursive().syncBlock().replicate();
    if (replication.isPresent()) {
      builder.replication(replication.get());
    }
    return new TemporaryFile(path, builder.build());
  }

  Path path() {
    return path;
  }

  /** Writes the bytes from position to limit, neither of which is changed. */
  void write(ByteBuffer content) throws IOException {
    ByteBuffer rest = content.duplicate();
    if (rest.hasArray()) {
      stream.write(rest.array(), rest.arrayOffset() + rest.position(), rest.remaining());
      return;
    }
    byte[] copy = new byte[Math.min(COPY_BYTES, rest.remaining())];
    while (rest.hasRemaining()) {
      int count = Math.min(copy.length, rest.remaining());
      rest.get(copy, 0, count);
      stream.write(copy, 0, count);
    }
  }

  /** Closes the file; when this returns, all bytes are on the disks of the data nodes. */
  void finish() throws IOException {
    stream.close();
    finished = true;
  }

  /** Ends the stream of a file that failed or is not needed; does not remove the file. */
  void abandon() {
    if (finished) {
      return;
    }
    try {
      stream.close();
    } catch (IOException e) {
      // The earlier failure is known, and the client has released the lease by now.
    }
  }
}
