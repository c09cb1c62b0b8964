package dev.tailwater.destination.gcs;

import dev.tailwater.destination.PutResult;
import dev.tailwater.destination.cloud.Crc32cText;
import dev.tailwater.destination.cloud.ListPage;
import dev.tailwater.destination.cloud.ObjectStore;
import dev.tailwater.destination.cloud.PartSender;
import dev.tailwater.destination.cloud.StoredObject;
import dev.tailwater.destination.cloud.http.HttpAnswer;
import dev.tailwater.destination.cloud.http.HttpFailure;
import dev.tailwater.destination.cloud.http.HttpObject;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.InstantSource;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** A bucket of Google Cloud Storage. Each call sends one request. Thread-safe. */
final class GcsStore implements ObjectStore {
  /** The length of all parts but the last; the service wants a multiple of 256 KiB. */
  static final int PART_BYTES = 5 << 20;

  private static final int PRECONDITION_FAILED = 412;

  /** The longest page that the service gives. */
  private static final int MAX_RESULTS = 1000;

  private final GcsRequests requests;
  private final GcsPlace place;
  private final RandomGenerator random;
  private final InstantSource clock;

  /**
   * @param random of boundaries, which must not occur in what a hostile writer logs
   */
  GcsStore(GcsRequests requests, GcsPlace place, RandomGenerator random, InstantSource clock) {
    this.requests = requests;
    this.place = place;
    this.random = random;
    this.clock = clock;
  }

  @Override
  public PutResult create(String name, ByteBuffer content) throws InterruptedException {
    try {
      insert(name, content, true);
      return PutResult.CREATED;
    } catch (HttpFailure e) {
      if (e.hasStatus(PRECONDITION_FAILED)) {
        return PutResult.ALREADY_EXISTS;
      }
      throw e;
    }
  }

  @Override
  public void replace(String name, ByteBuffer content) throws InterruptedException {
    insert(name, content, false);
  }

  private void insert(String name, ByteBuffer content, boolean onlyIfAbsent)
      throws InterruptedException {
    String boundary = "%016x%016x".formatted(random.nextLong(), random.nextLong());
    String sent = Crc32cText.of(content);
    String attributes = attributes(name, Optional.of(sent), onlyIfAbsent);
    HttpAnswer answer = requests.insert(attributes, content, boundary, onlyIfAbsent);
    GcsJson.Stored stored = GcsJson.stored(answer);
    if (stored.crc32c().isPresent() && !stored.crc32c().get().equals(sent)) {
      throw answer.unexpected("has another checksum than what was sent");
    }
  }

  private String attributes(String name, Optional<String> crc32c, boolean retained) {
    return GcsJson.attributes(
        name,
        crc32c,
        place.storageClass(),
        place.metadata(),
        place
            .retention()
            .filter(retention -> retained)
            .map(retention -> GcsJson.retention(retention, clock.instant())));
  }

  @Override
  public StoredObject read(String name, Optional<String> range) throws InterruptedException {
    return HttpObject.of(() -> requests.media(name, range), GcsFailures::isNoSuchObject);
  }

  @Override
  public ListPage list(
      String prefix, Optional<String> after, Optional<String> continuation, int maxEntries)
      throws InterruptedException {
    if (continuation.isPresent() || after.isEmpty()) {
      return GcsJson.page(requests.list(prefix, after, continuation, maxEntries));
    }
    // The list starts with the name itself, if it has an object.
    int maxResults = Math.min(maxEntries + 1, MAX_RESULTS);
    ListPage page = GcsJson.page(requests.list(prefix, after, continuation, maxResults));
    boolean has = !page.objects().isEmpty() && page.objects().getFirst().name().equals(after);
    if (has) {
      return new ListPage(
          page.objects().subList(1, page.objects().size()), page.more(), page.continuation());
    }
    return page.first(maxEntries);
  }

  @Override
  public void remove(String name) throws InterruptedException {
    remove(name, Optional.empty());
  }

  private void remove(String name, Optional<String> generation) throws InterruptedException {
    try {
      requests.delete(name, generation);
    } catch (HttpFailure e) {
      if (!GcsFailures.isNoSuchObject(e)) {
        throw e;
      }
    }
  }

  @Override
  public PartSender begin(String key, String name) throws InterruptedException {
    try {
      URI session = requests.begin(attributes(name, Optional.empty(), true));
      return new GcsUpload(requests, name, session);
    } catch (HttpFailure e) {
      if (e.hasStatus(PRECONDITION_FAILED)) {
        return new Existing();
      }
      throw e;
    }
  }

  /** The upload of an object that exists already. */
  private static final class Existing implements PartSender {
    @Override
    public void send(ByteBuffer part) {}

    @Override
    public PutResult finish(ByteBuffer last) {
      return PutResult.ALREADY_EXISTS;
    }

    @Override
    public void abort() {}
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
