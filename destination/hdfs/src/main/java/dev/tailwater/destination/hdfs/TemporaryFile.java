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
 * <p>It is created with {@code SYNC_BLOCK}: with the last packet of each block every data node of
 * the pipeline syncs the block and its checksums to disk, and then the directory in which it gets
 * its final name (HDFS-5042). An hsync before the close would sync the same bytes, leave out that
 * directory, and cost another call of the NameNode. It is always replicated, also in a directory
 * with erasure coding, since a striped file cannot be synced.
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

  /** One call of the NameNode, which also makes the directory. */
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

  /** From position to limit, neither of which is changed. */
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

  /** When it returns, all bytes are on the disks of the data nodes. */
  void finish() throws IOException {
    stream.close();
    finished = true;
  }

  /** Ends the stream of a file that failed or is not wanted; the file is left. */
  void abandon() {
    if (finished) {
      return;
    }
    try {
      stream.close();
    } catch (IOException e) {
      // It failed before, which is known; the client has let go of the lease by now.
    }
  }
}
