package dev.tailwater.restore.verify;

import dev.tailwater.archive.FileOwner;
import dev.tailwater.posix.value.FileStatus;
import dev.tailwater.restore.attribute.OwnerIds;
import java.util.Optional;

/** Says in words how modes and owners differ from those that the archive tells. Immutable. */
final class AttributeDifferences {
  private static final int ALL_BITS = 07777;

  private final OwnerIds owners;

  AttributeDifferences(OwnerIds owners) {
    this.owners = owners;
  }

  /**
   * Says how something differs; empty if it does not.
   *
   * @param told the mode that the archive tells
   * @param ownedBits those that a restore gives back only together with the owner
   */
  Optional<String> of(int told, int ownedBits, Optional<FileOwner> owner, FileStatus now) {
    Optional<String> mode = ofMode(told, ownedBits, now);
    Optional<String> ids = ofOwner(owner, now);
    return mode.isPresent() && ids.isPresent()
        ? Optional.of(mode.get() + ", and " + ids.get())
        : mode.or(() -> ids);
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
    if (!owners.areWanted() || told.isEmpty() || owners.isOwner(told.get(), now)) {
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
