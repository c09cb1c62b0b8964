package dev.tailwater.destination.testkit;

import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.Entry;
import dev.tailwater.destination.ForwardingDestination;
import dev.tailwater.destination.Listing;
import dev.tailwater.destination.NoSuchObjectException;
import dev.tailwater.destination.ObjectKeys;
import dev.tailwater.destination.PutResult;
import dev.tailwater.destination.RefusedDestinationException;
import dev.tailwater.destination.SegmentUpload;
import dev.tailwater.destination.TransientDestinationException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

/**
 * A destination that violates its contract, for tests of the code that must notice this. As
 * thread-safe as the wrapped one, except for {@link Misbehavior#TEARS_REPLACEMENTS}, whose calls
 * are deliberately not atomic.
 */
public final class MisbehavingDestination extends ForwardingDestination {
  private static final int LATE_CALLS = 2;
  private static final int HONEST_BYTES = 4096;
  private static final long TORN_NANOS = 20_000_000;

  private final Set<Misbehavior> misbehaviors;
  private final Map<String, Integer> hiddenFromLists = new ConcurrentHashMap<>();
  private final Map<String, Integer> hiddenFromReads = new ConcurrentHashMap<>();
  private final AtomicLong reads = new AtomicLong();

  private MisbehavingDestination(Destination real, Set<Misbehavior> misbehaviors) {
    super(real);
    this.misbehaviors = Set.copyOf(misbehaviors);
  }

  public static MisbehavingDestination wrap(Destination real, Misbehavior... misbehaviors) {
    return new MisbehavingDestination(
        real, Arrays.stream(misbehaviors).collect(Collectors.toSet()));
  }

  private boolean does(Misbehavior misbehavior) {
    return misbehaviors.contains(misbehavior);
  }

  private void deny(Misbehavior misbehavior, String operation, String key)
      throws RefusedDestinationException {
    if (does(misbehavior)) {
      throw new RefusedDestinationException(
          uri(), operation, key, "a test does not permit it", "Permit it in the test.");
    }
  }

  /** Returns the key that is really used; leaves an illegal key to the wrapped destination. */
  private String actual(String key) {
    return does(Misbehavior.STRIPS_BLANKS) && ObjectKeys.problem(key).isEmpty()
        ? key.replace(" ", "_")
        : key;
  }

  @Override
  public PutResult putSegment(String key, ByteBuffer content) throws DestinationException {
    deny(Misbehavior.DENIES_CREATE, "put", key);
    ByteBuffer sent = content.duplicate();
    if (does(Misbehavior.DROPS_A_BYTE) && sent.remaining() > HONEST_BYTES) {
      sent.limit(sent.limit() - 1);
    }
    if (does(Misbehavior.REPLACES_SEGMENTS)) {
      byte[] copy = new byte[sent.remaining()];
      sent.get(copy);
      real().putObject(actual(key), copy);
      return PutResult.CREATED;
    }
    PutResult result = real().putSegment(actual(key), sent);
    hide(key);
    return does(Misbehavior.CLAIMS_TO_CREATE) ? PutResult.CREATED : result;
  }

  private void hide(String key) {
    hiddenFromLists.putIfAbsent(key, does(Misbehavior.LISTS_LATE) ? LATE_CALLS : 0);
    hiddenFromReads.putIfAbsent(key, does(Misbehavior.SHOWS_LATE) ? LATE_CALLS : 0);
  }

  private static boolean stillHidden(Map<String, Integer> hidden, String key) {
    Integer left = hidden.computeIfPresent(key, (_, calls) -> Math.max(-1, calls - 1));
    return left != null && left >= 0;
  }

  @Override
  public SegmentUpload beginSegment(String key) throws DestinationException {
    deny(Misbehavior.DENIES_CREATE, "put", key);
    return new Upload(key, real().beginSegment(actual(key)));
  }

  /** An upload that collects the pieces and puts them as a whole, with the misbehavior of a put. */
  private final class Upload implements SegmentUpload {
    private final String key;
    private final SegmentUpload unused;
    private final ByteArrayOutputStream content = new ByteArrayOutputStream();
    private boolean over;

    Upload(String key, SegmentUpload unused) {
      this.key = key;
      this.unused = unused;
    }

    private void requireOpen() {
      if (over) {
        throw new IllegalStateException(key + " is committed or closed");
      }
    }

