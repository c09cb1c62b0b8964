package dev.tailwater.delivery.tree;

import dev.tailwater.archive.name.StreamId;
import dev.tailwater.archive.pack.AttributeStatement;
import dev.tailwater.delivery.tail.SharedDescriptor;
import dev.tailwater.delivery.tail.WatchedFile;
import dev.tailwater.delivery.watch.LookedAtFiles;
import dev.tailwater.io.Descriptor;
import dev.tailwater.io.FileIdentity;
import dev.tailwater.io.NotARegularFileException;
import dev.tailwater.io.attribute.AttributeReader;
import dev.tailwater.io.attribute.ExtendedAttributes;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Finds the files of whose extended attributes the archive should be told. A file is looked at when
 * it is new, and when the watch has seen that something about it has changed: that costs one call
 * if it is open and has no attributes. A file that nobody changes costs nothing. For one thread.
 */
final class AttributeSurvey {
  static final int MAX_FILES = 100_000;

  /** Files with the same attributes share them. */
  static final long MAX_BYTES = 16 << 20;

  private final FileCalls calls;
  private final String agent;
  private final AttributeReader reader;
  private final LookedAtFiles changed;
  private final Map<StreamId, Known> known = new LinkedHashMap<>();
  private final Map<ExtendedAttributes, ExtendedAttributes> shared = new HashMap<>();
  private final Set<StreamId> unsaid = new LinkedHashSet<>();

  /** Those that could not be read when they were looked at last. */
  private final Set<WatchedFile> failed = new LinkedHashSet<>();

  private long sharedBytes;

  /** The files of which not all attributes are archived. */
  private final Set<FileIdentity> partly = new HashSet<>();

  private boolean directoriesPartly;

  private record Known(FileIdentity file, ExtendedAttributes attributes) {}

  /**
   * Creates a survey.
   *
   * @param changed collects the files that are new or changed
   */
  AttributeSurvey(FileCalls calls, String agent, AttributeReader reader, LookedAtFiles changed) {
    this.calls = calls;
    this.agent = agent;
    this.reader = reader;
    this.changed = changed;
  }

  /**
   * Looks at the files that are new or changed, and again at those that could not be read. Forgets
   * those that nobody watches any more.
   */
  void look() {
    directoriesPartly |= reader.takeNotKept() > 0; // They are read between two looks.
    Set<WatchedFile> files = new LinkedHashSet<>(failed);
    files.addAll(changed.takeAll());
    files.removeIf(file -> !changed.isWatched(file.identity()));
    failed.clear();
    known.values().removeIf(file -> !changed.isWatched(file.file()));
    partly.removeIf(file -> !changed.isWatched(file));
    for (WatchedFile file : files) {
      try {
        read(file).ifPresent(found -> note(file.identity(), found));
      } catch (NotARegularFileException e) {
        // Its name leads to something else by now.
      } catch (ErrnoException e) {
        if (e.errno() != Errno.ENOENT) {
          failed.add(file);
        }
      } catch (IOException e) {
        failed.add(file);
      }
      releaseUnlessKnown(file);
    }
  }

  /** Of a file without attributes it does not matter whether it is watched. */
  private void releaseUnlessKnown(WatchedFile file) {
    FileIdentity identity = file.identity();
    boolean kept =
        known.containsKey(StreamId.of(agent, identity, 0))
            || partly.contains(identity)
            || failed.contains(file);
    if (!kept) {
      changed.release(identity);
    }
  }

  /** Reads the attributes of a file; empty if it is closed, and another one has its name. */
  private Optional<ExtendedAttributes> read(WatchedFile file) throws IOException {
    Optional<SharedDescriptor.Lease> lease = file.lease();
    if (lease.isPresent()) {
      try (SharedDescriptor.Lease open = lease.get()) {
        return Optional.of(reader.read(open.fd()));
      }
    }
    try (Descriptor open =
        Descriptor.openRegularFile(calls, FileCalls.AT_FDCWD, file.name(), Set.of())) {
      return FileIdentity.of(calls, open.fd()).equals(file.identity())
          ? Optional.of(reader.read(open.fd()))
          : Optional.empty();
    }
  }

  private void note(FileIdentity identity, ExtendedAttributes found) {
    StreamId file = StreamId.of(agent, identity, 0);
    partly.remove(identity);
    if (reader.takeNotKept() > 0) {
      notePartly(identity);
    }
    if (found.equals(attributes(file))) {
      return;
    }
    boolean wasTold = known.remove(file) != null;
    Optional<ExtendedAttributes> kept = known.size() < MAX_FILES ? share(found) : Optional.empty();
    if (kept.isEmpty()) {
      notePartly(identity);
    } else if (!found.isEmpty()) {
      known.put(file, new Known(identity, kept.get()));
    }
    if (wasTold || known.containsKey(file)) {
      unsaid.add(file);
    }
  }

  private ExtendedAttributes attributes(StreamId file) {
    Known found = known.get(file);
    return found == null ? ExtendedAttributes.NONE : found.attributes();
  }

  private void notePartly(FileIdentity file) {
    if (partly.size() < MAX_FILES) {
      partly.add(file);
    }
  }

  /** Returns the same attributes of another file, if there are any; empty if there is no room. */
  private Optional<ExtendedAttributes> share(ExtendedAttributes found) {
    ExtendedAttributes same = shared.get(found);
    if (same != null) {
      return Optional.of(same);
    }
    if (sharedBytes + found.lengthBytes() > MAX_BYTES) {
      forgetUnused();
    }
    if (sharedBytes + found.lengthBytes() > MAX_BYTES) {
      return Optional.empty();
    }
    sharedBytes += found.lengthBytes();
    shared.put(found, found);
    return Optional.of(found);
  }

  private void forgetUnused() {
    Set<ExtendedAttributes> used = new HashSet<>();
    known.values().forEach(file -> used.add(file.attributes()));
    shared.keySet().retainAll(used);
    sharedBytes = shared.keySet().stream().mapToLong(ExtendedAttributes::lengthBytes).sum();
  }

  /** Notes that the archive was told in an earlier run what the last look has found. */
  void noteAllSaid() {
    unsaid.clear();
  }

  /**
   * Says what is not said.
   *
   * @param all whether nothing is said in this group of packs
   */
  void say(boolean all, TreeSurvey.Statements statements) throws IOException, InterruptedException {
    for (StreamId file : all ? known.keySet() : unsaid) {
      statements.say(new AttributeStatement(file, attributes(file)));
    }
    unsaid.clear();
  }

  /** Returns what is known of all files, as a number. */
  long digest() {
    return known.entrySet().stream()
        .mapToLong(entry -> StatementHash.of(entry.getKey(), entry.getValue().attributes()))
        .sum();
  }

  /** Returns whether no file has attributes. */
  boolean isEmpty() {
    return known.isEmpty();
  }

  /** Returns what of the attributes the archive is not told, in words; empty if it is told all. */
  Optional<String> shortcoming() {
    if (!failed.isEmpty()) {
      return Optional.of("the extended attributes of " + files(failed.size()) + " cannot be read");
    }
    if (partly.isEmpty() && !directoriesPartly) {
      return Optional.empty();
    }
    return Optional.of(
        "some extended attributes of "
            + files(partly.size())
            + (directoriesPartly ? " and of directories" : "")
            + " are not archived: of other namespaces, too long, or too many");
  }

  private static String files(int count) {
    return count + (count == 1 ? " file" : " files");
  }
}
