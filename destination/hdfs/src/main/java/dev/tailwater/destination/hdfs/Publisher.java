package dev.tailwater.destination.hdfs;

import dev.tailwater.destination.PutResult;
import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * Gives finished files their names. A rename is one change of the NameNode's, which it has written
 * to its edit log, and with a quorum of JournalNodes to most of them, before it answers.
 * Thread-safe.
 *
 * @param place for the root and messages
 * @param temporaries where the files come from
 */
record Publisher(HdfsPlace place, TemporaryFiles temporaries) {
  /** Somebody may remove empty directories at the same time. */
  private static final int TRIES = 3;

  /** Less what the cluster's umask takes away. */
  private static final FsPermission DIRECTORY_MODE = new FsPermission((short) 0777);

  /** The path of a key. */
  Path pathOf(String key) {
    return new Path((place.root().equals("/") ? "" : place.root()) + "/" + PathNames.ofKey(key));
  }

  /**
   * Names it unless the name is another file's, in which case this one is removed; a directory of
   * that name is a failure.
   */
  PutResult publish(DistributedFileSystem files, Path finished, String key) throws IOException {
    try {
      rename(files, finished, pathOf(key), Options.Rename.NONE);
      return PutResult.CREATED;
    } catch (FileAlreadyExistsException e) {
      temporaries.discard(files, finished);
      return PutResult.ALREADY_EXISTS;
    }
  }

  /** Names it in place of what has the name. */
  void replace(DistributedFileSystem files, Path finished, String key) throws IOException {
    rename(files, finished, pathOf(key), Options.Rename.OVERWRITE);
  }

  /** One call of the NameNode; three, when the directory is not there. */
  private static void rename(DistributedFileSystem files, Path from, Path to, Options.Rename mode)
      throws IOException {
    for (int tries = 1; ; tries++) {
      try {
        files.rename(from, to, mode);
        return;
      } catch (FileNotFoundException e) {
        if (tries == TRIES) {
          throw e;
        }
        files.mkdirs(to.getParent(), DIRECTORY_MODE);
      }
    }
  }
}
