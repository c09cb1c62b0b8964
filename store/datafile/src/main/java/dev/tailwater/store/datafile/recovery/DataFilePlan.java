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
 * Which files of a directory make up the store: every data file that no other stands in the place
 * of.
 *
 * @param files in order, without a hole between them
 * @param hintsBehind of data files behind the last of these; if they are hints of this store, those
 *     are missing
 * @param leftOver names of files that a crash left: replaced, not complete, or hints of those
 */
record DataFilePlan(
    List<DataFileName> files, List<DataFileName> hintsBehind, List<PosixPath> leftOver) {
  private static final Pattern TEMPORARY = Pattern.compile("(data-|hint-|index).*\\.tmp");

  /** A store of the other mode: beside it, nobody would find either. */
  private static final Pattern LOG = Pattern.compile("(log|snapshot)-\\d{19}");

  /** Throws when a file is missing that must be there. Other names are not looked at. */
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

  /** The index is never there without a data file; behind the last, it is for the reader. */
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