    @Override
    public void write(ByteBuffer piece) throws DestinationException {
      requireOpen();
      byte[] copy = new byte[piece.remaining()];
      piece.get(piece.position(), copy);
      content.writeBytes(copy);
      if (does(Misbehavior.SHOWS_UNCOMMITTED)) {
        real().putObject(actual(key), content.toByteArray());
      }
    }

    @Override
    public PutResult commit() throws DestinationException {
      requireOpen();
      over = true;
      return putSegment(key, ByteBuffer.wrap(content.toByteArray()));
    }

    @Override
    public void close() throws DestinationException {
      over = true;
      unused.close();
    }
  }

  @Override
  public InputStream read(String key, long offsetBytes, long lengthBytes)
      throws DestinationException {
    deny(Misbehavior.DENIES_READ, "read", key);
    if (stillHidden(hiddenFromReads, key)) {
      throw new NoSuchObjectException(uri(), key);
    }
    try {
      if (does(Misbehavior.IGNORES_RANGES)) {
        return real().read(actual(key), 0, Long.MAX_VALUE);
      }
      InputStream stream = real().read(actual(key), offsetBytes, lengthBytes);
      reads.incrementAndGet();
      return stream;
    } catch (NoSuchObjectException e) {
      if (does(Misbehavior.HIDES_ABSENCE)) {
        throw new TransientDestinationException(uri(), "read", key, "not now", "A test did it.", e);
      }
      throw e;
    }
  }

  @Override
  public Listing list(String prefix, Optional<String> afterKey, int maxEntries)
      throws DestinationException {
    deny(Misbehavior.DENIES_LIST, "list", prefix);
    if (does(Misbehavior.IGNORES_AFTER)) {
      return real().list(prefix, Optional.empty(), maxEntries);
    }
    if (does(Misbehavior.IGNORES_PREFIX)) {
      return real().list("", afterKey, maxEntries);
    }
    if (does(Misbehavior.ORDERS_BY_UTF_16)) {
      return listByUtf16(prefix, afterKey, maxEntries);
    }
    Listing page = real().list(prefix, afterKey, maxEntries);
    List<Entry> seen =
        page.entries().stream().filter(e -> !stillHidden(hiddenFromLists, e.key())).toList();
    return new Listing(seen, page.more() && !seen.isEmpty());
  }

  private Listing listByUtf16(String prefix, Optional<String> afterKey, int maxEntries)
      throws DestinationException {
    List<Entry> all =
        real().list(prefix, Optional.empty(), Integer.MAX_VALUE).entries().stream()
            .sorted(Comparator.comparing(Entry::key))
            .filter(entry -> afterKey.isEmpty() || entry.key().compareTo(afterKey.get()) > 0)
            .toList();
    int length = Math.min(maxEntries, all.size());
    return new Listing(all.subList(0, length), length < all.size());
  }

  @Override
  public void putObject(String key, byte[] content) throws DestinationException {
    deny(Misbehavior.DENIES_CREATE, "put", key);
    if (does(Misbehavior.DENIES_REPLACE) && isThere(key)) {
      deny(Misbehavior.DENIES_REPLACE, "put", key);
    }
    if (does(Misbehavior.TEARS_REPLACEMENTS)) {
      real().putObject(actual(key), Arrays.copyOf(content, content.length / 2));
      awaitARead();
    }
    real().putObject(actual(key), content);
    hide(key);
  }

  /** Waits until somebody has opened an object, but not for long, since perhaps nobody does. */
  private void awaitARead() {
    long before = reads.get();
    long startNanos = System.nanoTime();
    while (reads.get() == before && System.nanoTime() - startNanos < TORN_NANOS) {
      Thread.onSpinWait();
    }
  }

  private boolean isThere(String key) throws DestinationException {
    try {
      real().read(actual(key), 0, 0).close();
      return true;
    } catch (NoSuchObjectException e) {
      return false;
    } catch (DestinationException e) {
      throw e;
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void delete(String key) throws DestinationException {
    deny(Misbehavior.DENIES_DELETE, "delete", key);
    if (!does(Misbehavior.KEEPS_DELETED)) {
      real().delete(actual(key));
      hiddenFromLists.remove(key);
      hiddenFromReads.remove(key);
    }
  }
}
