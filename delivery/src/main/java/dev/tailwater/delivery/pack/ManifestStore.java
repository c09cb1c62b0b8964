package dev.tailwater.delivery.pack;

import dev.tailwater.archive.DamagedSegmentException;
import dev.tailwater.archive.UnsupportedFormatException;
import dev.tailwater.archive.manifest.ListedManifest;
import dev.tailwater.archive.manifest.ManifestFormat;
import dev.tailwater.archive.manifest.PackFront;
import dev.tailwater.archive.name.ManifestName;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.Entry;
import dev.tailwater.destination.TransientDestinationException;
import dev.tailwater.destination.list.ListedEntries;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The manifests of one agent at a destination. Thread-safe.
 *
 * @param agent the name under which its packs are archived
 */
public record ManifestStore(Destination destination, String agent) {

  /** Lists them, in the order of their names. */
  public List<ListedManifest> list() throws DestinationException {
    List<ListedManifest> manifests = new ArrayList<>();
    ListedEntries all = new ListedEntries(destination, ManifestName.prefix(agent));
    for (Optional<Entry> next = all.next(); next.isPresent(); next = all.next()) {
      long objectBytes = next.get().sizeBytes();
      ManifestName.parse(next.get().key())
          .ifPresent(name -> manifests.add(new ListedManifest(name, objectBytes)));
    }
    return manifests;
  }

  /**
   * Reads one.
   *
   * @throws DamagedSegmentException it is not what a writer wrote
   * @throws UnsupportedFormatException a newer version wrote it
   */
  public List<PackFront> read(ListedManifest manifest)
      throws DestinationException, DamagedSegmentException, UnsupportedFormatException {
    String key = manifest.name().key();
    int most = (int) Math.min(manifest.objectBytes(), ManifestFormat.MAX_OBJECT_BYTES);
    try (InputStream object = destination.read(key, 0, most)) {
      return ManifestFormat.decode(manifest.name(), object.readNBytes(most));
    } catch (DestinationException | DamagedSegmentException | UnsupportedFormatException e) {
      throw e;
    } catch (IOException e) {
      throw TransientDestinationException.whileReading(destination.uri(), key, e);
    }
  }

  /** Puts a manifest of some packs. */
  public void put(ManifestName name, List<PackFront> fronts) throws DestinationException {
    destination.putSegment(name.key(), ByteBuffer.wrap(ManifestFormat.encode(fronts)));
  }

  /** Removes one. */
  public void remove(ManifestName name) throws DestinationException {
    destination.delete(name.key());
  }
}
