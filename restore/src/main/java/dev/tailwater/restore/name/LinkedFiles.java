package dev.tailwater.restore.name;

import dev.tailwater.archive.name.StreamId;
import dev.tailwater.archive.pack.DirectoryStatement.FurtherName;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.restore.list.ArchivedStream;
import dev.tailwater.restore.list.Claims;
import dev.tailwater.restore.tree.ArchivedTree;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BinaryOperator;

/**
 * The files to which the further names in trees lead. A file may have several streams, and any path
 * by now; what it holds is the last of its streams. No agent is believed about the files of
 * another.
 */
final class LinkedFiles {
  /** A file, by its id or, where that is not told, by the path that it had. */
  private record Told(String agent, Optional<StreamId> id, Optional<PosixPath> path) {
    static Told of(String agent, FurtherName further) {
      return further.id().isPresent()
          ? new Told(agent, further.id(), Optional.empty())
          : new Told(agent, Optional.empty(), Optional.of(further.file()));
    }
  }

  private final Map<Told, ArchivedStream> streams = new HashMap<>();

  LinkedFiles(Collection<ArchivedTree> trees, Collection<ArchivedStream> all, Claims claims) {
    Set<Told> told = new HashSet<>();
    for (ArchivedTree tree : trees) {
      for (var directory : tree.directories().values()) {
        directory.furtherNames().forEach(further -> told.add(Told.of(tree.agent(), further)));
      }
    }
    if (told.isEmpty()) {
      return;
    }
    BinaryOperator<ArchivedStream> last =
        BinaryOperator.minBy(
            Comparator.comparingInt((ArchivedStream stream) -> stream.id().epoch())
                .reversed()
                .thenComparing(claims));
    BinaryOperator<ArchivedStream> strongest = BinaryOperator.minBy(claims);
    for (ArchivedStream stream : all) {
      Optional<StreamId> id = Optional.of(stream.id().withEpoch(0));
      Told byId = new Told(stream.agent(), id, Optional.empty());
      if (told.contains(byId)) {
        streams.merge(byId, stream, last);
      }
      Told byPath = new Told(stream.agent(), Optional.empty(), Optional.of(stream.path()));
      if (told.contains(byPath)) {
        streams.merge(byPath, stream, strongest);
      }
    }
  }

  /** Returns the last stream of the file of a further name; empty if the archive has none. */
  Optional<ArchivedStream> of(String agent, FurtherName further) {
    return Optional.ofNullable(streams.get(Told.of(agent, further)));
  }
}
