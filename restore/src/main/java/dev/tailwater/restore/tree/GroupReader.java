package dev.tailwater.restore.tree;

import dev.tailwater.archive.ArchiveException;
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
import dev.tailwater.restore.list.SegmentSource;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Reads what the packs of one group say of directories and links, in their order. For one use by
 * one thread.
 */
final class GroupReader {
  private final SegmentSource source;
  private final List<Damage> damages;
  private final Map<PosixPath, Optional<DirectoryStatement.Contents>> told = new HashMap<>();
  private final Map<PosixPath, Long> toldAtMillis = new HashMap<>();
  private final Map<StreamId, ExtendedAttributes> attributes = new HashMap<>();
  private boolean whole;

  /**
   * Creates a reader of one group.
   *
   * @param damages takes what cannot be read
   */
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

  /** Returns when the agent looked at each directory last. */
  Map<PosixPath, Long> toldAtMillis() {
    return toldAtMillis;
  }

  /** Returns the extended attributes of files, by the ids of their first streams. */
  Map<StreamId, ExtendedAttributes> attributes() {
    return attributes;
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
