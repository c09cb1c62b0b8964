package dev.tailwater.restore.list;

import dev.tailwater.archive.ArchiveException;
import dev.tailwater.archive.name.PackGroup;
import dev.tailwater.archive.name.PackName;
import dev.tailwater.archive.name.StreamId;
import dev.tailwater.archive.pack.AttributeStatement;
import dev.tailwater.archive.pack.DirectoryStatement;
import dev.tailwater.archive.pack.PackDirectory;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.NoSuchObjectException;
import dev.tailwater.io.attribute.ExtendedAttributes;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.restore.Damage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
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
            agent, reader.reachable(), reader.toldAtMillis, 0, reader.attributes, damages);
      }
    }
    return new ArchivedTree(agent, new TreeMap<>(), Map.of(), 0, Map.of(), damages);
  }

  /** Reads the packs of one group in their order. */
  private static final class GroupReader {
    private final SegmentSource source;
    private final List<Damage> damages;
    private final Map<PosixPath, Optional<DirectoryStatement.Contents>> told = new HashMap<>();
    private final Map<PosixPath, Long> toldAtMillis = new HashMap<>();
    private final Map<StreamId, ExtendedAttributes> attributes = new HashMap<>();
    private boolean whole;

    GroupReader(SegmentSource source, List<Damage> damages) {
      this.source = source;
      this.damages = damages;
    }

    /** Reads packs as far as they go; returns whether they have stated the whole tree. */
    boolean read(List<PackName> packs) throws IOException {
      int expected = 0;
      boolean isUnreadable = false;
      boolean isLocked = false;
      for (PackName pack : packs) {
        if (pack.id().first() > expected) {
          // In their order: nothing that follows can be used, and an agent may have thousands.
          noteMissing(pack, expected, isUnreadable);
          break;
        }
        int before = damages.size();
        Optional<PackDirectory> directory = open(pack);
        if (directory.isEmpty()) {
          if (damages.get(before).kind() == Damage.Kind.LOCKED) {
            if (isLocked) {
              damages.removeLast(); // One of a group is named for all.
            }
            isLocked = true;
          }
          // As if it were not there: anybody may have put it in front of the one of the agent.
          isUnreadable |= pack.id().first() == expected;
          continue;
        }
        if (pack.id().first() != expected) {
          noteMissing(pack, expected, isUnreadable);
          break;
        }
        expected++;
        isUnreadable = false;
        if (directory.get().sealedAtMillis() > source.atMillis()) {
          break;
        }
        add(directory.get());
      }
      return whole;
    }

    private void noteMissing(PackName pack, int number, boolean isNamed) {
      if (!isNamed) {
        damages.add(
            Damage.of(
                pack.key(),
                "of its group, the pack with the number "
                    + number
                    + " is missing: what was said of directories since is not used"));
      }
    }

    private void add(PackDirectory directory) {
      for (DirectoryStatement statement : directory.tree().directories()) {
        told.put(statement.path(), statement.there());
        toldAtMillis.put(statement.path(), directory.sealedAtMillis());
      }
      for (AttributeStatement statement : directory.tree().files()) {
        attributes.put(statement.file(), statement.attributes());
      }
      whole |= directory.tree().whole();
    }

    /** Opens a pack; adds a damage where it cannot be. */
    private Optional<PackDirectory> open(PackName pack) throws IOException {
      if (!pack.encrypted() && source.refusesPlain()) {
        damages.add(Damage.refusal(pack.key()));
        return Optional.empty();
      }
      try {
        return Optional.of(source.pack(pack).directory());
      } catch (ArchiveException e) {
        damages.add(Damage.of(e));
      } catch (NoSuchObjectException e) {
        damages.add(Damage.of(pack.key(), String.valueOf(e.getMessage())));
      } catch (DestinationException e) {
        damages.add(Damage.unreadable(pack.key(), e));
      }
      return Optional.empty();
    }

    /** Leaves out what the directory above does not name. */
    NavigableMap<PosixPath, DirectoryStatement.Contents> reachable() {
      NavigableMap<PosixPath, DirectoryStatement.Contents> there = new TreeMap<>();
      Map<PosixPath, Set<PosixPath>> named = new HashMap<>();
      told.forEach(
          (path, contents) ->
              named.put(
                  path,
                  contents
                      .<Set<PosixPath>>map(is -> new HashSet<>(is.directories()))
                      .orElse(Set.of())));
      // In this order, what is above a path comes first.
      for (var entry : new TreeMap<>(told).entrySet()) {
        PosixPath path = entry.getKey();
        PosixPath above = path.parent();
        boolean top = above.equals(path) || !told.containsKey(above);
        boolean reached =
            top
                || (there.containsKey(above)
                    && named.getOrDefault(above, Set.of()).contains(path.fileName()));
        if (reached && entry.getValue().isPresent()) {
          there.put(path, entry.getValue().get());
        }
      }
      return there;
    }
  }
}
