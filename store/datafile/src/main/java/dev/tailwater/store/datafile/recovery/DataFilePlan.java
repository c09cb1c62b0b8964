package dev.tailwater.store.datafile.recovery;

import dev.tailwater.posix.DirectoryEntry;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.store.DamagedStoreException;
import dev.tailwater.store.UnsupportedStoreFormatException;
import dev.tailwater.store.datafile.format.DataFileName;
import dev.tailwater.store.datafile.format.IndexCheckpoint;
import dev.tailwater.store.files.StoreDirectory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The files of a directory that make up the store: every data file that no other has replaced.
 *
 * @param files in order, without a gap
 * @param hintsBehind hints of data files after the last of these; if they are of this store, those
 *     data files are missing
 * @param leftOver names of files that a crash has left: replaced files, incomplete files, and their
 *     hints
 */
record DataFilePlan(
    List<DataFileName> files, List<DataFileName> hintsBehind, List<PosixPath> leftOver) {
  private static final Pattern TEMPORARY = Pattern.compile("(data-|hint-|index).*\\.tmp");

  /** A file of a transaction-log store. */
  private static final Pattern LOG = Pattern.compile("(log|snapshot)-\\d{19}");

  /** Returns the plan; throws when a required file is missing. Ignores other names. */
  static DataFilePlan of(StoreDirectory directory) throws IOException {
    List<DataFileName> all = new ArrayList<>();
    List<DataFileName> hints = new ArrayList<>();
    List<PosixPath> leftOver = new ArrayList<>();
    boolean index = false;
    for (DirectoryEntry entry : directory.entries()) {
      String name = entry.name().toString();
      if (LOG.matcher(name).matches()) {
        throw new UnsupportedStoreFormatException(
            directory.pathOf(entry.name()), 1, 1, "mode 2 (data files)");
      }
      Optional<DataFileName> data = DataFileName.parse(entry.name());
      data.ifPresent(all::add);
      DataFileName.parseHint(entry.name()).ifPresent(hints::add);
      if (TEMPORARY.matcher(name).matches()) {
        leftOver.add(entry.name());
      } else if (entry.name().equals(IndexCheckpoint.NAME)) {
        index = true;
      }
    }
    all.sort(null);
    List<DataFileName> files = new ArrayList<>();
    for (DataFileName name : all) {
      if (all.stream().anyMatch(other -> other.replaces(name))) {
        leftOver.add(name.path());
      } else {
        files.add(name);
      }
    }
    checkWhole(directory, files);
    checkEnd(directory, files, index);
    long end = files.isEmpty() ? 0 : files.getLast().last();
    List<DataFileName> hintsBehind = hints.stream().filter(hint -> hint.last() > end).toList();
    Set<DataFileName> wanted = new HashSet<>(files);
    hints.stream()
        .filter(hint -> !wanted.contains(hint))
        .forEach(hint -> leftOver.add(hint.hintPath()));
    return new DataFilePlan(files, hintsBehind, leftOver);
  }

  /** Checks that there is no index checkpoint without a data file. */
  private static void checkEnd(StoreDirectory directory, List<DataFileName> files, boolean index)
      throws DamagedStoreException {
    if (files.isEmpty() && index) {
      PosixPath first = new DataFileName(1, 1, 0).path();
      throw new DamagedStoreException(
          directory.pathOf(first), 0, "the file is missing: " + IndexCheckpoint.NAME + " is there");
    }
  }

  private static void checkWhole(StoreDirectory directory, List<DataFileName> files)
      throws DamagedStoreException {
    long expected = 1;
    for (DataFileName name : files) {
      if (name.first() != expected) {
        DataFileName missing = new DataFileName(expected, expected, 0);
        String why =
            name.first() > expected
                ? "the file, or one that stands in its place, is missing"
                : "two files have this place";
        throw new DamagedStoreException(directory.pathOf(missing.path()), 0, why);
      }
      expected = name.last() + 1;
    }
  }
}
