package dev.tailwater.store.log;

import dev.tailwater.posix.PosixPath;
import dev.tailwater.store.files.StoreDirectory;
import java.io.IOException;

/** Deletes what the newest snapshot replaces. Only called when that snapshot's name is durable. */
final class ObsoleteFiles {
  private ObsoleteFiles() {}

  static void delete(StoreDirectory directory) throws IOException {
    for (StoreFileName name : FilePlan.of(directory).obsolete()) {
      directory.delete(name.path());
    }
    directory.sync();
  }

  /** Also deletes files that were never completed. Nothing else may be writing. */
  static void deleteAtOpen(StoreDirectory directory, FilePlan plan) throws IOException {
    directory.sync();
    for (StoreFileName name : plan.obsolete()) {
      directory.delete(name.path());
    }
    for (PosixPath name : plan.temporary()) {
      directory.delete(name);
    }
  }
}
