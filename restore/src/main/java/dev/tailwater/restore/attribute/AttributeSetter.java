package dev.tailwater.restore.attribute;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.io.attribute.ExtendedAttributes;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.restore.list.ArchivedStream;
import dev.tailwater.restore.tree.ArchivedTree;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Gives restored files and directories their extended attributes, and counts those that cannot be
 * set. An attribute that is refused does not keep a file from being restored. Thread-safe.
 */
public final class AttributeSetter {
  private static final List<String> ACLS =
      List.of(ExtendedAttributes.ACCESS_ACL, ExtendedAttributes.DEFAULT_ACL);

  private final boolean areWanted;
  private final Map<String, ArchivedTree> trees = new HashMap<>();

  @GuardedBy("this")
  private long refused;

  @GuardedBy("this")
  private Optional<String> first = Optional.empty();

  /**
   * Creates what sets attributes.
   *
   * @param areWanted whether any are to be set
   * @param trees what the archive tells of them
   */
  public AttributeSetter(boolean areWanted, List<ArchivedTree> trees) {
    this.areWanted = areWanted;
    trees.forEach(tree -> this.trees.put(tree.agent(), tree));
  }

  /** Returns what the archive tells of the file of a stream. */
  public ExtendedAttributes of(ArchivedStream stream) {
    ArchivedTree tree = trees.get(stream.agent());
    return tree == null ? ExtendedAttributes.NONE : tree.attributesOf(stream.id());
  }

  /**
   * Gives an open file or directory its attributes. Their owner must be there before, and their
   * mode must come after: the one takes capabilities away, and an ACL changes the other.
   *
   * @param isOwned whether it has the owner that the archive tells: with another one, capabilities
   *     would mean something else
   */
  public void give(FileCalls calls, int fd, ExtendedAttributes attributes, boolean isOwned) {
    if (!areWanted) {
      return;
    }
    for (String acl : ACLS) {
      if (!attributes.names().contains(acl)) {
        removeInherited(calls, fd, acl);
      }
    }
    for (String name : attributes.names()) {
      if (ExtendedAttributes.isKept(name)
          && (isOwned || !name.equals(ExtendedAttributes.CAPABILITIES))) {
        try {
          calls.setAttribute(fd, name, attributes.value(name));
        } catch (ErrnoException e) {
          noteRefusal(ErrnoException.messageForUser(e));
        }
      }
    }
  }

  /** Removes an ACL that a new file or directory has from the directory in which it was made. */
  private void removeInherited(FileCalls calls, int fd, String acl) {
    try {
      calls.removeAttribute(fd, acl);
    } catch (ErrnoException e) {
      if (!hasNone(e)) {
        noteRefusal(ErrnoException.messageForUser(e));
      }
    }
  }

  private static boolean hasNone(ErrnoException e) {
    return e.errno() == Errno.ENODATA || e.errno() == Errno.EOPNOTSUPP || e.errno() == Errno.ENOSYS;
  }

  /**
   * Removes what an earlier run gave a file that it did not finish: it may have read another
   * moment, or was asked for attributes and this one is not. An ACL stays where new files get one.
   */
  public void removeEarlier(FileCalls calls, int fd, int directoryFd) {
    try {
      boolean mayInherit = !areWanted && hasDefaultAcl(calls, directoryFd);
      for (String name : calls.attributeNames(fd)) {
        boolean stays = mayInherit && name.equals(ExtendedAttributes.ACCESS_ACL);
        if (ExtendedAttributes.isKept(name) && !stays) {
          calls.removeAttribute(fd, name);
        }
      }
    } catch (ErrnoException e) {
      if (!hasNone(e)) {
        noteRefusal(ErrnoException.messageForUser(e));
      }
    }
  }

  private static boolean hasDefaultAcl(FileCalls calls, int directoryFd) throws ErrnoException {
    return calls.attributeNames(directoryFd).contains(ExtendedAttributes.DEFAULT_ACL);
  }

  private synchronized void noteRefusal(String why) {
    refused++;
    first = first.or(() -> Optional.of(why));
  }

  /** Returns what could not be set; empty if nothing is to be said. */
  public synchronized Optional<UnsetAttributes> unset() {
    return first.map(why -> new UnsetAttributes(refused, why));
  }
}
