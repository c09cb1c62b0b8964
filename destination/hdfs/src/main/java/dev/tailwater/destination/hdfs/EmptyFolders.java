package dev.tailwater.destination.hdfs;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathIsNotEmptyDirectoryException;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * Removes directories without anything in them. In memory are the paths of those that are still to
 * be looked at or removed.
 *
 * @param files the cluster
 */
record EmptyFolders(DistributedFileSystem files) {
  /** This one and those below it; what is not empty stays. */
  void remove(Path folder) throws IOException {
    Deque<Path> unseen = new ArrayDeque<>();
    Deque<Path> parentsLast = new ArrayDeque<>();
    unseen.push(folder);
    while (!unseen.isEmpty()) {
      Path directory = unseen.pop();
      if (addChildren(directory, unseen)) {
        parentsLast.push(directory);
      }
    }
    for (Path directory : parentsLast) {
      try {
        files.delete(directory, false);
      } catch (PathIsNotEmptyDirectoryException e) {
        // There still is an object.
      }
    }
  }

  /** Whether it is a directory. */
  private boolean addChildren(Path path, Deque<Path> target) throws IOException {
    try {
      RemoteIterator<FileStatus> entries = files.listStatusIterator(path);
      boolean isDirectory = true;
      while (entries.hasNext()) {
        FileStatus entry = entries.next();
        if (entry.isDirectory()) {
          target.push(entry.getPath());
        }
        // The list of a file is itself.
        isDirectory &= !entry.getPath().toUri().getPath().equals(path.toUri().getPath());
      }
      return isDirectory;
    } catch (IOException e) {
      if (e instanceof FileNotFoundException || Failures.isThroughAFile(e)) {
        return false;
      }
      throw e;
    }
  }
}
