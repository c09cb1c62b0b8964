package dev.tailwater.delivery;

import dev.tailwater.archive.age.Identity;
import dev.tailwater.archive.name.PackName;
import dev.tailwater.archive.open.PackOpener;
import dev.tailwater.archive.pack.DirectoryStatement;
import dev.tailwater.archive.pack.PackedTree;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.Entry;
import dev.tailwater.destination.OpenIntent;
import dev.tailwater.posix.PosixPath;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** A pack of an archive that tells directories. */
record ToldTree(PackName name, PackedTree tree) {

  /** Reads all of them, in the order in which they were told. */
  static List<ToldTree> read(TestAgent.Place place, List<Identity> identities) throws IOException {
    List<ToldTree> told = new ArrayList<>();
    try (Destination archive = place.openArchive(TestAgent.REAL_CALLS, OpenIntent.READ)) {
      String prefix = PackName.prefix(TestAgent.NAME, PackName.Folder.TREE);
      for (Entry entry : archive.list(prefix, Optional.empty(), 1000).entries()) {
        PackName name = PackName.parse(entry.key(), PackName.Folder.TREE).orElseThrow();
        try (InputStream object = archive.read(name.key(), 0, Long.MAX_VALUE)) {
          told.add(
              new ToldTree(
                  name, new PackOpener().open(name, object, identities).directory().tree()));
        }
      }
    }
    return told;
  }

  /** What a reader takes for what is there: the last group that has stated the whole tree. */
  static Map<PosixPath, DirectoryStatement.Contents> last(List<ToldTree> told) {
    Map<PosixPath, DirectoryStatement.Contents> last = new TreeMap<>();
    ToldTree whole =
        told.reversed().stream().filter(one -> one.tree.whole()).findFirst().orElseThrow();
    for (ToldTree one : told) {
      if (one.name.id().group().equals(whole.name.id().group())) {
        for (DirectoryStatement statement : one.tree.directories()) {
          last.remove(statement.path());
          statement.there().ifPresent(there -> last.put(statement.path(), there));
        }
      }
    }
    return last;
  }

  /** Returns what {@link #last} has of a directory that must be there. */
  static DirectoryStatement.Contents of(
      Map<PosixPath, DirectoryStatement.Contents> last, PosixPath directory) {
    return Optional.ofNullable(last.get(directory)).orElseThrow();
  }

  List<String> paths() {
    return tree.directories().stream().map(one -> one.path().toString()).sorted().toList();
  }

  DirectoryStatement.Contents of(Path directory) {
    return tree.directories().stream()
        .filter(one -> one.path().equals(PosixPath.of(directory)))
        .findFirst()
        .orElseThrow()
        .there()
        .orElseThrow();
  }
}
