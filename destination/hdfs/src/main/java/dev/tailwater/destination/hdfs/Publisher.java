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
 * A tool that gives finished files their names. A rename is one change at the NameNode. Before it
 * answers, the NameNode has written this change to its edit log and, with a quorum of JournalNodes,
 * to most of them. Thread-safe.
 *
 * @param place for the root and messages
 * @param temporaries the files to be named
 */
record Publisher(HdfsPlace place, TemporaryFiles temporaries) {
  /**
   * The attempts at a rename, since another process may remove empty directories at the same time.
   */
  private static final int TRIES = 3;

  /** The mode before the cluster's umask. */
  private static final FsPermission DIRECTORY_MODE = new FsPermission((short) 0777);

  /** Returns the path of a key. */
  Path pathOf(String key) {
    return new Path((place.root().equals("/") ? "" : place.root()) + "/" + PathNames.ofKey(key));
  }

  /**
   * Gives the file its name, if the name is free; otherwise removes the file. Fails if a directory
   * has that name.
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

  /** Gives the file its name, replacing another file if there is one. */
  void replace(DistributedFileSystem files, Path finished, String key) throws IOException {
    rename(files, finished, pathOf(key), Options.Rename.OVERWRITE);
  }

  /**
   * Renames the file with one call to the NameNode, or with three if the directory does not exist.
   */
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
