package dev.tailwater.restore.verify;

import dev.tailwater.archive.pack.DirectoryStatement;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.restore.list.ArchiveIndex;
import dev.tailwater.restore.list.ArchivedStream;
import dev.tailwater.restore.list.Claims;
import dev.tailwater.restore.name.TargetNames;
import dev.tailwater.restore.name.TargetPath;
import dev.tailwater.restore.name.TargetPath.UnsafePathException;
import dev.tailwater.restore.tree.ArchivedTree;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Where below a directory the file of a stream is looked for. A stream whose last known path lies
 * in the directory is the file with this very path (the machine that ships); any other is looked
 * for where a restore into the directory puts it.
 */
final class FilePlaces {
  /**
   * @param path relative to the directory
   * @param original whether it is the file that was shipped, and not a restored one
   * @param isOver whether the archive tells that the file there is not this one any more
   * @param isSuperseded whether it may be the same file, which has begun anew
   */
  record Place(TargetPath path, boolean original, boolean isOver, boolean isSuperseded) {
    /** The place of a restored file, which nothing replaces. */
    static Place restored(TargetPath path) {
      return new Place(path, false, false, false);
    }
  }

  private final Map<ArchivedStream, Place> places = new HashMap<>();
  private final TargetNames names;
  private final PosixPath directory;

  private FilePlaces(TargetNames names, PosixPath directory) {
    this.names = names;
    this.directory = directory;
  }

  /**
   * @param trees the directories and links that a restore makes
   * @param directory absolute
   */
  static FilePlaces of(ArchiveIndex index, List<ArchivedTree> trees, PosixPath directory) {
    TargetNames names = TargetNames.of(index, trees);
    FilePlaces found = new FilePlaces(names, directory);
    names.all().forEach((stream, path) -> found.places.put(stream, Place.restored(path)));
    Claims claims = index.claims();
    Map<PosixPath, ArchivedStream> owners = new HashMap<>();
    List<ArchivedStream> inside =
        index.streams().stream()
            .filter(stream -> stream.path().startsWith(directory))
            .sorted(claims)
            .toList();
    for (ArchivedStream stream : inside) {
      found.places.remove(stream);
      // Of several streams with one last path only one can still have it.
      if (owners.putIfAbsent(stream.path(), stream) == null) {
        found.addOriginal(stream, claims);
      }
    }
    return found;
  }

  private void addOriginal(ArchivedStream stream, Claims claims) {
    try {
      TargetPath path = TargetPath.of(stream.path().below(directory));
      boolean isOver = claims.isOver(stream) || names.isDisplaced(stream);
      places.put(stream, new Place(path, true, isOver, claims.isSuperseded(stream)));
    } catch (UnsafePathException e) {
      places.remove(stream);
    }
  }

  /** The absolute path of the directory in which files are looked for. */
  PosixPath directory() {
    return directory;
  }

  /** Empty when there can be no file. */
  Optional<Place> of(ArchivedStream stream) {
    return Optional.ofNullable(places.get(stream));
  }

  /** Where the file of a further name is looked for; empty when there can be none. */
  Optional<Place> of(String agent, DirectoryStatement.FurtherName further) {
    return names.fileOf(agent, further).flatMap(this::of);
  }
}
