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
 * A tool that removes empty directories. It holds in memory the paths that remain to be visited or
 * removed.
 *
 * @param files the cluster
 */
record EmptyFolders(DistributedFileSystem files) {
  /** Removes the directory and those below it, unless they are not empty. */
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
        // It still contains an object.
      }
    }
  }

  /** Adds the directories in the path to the target; returns whether the path is a directory. */
  private boolean addChildren(Path path, Deque<Path> target) throws IOException {
    try {
      RemoteIterator<FileStatus> entries = files.listStatusIterator(path);
      boolean isDirectory = true;
      while (entries.hasNext()) {
        FileStatus entry = entries.next();
        if (entry.isDirectory()) {
          target.push(entry.getPath());
        }
        // A listing of a file contains only the file itself.
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
