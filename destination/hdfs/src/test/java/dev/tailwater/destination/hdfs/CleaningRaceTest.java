package dev.tailwater.destination.hdfs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.time.InstantSource;
import java.util.Random;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests of a writer that finishes its file while another process cleans up. */
@ExtendWith(ThreeDataNodes.class)
class CleaningRaceTest {
  private final URI uri;

  CleaningRaceTest(HdfsCluster cluster) {
    this.uri = URI.create(cluster.newPlace());
  }

  private <T extends DistributedFileSystem> T client(T files) throws IOException {
    files.initialize(uri, new HdfsConfiguration());
    return files;
  }

  @Test
  void aFileThatIsFinishedWhileItIsLookedAtIsLeftToItsWriter() throws IOException {
    Owner self = Owner.self();
    Owner elsewhere = new Owner("elsewhere", self.space() + 1, 1, 1);
    Path path = new Path(uri.getPath() + "/.tailwater-tmp/" + elsewhere.namePrefix() + "x-1");
    try (DistributedFileSystem writer = client(new DistributedFileSystem());
        FSDataOutputStream file = writer.create(path);
        DistributedFileSystem cleaner = client(new FinishesMeanwhile(file))) {
      file.write(new byte[1000]);
      HdfsPlace place = HdfsPlace.parse(uri);
      new TemporaryFiles(place, self, new Random(), InstantSource.system())
          .create(cleaner)
          .finish();
      assertTrue(writer.exists(path), "it was taken away from its writer");
      Path name = new Path(uri.getPath() + "/name");
      assertTrue(writer.rename(path, name));
      assertTrue(writer.isFileClosed(name));
      assertEquals(1000, writer.getFileStatus(name).getLen());
    }
  }

  /**
   * A file system in which the writer closes its file between the cleaner's check whether it is
   * closed and the cleaner's next call.
   */
  private static final class FinishesMeanwhile extends DistributedFileSystem {
    private final FSDataOutputStream file;

    FinishesMeanwhile(FSDataOutputStream file) {
      this.file = file;
    }

    @Override
    public boolean isFileClosed(Path path) throws IOException {
      boolean closed = super.isFileClosed(path);
      file.close();
      return closed;
    }
  }
}
