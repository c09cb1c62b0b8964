package dev.tailwater.delivery.life;

import dev.tailwater.io.FileIdentity;
import dev.tailwater.posix.PosixPath;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which of the files that came to names are which of those that were opened at these names. A file
 * that was opened is the one that had just come to its name, or one that came there later but
 * before it was opened. Each is assigned to one file, so that as many as possible have one.
 *
 * <p>The effort for each file is bounded: where more than {@value #MOST_ASKED} files come and go at
 * one name between two readings of the queue, not every possibility is tried. Not thread-safe.
 */
final class Assignments {
  /** How many possibilities are tried for a file. */
  private static final int MOST_ASKED = 64;

  /** What happened at each name since the queue was read to its end. */
  private final Map<PosixPath, Place> places = new HashMap<>();

  /** At which of these names each file was opened that is not decided yet. */
  private final Map<FileIdentity, Set<PosixPath>> seenAt = new HashMap<>();

  /** To which file each one that was opened is assigned. */
  private final Map<FileIdentity, Life> owners = new HashMap<>();

  /** Files that have a claim. */
  private final List<Life> claimants = new ArrayList<>();

  /** The few of which more than their arrival is known: the others wait to be opened. */
  private final Set<Life> dated = new LinkedHashSet<>();

  /** A file that was opened at a name, and how many names it had then. */
  record Claim(PosixPath path, FileIdentity identity, int links, long sureAfter) {}

  /** A name, with what came there and what was opened there. */
  private static final class Place {
    final List<Life> lives = new ArrayList<>(1);
    final Set<FileIdentity> opened = new LinkedHashSet<>();
    long neededUntil;
  }

  /** Notes that a file came to a name. */
  void came(Life life, PosixPath path) {
    places.computeIfAbsent(path, key -> new Place()).lives.add(life);
  }

  /** Notes after which reading of the queue no event can say that another file was opened. */
  void date(Life life, long sureAfter) {
    life.sureAfter = sureAfter;
    dated.add(life);
  }

  /** Notes that nobody asks about a file any more. */
  void forget(Life life) {
    dated.remove(life);
  }

  /** Notes that a file is known to be the one that was opened before. */
  void known(Life life, FileIdentity identity) {
    disown(identity);
    own(life, identity);
  }

  /**
   * Notes that a file was opened at the name of another one, which may be the same.
   *
   * @param links how many names it had then
   * @param sureAfter the reading of the queue that ends after all events that came before
   */
  void opened(Life life, PosixPath path, FileIdentity identity, int links, long sureAfter) {
    seen(path, identity, sureAfter);
    Life owner = owners.get(identity);
    if (owner == life) {
      return;
    }
    if (owner != null && owner.at.isPresent()) {
      // It is a second name, has left its name for this one, or was never there.
      if (life.claim.isEmpty()) {
        claimants.add(life);
      }
      life.claim = Optional.of(new Claim(path, identity, links, sureAfter));
      return;
    }
    if (life.identity.isEmpty()) {
      if (owner != null) {
        disown(identity); // A later file of its name was opened instead of it.
      }
      own(life, identity);
      date(life, sureAfter);
    }
  }

  /** Notes that a file was opened at a name to which nothing has come yet. */
  void seen(PosixPath path, FileIdentity identity, long sureAfter) {
    Place place = places.computeIfAbsent(path, key -> new Place());
    place.opened.add(identity);
    seenAt.computeIfAbsent(identity, key -> new HashSet<>(1)).add(path);
    place.neededUntil = Math.max(place.neededUntil, sureAfter);
  }

  /** Assigns whatever was opened, when a reading of the queue has come to its end. */
  void assign(List<Life> ended, long reading) {
    claimants.removeIf(life -> settleClaim(life, reading));
    ended.forEach(this::findIdentity);
    places.values().forEach(place -> place.lives.forEach(this::findIdentity));
  }

  /** Forgets what happened at names, as far as no later event can be about it. */
  void endReading(long reading) {
    places.entrySet().removeIf(entry -> isOver(entry.getKey(), entry.getValue(), reading));
  }

  void clear() {
    places.clear();
    seenAt.clear();
    owners.clear();
    claimants.clear();
    dated.clear();
  }

  /** What was opened at a name is what came there last. */
  private boolean settleClaim(Life life, long reading) {
    Claim claim = life.claim.orElseThrow();
    if (claim.sureAfter() > reading) {
      return false;
    }
    life.claim = Optional.empty();
    Place place = places.get(claim.path());
    boolean last = place == null || place.lives.isEmpty() || place.lives.getLast() == life;
    if (!last || !life.isUnopened()) {
      return true;
    }
    if (claim.links() > 1) {
      life.exempt = true; // It is a second name of a file that is open.
      date(life, reading);
    } else {
      disown(claim.identity());
      own(life, claim.identity());
      date(life, reading);
    }
    return true;
  }

  private void disown(FileIdentity identity) {
    Life owner = owners.remove(identity);
    if (owner != null) {
      owner.identity = Optional.empty();
      owner.sureAfter = Long.MAX_VALUE;
      dated.remove(owner);
    }
  }

  /** Returns whether no later event can say anything about a file; it is forgotten here then. */
  boolean isSure(Life life, long reading) {
    boolean sure =
        life.sureAfter <= reading && (!mayBeAnother(life, new HashSet<>()) || hasOther(life));
    if (sure) {
      life.identity.ifPresent(this::settled);
      dated.remove(life);
    }
    return sure;
  }

  /** Returns the files with a name that are {@link #isSure} now. */
  List<Life> sure(long reading) {
    return List.copyOf(dated).stream()
        .filter(life -> life.at.isPresent() && isSure(life, reading))
        .toList();
  }

  private void findIdentity(Life life) {
    if (life.isUnopened()) {
      findIdentity(life, new HashSet<>());
    }
  }

  /** Assigns a file that was opened, if there is one for every other file that has one, too. */
  private boolean findIdentity(Life life, Set<FileIdentity> tried) {
    for (PosixPath name : life.names) {
      Place place = places.get(name);
      if (place == null) {
        continue;
      }
      for (FileIdentity identity : place.opened) {
        Life owner = owners.get(identity);
        if (owner != life
            && tried.size() < MOST_ASKED
            && tried.add(identity)
            && (owner == null || (!owner.exempt && findIdentity(owner, tried)))) {
          own(life, identity);
          date(life, place.neededUntil);
          return true;
        }
      }
    }
    return false;
  }

  private void own(Life life, FileIdentity identity) {
    life.identity = Optional.of(identity);
    owners.put(identity, life);
  }

  private void settled(FileIdentity identity) {
    owners.remove(identity);
    for (PosixPath path : seenAt.getOrDefault(identity, Set.of())) {
      Place place = places.get(path);
      if (place != null) {
        place.opened.remove(identity);
      }
    }
    seenAt.remove(identity);
  }

  private boolean isOver(PosixPath path, Place place, long reading) {
    boolean over = place.neededUntil <= reading;
    if (over) {
      for (FileIdentity identity : place.opened) {
        seenAt.computeIfPresent(identity, (_, paths) -> without(path, paths));
      }
    }
    return over;
  }

  private static @Nullable Set<PosixPath> without(PosixPath path, Set<PosixPath> paths) {
    paths.remove(path);
    return paths.isEmpty() ? null : paths;
  }

  /** Returns whether what was opened for a file may be one that came to its name later. */
  private boolean mayBeAnother(Life life, Set<Life> asked) {
    asked.add(life);
    Set<Life> others = new LinkedHashSet<>(life.next);
    for (PosixPath name : life.names) {
      Place place = places.get(name);
      if (place != null && life.identity.filter(place.opened::contains).isPresent()) {
        place.lives.stream().limit(MOST_ASKED).forEach(others::add);
      }
    }
    others.removeIf(other -> other == life || !isOpenQuestion(other));
    life.next = List.copyOf(others);
    for (Life other : others) {
      if (asked.size() < MOST_ASKED
          && asked.add(other)
          && (other.isUnopened() || mayBeAnother(other, asked))) {
        return true;
      }
    }
    return false;
  }

  private boolean isOpenQuestion(Life life) {
    return life.isUnopened()
        ? life.at.isPresent()
        : life.identity.filter(identity -> owners.get(identity) == life).isPresent();
  }

  /** Assigns another file that was opened at one of its names and is assigned to none. */
  private boolean hasOther(Life life) {
    Optional<FileIdentity> before = life.identity;
    if (before.isEmpty() || life.exempt) {
      return false;
    }
    for (PosixPath name : life.names) {
      Place place = places.get(name);
      if (place != null) {
        for (FileIdentity identity : place.opened) {
          if (!owners.containsKey(identity)) {
            owners.remove(before.get());
            own(life, identity);
            return true;
          }
        }
      }
    }
    return false;
  }
}
