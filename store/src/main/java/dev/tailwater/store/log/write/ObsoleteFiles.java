package dev.tailwater.store.log.write;

import dev.tailwater.posix.PosixPath;
import dev.tailwater.store.files.StoreDirectory;
import dev.tailwater.store.log.format.LogFileName;
import dev.tailwater.store.log.recovery.FilePlan;
import java.io.IOException;

/** Deletion of files that the newest snapshot replaces, once that snapshot's name is durable. */
public final class ObsoleteFiles {
  private ObsoleteFiles() {}

  public static void delete(StoreDirectory directory) throws IOException {
    for (LogFileName name : FilePlan.of(directory).obsolete()) {
      directory.delete(name.path());
    }
    directory.sync();
  }

  /** Also deletes files that were never completed. Nothing else may be writing. */
  public static void deleteAtOpen(StoreDirectory directory, FilePlan plan) throws IOException {
    directory.sync();
    for (LogFileName name : plan.obsolete()) {
      directory.delete(name.path());
    }
    for (PosixPath name : plan.temporary()) {
      directory.delete(name);
    }
  }
}
