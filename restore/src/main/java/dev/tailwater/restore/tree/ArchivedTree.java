package dev.tailwater.restore.tree;

import dev.tailwater.archive.name.PackGroup;
import dev.tailwater.archive.name.PackName;
import dev.tailwater.archive.name.StreamId;
import dev.tailwater.archive.pack.DirectoryStatement;
import dev.tailwater.io.attribute.ExtendedAttributes;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.restore.Damage;
import dev.tailwater.restore.list.ArchiveIndex;
import dev.tailwater.restore.list.SegmentSource;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * The directories, symbolic links and further names that an archive tells of one agent: what the
 * last group of packs says that has stated the whole tree, without what files have replaced since.
 * Immutable.
 *
 * @param directories by path, so that each comes behind those that it is in
 * @param toldAtMillis when the agent looked at each of them last
 * @param outdated how much is left out since files came to its paths later
 * @param attributes the extended attributes of files, by the ids of their first streams
 * @param damages packs that cannot be read
 */
public record ArchivedTree(
    String agent,
    NavigableMap<PosixPath, DirectoryStatement.Contents> directories,
    Map<PosixPath, Long> toldAtMillis,
    long outdated,
    Map<StreamId, ExtendedAttributes> attributes,
    List<Damage> damages) {

  public ArchivedTree {
    directories = Collections.unmodifiableNavigableMap(directories);
    toldAtMillis = Collections.unmodifiableMap(toldAtMillis);
    attributes = Map.copyOf(attributes);
    damages = List.copyOf(damages);
  }

  /**
   * Returns when the agent looked at a directory last, in the order of the arrivals of files: what
   * came to a path in it afterwards is newer.
   */
  public long toldAtNanos(PosixPath directory) {
    return TimeUnit.MILLISECONDS.toNanos(toldAtMillis.getOrDefault(directory, 0L));
  }

  /** Whether any file or directory has extended attributes. */
  public boolean hasAttributes() {
    return attributes.values().stream().anyMatch(has -> !has.isEmpty())
        || directories.values().stream().anyMatch(told -> !told.extended().isEmpty());
  }

  /** Returns the extended attributes of the file of a stream. */
  public ExtendedAttributes attributesOf(StreamId stream) {
    return attributes.getOrDefault(stream.withEpoch(0), ExtendedAttributes.NONE);
  }

  /** Reads the trees of all agents of an index, as of the moment that the source is of. */
  public static List<ArchivedTree> read(SegmentSource source, ArchiveIndex index)
      throws IOException {
    Map<String, TreeMap<PackGroup, List<PackName>>> groups = new TreeMap<>();
    for (PackName pack : index.treePacks()) {
      groups
          .computeIfAbsent(pack.id().agent(), _ -> new TreeMap<>(Comparator.reverseOrder()))
          .computeIfAbsent(pack.id().group(), _ -> new ArrayList<>())
          .add(pack);
    }
    if (groups.isEmpty()) {
      return List.of(); // Most archives tell no tree, and may tell of a million files.
    }
    NewerFiles newer = NewerFiles.of(index);
    List<ArchivedTree> trees = new ArrayList<>();
    for (var agent : groups.entrySet()) {
      trees.add(newer.leaveOut(read(source, agent.getKey(), agent.getValue().values())));
    }
    return trees;
  }

  /** Reads groups, the latest first, until one has stated the whole tree. */
  private static ArchivedTree read(
      SegmentSource source, String agent, Iterable<List<PackName>> groups) throws IOException {
    List<Damage> damages = new ArrayList<>();
    for (List<PackName> group : groups) {
      GroupReader reader = new GroupReader(source, damages);
      if (reader.read(group.stream().sorted().toList())) {
        return new ArchivedTree(
            agent, reader.reachable(), reader.toldAtMillis(), 0, reader.attributes(), damages);
      }
    }
    return new ArchivedTree(agent, new TreeMap<>(), Map.of(), 0, Map.of(), damages);
  }
}
