package dev.tailwater.restore.verify;

import dev.tailwater.archive.FileOwner;
import dev.tailwater.io.Descriptor;
import dev.tailwater.io.attribute.AttributeReader;
import dev.tailwater.io.attribute.ExtendedAttributes;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.value.FileStatus;
import dev.tailwater.restore.attribute.AttributeSetter;
import dev.tailwater.restore.attribute.OwnerIds;
import dev.tailwater.restore.list.ArchivedStream;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Says in words how modes and owners differ from those that the archive tells. Immutable. */
final class AttributeDifferences {
  private static final int ALL_BITS = 07777;

  private final OwnerIds owners;
  private final Optional<AttributeSetter> extended;

  /**
   * Creates what compares.
   *
   * @param extended tells the extended attributes of files; empty if none are compared
   */
  AttributeDifferences(OwnerIds owners, Optional<AttributeSetter> extended) {
    this.owners = owners;
    this.extended = extended;
  }

  /** Says how the extended attributes of the open file of a stream differ. */
  Optional<String> ofExtended(ArchivedStream told, Descriptor file) throws ErrnoException {
    return extended.isPresent() ? ofExtended(extended.get().of(told), file) : Optional.empty();
  }

  /** Says how the extended attributes of something open differ; empty if they do not. */
  Optional<String> ofExtended(ExtendedAttributes told, Descriptor file) throws ErrnoException {
    if (extended.isEmpty()) {
      return Optional.empty();
    }
    ExtendedAttributes now = new AttributeReader(file.calls()).read(file.fd());
    Set<String> names = new TreeSet<>(told.names());
    names.addAll(now.names());
    // A restore gives capabilities back only together with the owner.
    names.removeIf(name -> name.equals(ExtendedAttributes.CAPABILITIES) && !owners.areWanted());
    names.removeIf(name -> now.hasSame(name, told));
    return names.isEmpty()
        ? Optional.empty()
        : Optional.of("it has other extended attributes: " + String.join(", ", names));
  }

  /** Joins what was said of one thing. */
  static Optional<String> both(Optional<String> one, Optional<String> other) {
    return one.isPresent() && other.isPresent()
        ? Optional.of(one.get() + ", and " + other.get())
        : one.or(() -> other);
  }

  /**
   * Says how something differs; empty if it does not.
   *
   * @param told the mode that the archive tells
   * @param ownedBits those that a restore gives back only together with the owner
   */
  Optional<String> of(int told, int ownedBits, Optional<FileOwner> owner, FileStatus now) {
    return both(ofMode(told, ownedBits, now), ofOwner(owner, now));
  }

  private Optional<String> ofMode(int told, int ownedBits, FileStatus now) {
    int compared = owners.areWanted() ? ALL_BITS : ALL_BITS & ~ownedBits;
    if (((now.permissions() ^ told) & compared) == 0) {
      return Optional.empty();
    }
    return Optional.of(
        "its mode is "
            + octal(now.permissions() & compared)
            + ", in the archive "
            + octal(told & compared));
  }

  /** Says how an owner differs; empty if it does not, or is not compared. */
  Optional<String> ofOwner(Optional<FileOwner> told, FileStatus now) {
    if (!owners.areWanted()) {
      return Optional.empty();
    }
    if (told.isEmpty()) {
      return Optional.of("the archive does not tell its owner");
    }
    if (owners.isOwner(told.get(), now)) {
      return Optional.empty();
    }
    FileOwner owner = told.get();
    return Optional.of(
        "it belongs to "
            + now.ownerId()
            + ":"
            + now.groupId()
            + ", in the archive to "
            + name(owner.user(), owner.userId())
            + ":"
            + name(owner.group(), owner.groupId()));
  }

  private static String name(String name, long id) {
    return name.isEmpty() ? Long.toString(id) : name + " (" + id + ")";
  }

  private static String octal(int mode) {
    return "0" + Integer.toOctalString(mode);
  }
}
