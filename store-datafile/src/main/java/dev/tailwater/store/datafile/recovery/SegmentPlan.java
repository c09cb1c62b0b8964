package dev.tailwater.store.datafile.recovery;

import dev.tailwater.posix.DirectoryEntry;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.store.DamagedStoreException;
import dev.tailwater.store.UnsupportedStoreFormatException;
import dev.tailwater.store.datafile.format.IndexSnapshot;
import dev.tailwater.store.datafile.format.SegmentName;
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
record SegmentPlan(
    List<SegmentName> files, List<SegmentName> hintsBehind, List<PosixPath> leftOver) {
  private static final Pattern TEMPORARY = Pattern.compile("(data-|hint-|index).*\\.tmp");

  /** A store of the other mode: beside it, nobody would find either. */
  private static final Pattern LOG = Pattern.compile("(log|snapshot)-\\d{19}");

  /** Throws when a file is missing that must be there. Other names are not looked at. */
  static SegmentPlan of(StoreDirectory directory) throws IOException {
    List<SegmentName> all = new ArrayList<>();
    List<SegmentName> hints = new ArrayList<>();
    List<PosixPath> leftOver = new ArrayList<>();
    boolean index = false;
    for (DirectoryEntry entry : directory.entries()) {
      String name = entry.name().toString();
      if (LOG.matcher(name).matches()) {
        throw new UnsupportedStoreFormatException(
            directory.pathOf(entry.name()), 1, 1, "mode 2 (data files)");
      }
      Optional<SegmentName> data = SegmentName.parse(entry.name());
      data.ifPresent(all::add);
      SegmentName.parseHint(entry.name()).ifPresent(hints::add);
      if (TEMPORARY.matcher(name).matches()) {
        leftOver.add(entry.name());
      } else if (entry.name().equals(IndexSnapshot.NAME)) {
        index = true;
      }
    }
    all.sort(null);
    List<SegmentName> files = new ArrayList<>();
    for (SegmentName name : all) {
      if (all.stream().anyMatch(other -> other.replaces(name))) {
        leftOver.add(name.path());
      } else {
        files.add(name);
      }
    }
    checkWhole(directory, files);
    checkEnd(directory, files, index);
    long end = files.isEmpty() ? 0 : files.getLast().last();
    List<SegmentName> hintsBehind = hints.stream().filter(hint -> hint.last() > end).toList();
    Set<SegmentName> wanted = new HashSet<>(files);
    hints.stream()
        .filter(hint -> !wanted.contains(hint))
        .forEach(hint -> leftOver.add(hint.hintPath()));
    return new SegmentPlan(files, hintsBehind, leftOver);
  }

  /** The index is never there without a data file; behind the last, it is for the reader. */
  private static void checkEnd(StoreDirectory directory, List<SegmentName> files, boolean index)
      throws DamagedStoreException {
    if (files.isEmpty() && index) {
      PosixPath first = new SegmentName(1, 1, 0).path();
      throw new DamagedStoreException(
          directory.pathOf(first), 0, "the file is missing: " + IndexSnapshot.NAME + " is there");
    }
  }

  private static void checkWhole(StoreDirectory directory, List<SegmentName> files)
      throws DamagedStoreException {
    long expected = 1;
    for (SegmentName name : files) {
      if (name.first() != expected) {
        SegmentName missing = new SegmentName(expected, expected, 0);
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
