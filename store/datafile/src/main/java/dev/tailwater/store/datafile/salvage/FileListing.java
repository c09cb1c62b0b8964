package dev.tailwater.store.datafile.salvage;

import dev.tailwater.posix.DirectoryEntry;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.store.datafile.format.DataFileName;
import dev.tailwater.store.datafile.format.IndexCheckpoint;
import dev.tailwater.store.files.StoreDirectory;
import java.util.ArrayList;
import java.util.List;

/**
 * The names in the directory of a data-file store, complete or not.
 *
 * @param files data files that no other has replaced, in order
 * @param hints data files that have a hint, in order
 * @param obsolete names of replaced files
 * @param unfinished names of files that were never completed
 * @param index whether there is an index checkpoint
 */
record FileListing(
    List<DataFileName> files,
    List<DataFileName> hints,
    List<PosixPath> obsolete,
    List<PosixPath> unfinished,
    boolean index) {
  private static final String HINT = "hint-";
  private static final String DATA = "data-";

  static FileListing of(StoreDirectory directory) throws ErrnoException {
    List<DataFileName> all = new ArrayList<>();
    List<DataFileName> hints = new ArrayList<>();
    List<PosixPath> unfinished = new ArrayList<>();
    boolean index = false;
    for (DirectoryEntry entry : directory.entries()) {
      String name = entry.name().toString();
      DataFileName.parse(entry.name()).ifPresent(all::add);
      DataFileName.parseHint(entry.name()).ifPresent(hints::add);
      index |= entry.name().equals(IndexCheckpoint.NAME);
      boolean ours = name.startsWith(HINT) || name.startsWith(DATA) || name.startsWith("index");
      if (ours && name.endsWith(DataFileName.TEMPORARY_SUFFIX)) {
        unfinished.add(entry.name());
      }
    }
    all.sort(null);
    hints.sort(null);
    List<DataFileName> files = new ArrayList<>();
    List<PosixPath> obsolete = new ArrayList<>();
    for (DataFileName name : all) {
      if (all.stream().anyMatch(other -> other.replaces(name))) {
        obsolete.add(name.path());
      } else {
        files.add(name);
      }
    }
    return new FileListing(files, hints, obsolete, unfinished, index);
  }
}
