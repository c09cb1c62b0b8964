package dev.tailwater.delivery.pack;

import dev.tailwater.archive.ArchiveException;
import dev.tailwater.archive.age.ContentKey;
import dev.tailwater.archive.manifest.ListedManifest;
import dev.tailwater.archive.manifest.PackFront;
import dev.tailwater.archive.name.PackName;
import dev.tailwater.archive.open.PackOpener;
import dev.tailwater.archive.pack.PackDirectory;
import dev.tailwater.destination.ColdObjectException;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.NoSuchObjectException;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The directories of packs that manifests repeat, as the agent reads them. What a manifest does not
 * have, or has wrong, is read in the pack itself.
 */
final class RepeatedDirectories {
  private final ManifestStore store;
  private final Supplier<Optional<ContentKey>> contentKey;
  private final PackOpener opener;

  RepeatedDirectories(
      ManifestStore store, Supplier<Optional<ContentKey>> contentKey, PackOpener opener) {
    this.store = store;
    this.contentKey = contentKey;
    this.opener = opener;
  }

  /**
   * Reads manifests.
   *
   * @param wanted packs that are there, with the lengths of their objects
   */
  Map<PackName, List<PackDirectory>> read(Map<PackName, Long> wanted) throws DestinationException {
    Map<PackName, List<PackDirectory>> found = new HashMap<>();
    if (wanted.size() < 2) {
      return found;
    }
    List<ListedManifest> current = ListedManifest.current(store.list());
    for (ListedManifest manifest : ListedManifest.worthReading(current, wanted)) {
      try {
        for (PackFront front : store.read(manifest)) {
          if (wanted.getOrDefault(front.name(), -1L) == front.objectBytes()) {
            add(front, found);
          }
        }
      } catch (NoSuchObjectException | ColdObjectException | ArchiveException e) {
        // Joined meanwhile, in cold storage, or damaged: the packs tell.
      }
    }
    return found;
  }

  private void add(PackFront front, Map<PackName, List<PackDirectory>> found)
      throws DestinationException {
    try {
      List<PackDirectory> directories =
          opener.openForAgent(
              front.name(),
              front.read(),
              front.name().encrypted() ? contentKey.get() : Optional.empty());
      if (!directories.isEmpty()) {
        found.put(front.name(), directories);
      }
    } catch (DestinationException e) {
      throw e;
    } catch (IOException e) {
      // Damaged, not trusted, or of a newer version: the pack itself tells.
    }
  }
}
