package dev.tailwater.io;

import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.value.EntryType;
import dev.tailwater.posix.value.FileStatus;
import dev.tailwater.posix.value.OpenFlag;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * A walk along a path, component by component. Each component is opened relative to the one before
 * and then checked, so that the check holds for the file that the walk continues from. Used once,
 * by one thread.
 */
final class PathWalk implements AutoCloseable {
  private static final PosixPath ROOT = PosixPath.of("/");
  private static final PosixPath SELF = PosixPath.of(".");
  private static final PosixPath UP = PosixPath.of("..");

  /** The number of links that Linux follows in one path. */
  private static final int MAX_LINKS = 40;

  // Without DIRECTORY, an automounter would not mount a directory on the way.
  private static final Set<OpenFlag> DIRECTORY =
      EnumSet.of(OpenFlag.PATH, OpenFlag.NO_FOLLOW, OpenFlag.DIRECTORY);
  private static final Set<OpenFlag> ANYTHING = EnumSet.of(OpenFlag.PATH, OpenFlag.NO_FOLLOW);

  /**
   * Which links may be followed, if they are trusted.
   *
   * @param places where; empty: anywhere
   */
  record Links(Optional<Set<PosixPath>> places) {
    static Links any() {
      return new Links(Optional.empty());
    }

    static Links only(Set<PosixPath> places) {
      return new Links(Optional.of(places));
    }

    boolean include(PosixPath place) {
      return places.isEmpty() || places.get().contains(place);
    }
  }

  private final FileCalls calls;
  private final Optional<LinkTrust> trust;
  private final PosixPath path;
  private final Links links;
  private final Set<PosixPath> followed = new HashSet<>();
  private final Deque<PosixPath> rest = new ArrayDeque<>();
  private Optional<Descriptor> here = Optional.empty();
  private PosixPath name = SELF;

  /** The current location, without links. */
  private PosixPath location;

  /** Whether no other user can have influenced the current location. */
  private boolean trusted;

  private int followedCount;

  /** Along an absolute path. */
  PathWalk(FileCalls calls, LinkTrust trust, PosixPath path, Links links) {
    this.calls = calls;
    this.trust = Optional.of(trust);
    this.path = path;
    this.links = links;
    this.location = ROOT;
  }

  private PathWalk(FileCalls calls, PosixPath start, PosixPath path) {
    this.calls = calls;
    this.trust = Optional.empty();
    this.path = start.resolve(path);
    this.links = Links.only(Set.of());
    this.location = start;
  }

  /** Along a relative path below an open directory, following no link. */
  static PathWalk withoutLinks(FileCalls calls, Descriptor start, PosixPath relative)
      throws ErrnoException {
    PathWalk walk = new PathWalk(calls, start.path(), relative);
    walk.push(relative);
    walk.goTo(Descriptor.open(calls, start.fd(), SELF, DIRECTORY, 0));
    return walk;
  }

  /** Where links were followed. */
  Set<PosixPath> followed() {
    return followed;
  }

  /** Returns the name of the end of the path in the directory from {@link #run}. */
  PosixPath name() {
    return name;
  }

  /**
   * Walks to the end of the path; returns the directory that it is, or that has its {@link #name}.
   * The result belongs to the caller.
   */
  Descriptor run() throws ErrnoException {
    if (here.isEmpty()) {
      push(path);
      fromTop();
    }
    while (!rest.isEmpty()) {
      PosixPath next = rest.pop();
      if (!next.isEmpty() && !next.equals(SELF)) {
        step(next);
      }
    }
    return leave();
  }

  private void step(PosixPath next) throws ErrnoException {
    Descriptor parent = here.orElseThrow();
    Optional<Descriptor> directory = openDirectory(parent, next);
    if (directory.isPresent()) {
      enter(parent, directory.get(), next);
      return;
    }
    PosixPath target;
    try (Descriptor other = Descriptor.open(calls, parent.fd(), next, ANYTHING, 0)) {
      FileStatus status = calls.fstat(other.fd());
      if (status.type() != EntryType.SYMBOLIC_LINK) {
        if (!rest.isEmpty()) {
          throw ErrnoException.of("open", path.toString(), Errno.ENOTDIR);
        }
        name = next;
        return;
      }
      PosixPath link = location.resolve(next);
      requireTrusted(parent, status, link);
      followed.add(link);
      target = calls.readLink(other.fd(), PosixPath.EMPTY);
    }
    push(target);
    if (target.isAbsolute()) {
      fromTop();
    }
  }

  private Optional<Descriptor> openDirectory(Descriptor parent, PosixPath name)
      throws ErrnoException {
    try {
      return Optional.of(Descriptor.open(calls, parent.fd(), name, DIRECTORY, 0));
    } catch (ErrnoException e) {
      if (e.errno() != Errno.ENOTDIR && e.errno() != Errno.ELOOP) {
        throw new ErrnoException("open", path.toString(), e.errnoNumber(), e.errno().text());
      }
      return Optional.empty();
    }
  }

  private void enter(Descriptor parent, Descriptor child, PosixPath name) throws ErrnoException {
    boolean entered = false;
    try {
      if (trusted) {
        trusted = trust.orElseThrow().keeps(calls.fstat(parent.fd()), calls.fstat(child.fd()));
      }
      location = name.equals(UP) ? location.parent() : location.resolve(name);
      entered = true;
    } finally {
      if (!entered) {
        child.close();
      }
    }
    goTo(child);
  }

  private void requireTrusted(Descriptor parent, FileStatus status, PosixPath link)
      throws ErrnoException {
    if (++followedCount > MAX_LINKS) {
      throw ErrnoException.of("open", path.toString(), Errno.ELOOP);
    }
    String why;
    if (trust.isEmpty()) {
      why = "lies below a source, where none is followed";
    } else if (!trust.get().owns(status)) {
      why = "belongs to user " + status.ownerId() + " and is not followed";
    } else if (!trusted || !trust.get().alone(calls.fstat(parent.fd()))) {
      why = "can be replaced by other users and is not followed";
    } else if (!links.include(link)) {
      why = "was put there while this process ran and is not followed";
    } else {
      return;
    }
    throw new ErrnoException(
        "open", path.toString(), Errno.ELOOP.number(), "symbolic link " + link + " " + why);
  }

  private void fromTop() throws ErrnoException {
    goTo(Descriptor.open(calls, FileCalls.AT_FDCWD, ROOT, DIRECTORY, 0));
    location = ROOT;
    trusted = trust.isPresent();
  }

  /** Adds components in front of the rest. */
  private void push(PosixPath components) {
    byte[] bytes = components.toBytes();
    Deque<PosixPath> names = new ArrayDeque<>();
    int from = 0;
    for (int at = 0; at <= bytes.length; at++) {
      if (at == bytes.length || bytes[at] == '/') {
        if (at > from) {
          names.push(PosixPath.of(Arrays.copyOfRange(bytes, from, at)));
        }
        from = at + 1;
      }
    }
    names.forEach(rest::push);
  }

  private void goTo(Descriptor next) throws ErrnoException {
    Optional<Descriptor> before = here;
    here = Optional.of(next);
    if (before.isPresent()) {
      before.get().close();
    }
  }

  private Descriptor leave() {
    Descriptor last = here.orElseThrow();
    here = Optional.empty();
    return Descriptor.adopt(calls, last.fd(), location);
  }

  @Override
  public void close() throws ErrnoException {
    if (here.isPresent()) {
      Descriptor open = here.get();
      here = Optional.empty();
      open.close();
    }
  }
}
