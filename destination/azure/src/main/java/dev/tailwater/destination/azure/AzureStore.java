package dev.tailwater.destination.azure;

import dev.tailwater.destination.PutResult;
import dev.tailwater.destination.cloud.ListPage;
import dev.tailwater.destination.cloud.ObjectStore;
import dev.tailwater.destination.cloud.PartSender;
import dev.tailwater.destination.cloud.StoredObject;
import dev.tailwater.destination.cloud.http.HttpFailure;
import dev.tailwater.destination.cloud.http.HttpObject;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** A container of Azure Blob Storage. Each call sends one request. Thread-safe. */
final class AzureStore implements ObjectStore {
  /** The length of all blocks but the last; an object can have 50 000 of them. */
  static final int PART_BYTES = 5 << 20;

  private final AzureRequests requests;
  private final RandomGenerator random;
  private final ListMarkers markers = new ListMarkers();

  /** Whether the server has listed from the beginning although it was told where to start. */
  private volatile boolean ignoresStart;

  /**
   * @param random of block ids, so that two uploads of one name do not mix
   */
  AzureStore(AzureRequests requests, RandomGenerator random) {
    this.requests = requests;
    this.random = random;
  }

  /**
   * {@inheritDoc}
   *
   * <p>A server may say that an object exists although there are only blocks of an upload that was
   * given up. So that is checked, and then the object is created by a list of blocks, which tells
   * them apart.
   */
  @Override
  public PutResult create(String name, ByteBuffer content) throws InterruptedException {
    try {
      requests.put(name, content, true);
      return PutResult.CREATED;
    } catch (HttpFailure e) {
      if (!AzureFailures.isExisting(e)) {
        throw e;
      }
      return requests.exists(name) ? PutResult.ALREADY_EXISTS : upload(name).finish(content);
    }
  }

  /**
   * {@inheritDoc}
   *
   * <p>An object in the archive tier can be removed, but not overwritten.
   */
  @Override
  public void replace(String name, ByteBuffer content) throws InterruptedException {
    try {
      requests.put(name, content.duplicate(), false);
    } catch (HttpFailure e) {
      if (!AzureFailures.isArchived(e)) {
        throw e;
      }
      remove(name);
      requests.put(name, content, false);
    }
  }

  @Override
  public StoredObject read(String name, Optional<String> range) throws InterruptedException {
    return HttpObject.of(() -> requests.get(name, range), AzureFailures::isNoSuchObject);
  }

  /**
   * Requests a page. A server that is older than {@code startFrom} ignores it and lists from the
   * beginning; then names are dropped up to the one that was asked for. Once a server has done so,
   * the marker of the page that ended with the name is used where it is known: a whole list costs
   * one request for each page on every server.
   */
  @Override
  public ListPage list(
      String prefix, Optional<String> after, Optional<String> continuation, int maxEntries)
      throws InterruptedException {
    Optional<String> marker =
        continuation.isPresent()
            ? continuation
            : after.filter(name -> ignoresStart).flatMap(name -> markers.take(prefix, name));
    if (after.isEmpty() || (continuation.isEmpty() && marker.isPresent())) {
      return page(prefix, Optional.empty(), marker, maxEntries);
    }
    // The list starts with the name itself, if it has an object.
    ListPage page = page(prefix, after, marker, maxEntries + 1);
    if (continuation.isEmpty() && Skipping.startsBefore(after.get(), page)) {
      ignoresStart = true;
      Optional<String> known = markers.take(prefix, after.get());
      if (known.isPresent()) {
        return page(prefix, Optional.empty(), known, maxEntries);
      }
    }
    ListPage rest = Skipping.after(after.get(), page);
    while (rest.objects().isEmpty() && !page.objects().isEmpty() && page.more()) {
      ListPage next = page(prefix, Optional.empty(), page.continuation(), maxEntries);
      if (!Skipping.ascends(page, next)) {
        return next; // As it is: the caller refuses a list that does not ascend.
      }
      page = next;
      rest = Skipping.after(after.get(), page);
    }
    return rest.first(maxEntries); // One too many, if the name has no object any more.
  }

  private ListPage page(
      String prefix, Optional<String> start, Optional<String> marker, int maxResults)
      throws InterruptedException {
    Optional<String> from = marker.isPresent() ? Optional.empty() : start;
    ListPage page = AzureXml.page(requests.list(prefix, from, marker, maxResults));
    markers.remember(prefix, page);
    return page;
  }

  @Override
  public void remove(String name) throws InterruptedException {
    try {
      requests.delete(name);
    } catch (HttpFailure e) {
      if (!AzureFailures.isNoSuchObject(e)) {
        throw e;
      }
    }
  }

  @Override
  public PartSender begin(String key, String name) {
    return upload(name);
  }

  private AzureUpload upload(String name) {
    return new AzureUpload(requests, name, "%016x".formatted(random.nextLong()));
  }

  @Override
  public int partBytes() {
    return PART_BYTES;
  }

  @Override
  public void close() {
    requests.close();
  }
}
