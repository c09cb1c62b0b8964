package dev.tailwater.destination.s3;

import dev.tailwater.destination.ObjectKeys;
import dev.tailwater.destination.PutResult;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import software.amazon.awssdk.services.s3.model.S3Exception;

/**
 * Puts that never replace an object, on servers with and without support for {@code If-None-Match:
 * *}.
 *
 * <p>Some servers refuse the header with 501, and some ignore it, which would silently replace an
 * object. So the first put is preceded by a probe, which puts an object of its own twice with the
 * header. If the object exists from an earlier start, the first answer is 412 already, and the
 * probe costs one request.
 *
 * <p>If the server does not support the header, a HEAD precedes each PUT. Another machine may put
 * the same key in between; by the archive's naming rules it then puts the same bytes.
 *
 * <p>Thread-safe.
 */
final class CreateOnly {
  private static final String PROBE_KEY = ObjectKeys.RESERVED + "/create-only";
  private static final byte[] PROBE_CONTENT =
      "Put here twice to learn whether the server keeps what is there. It can be removed.\n"
          .getBytes(StandardCharsets.UTF_8);
  private static final int STRIPES = 64;
  private static final int CONFLICT_TRIES = 6;
  private static final int PRECONDITION_FAILED = 412;
  private static final int FORBIDDEN = 403;

  private enum Server {
    UNKNOWN,
    SUPPORTS_HEADER,
    LACKS_HEADER
  }

  private final S3Requests requests;
  private final String probeKey;
  private final ReentrantLock probing = new ReentrantLock();
  private final ReentrantLock[] stripes = new ReentrantLock[STRIPES];
  private final boolean locks;
  private volatile Server server;

  CreateOnly(S3Requests requests, S3Place place) {
    this.requests = requests;
    this.probeKey = place.keyPrefix() + PROBE_KEY;
    this.locks = place.newObjects().retention().isPresent();
    this.server =
        switch (place.createOnly()) {
          case AUTO -> Server.UNKNOWN;
          case IF_NONE_MATCH -> Server.SUPPORTS_HEADER;
          case CHECK -> Server.LACKS_HEADER;
        };
    for (int i = 0; i < STRIPES; i++) {
      stripes[i] = new ReentrantLock();
    }
  }

  /** Creates the object unless it exists. Failures are those of {@link S3Requests}. */
  PutResult put(String key, BufferBody body) throws InterruptedException {
    if (server == Server.UNKNOWN) {
      probe();
    }
    return server == Server.SUPPORTS_HEADER
        ? (createIfAbsent(key, body, true) ? PutResult.CREATED : PutResult.ALREADY_EXISTS)
        : checkAndPut(key, body);
  }

  /**
   * A request that creates an object from uploaded parts. Failures are those of {@link
   * UploadRequests}.
   */
  interface Completion {
    void complete(boolean onlyIfAbsent);
  }

  /**
   * Creates the object of a multipart upload unless it exists. Sends a HEAD first on every server,
   * since some servers that support the header for a PUT ignore it here.
   */
  PutResult complete(String key, Completion completion) throws InterruptedException {
    if (server == Server.UNKNOWN) {
      probe();
    }
    ReentrantLock stripe = stripeOf(key);
    stripe.lockInterruptibly();
    try {
      if (exists(key)) {
        return PutResult.ALREADY_EXISTS;
      }
      completion.complete(server == Server.SUPPORTS_HEADER);
      return PutResult.CREATED;
    } catch (S3Exception e) {
      if (e.statusCode() != PRECONDITION_FAILED) {
        throw e;
      }
      return PutResult.ALREADY_EXISTS;
    } finally {
      stripe.unlock();
    }
  }

  private boolean exists(String key) {
    try {
      requests.head(key);
      return true;
    } catch (S3Exception e) {
      if (e.statusCode() != 404) {
        throw e;
      }
      return false;
    }
  }

  /**
   * Returns the lock for a key. It prevents other threads of this process from putting the key
   * between the check and the put.
   */
  private ReentrantLock stripeOf(String key) {
    return stripes[Math.floorMod(key.hashCode(), STRIPES)];
  }

  private void probe() throws InterruptedException {
    probing.lockInterruptibly();
    try {
      if (server != Server.UNKNOWN) {
        return;
      }
      BufferBody text = BufferBody.of(ByteBuffer.wrap(PROBE_CONTENT));
      boolean replaced = createIfAbsent(probeKey, text, false);
      if (replaced) { // Or created: the second put shows which.
        replaced = createIfAbsent(probeKey, text, false);
      }
      server = replaced ? Server.LACKS_HEADER : Server.SUPPORTS_HEADER;
    } catch (S3Exception e) {
      if (e.statusCode() != 501) {
        throw e;
      }
      server = Server.LACKS_HEADER;
    } finally {
      probing.unlock();
    }
  }

  /** Puts the object; returns false if it existed. */
  private boolean createIfAbsent(String key, BufferBody body, boolean retained)
      throws InterruptedException {
    for (int tries = 1; ; tries++) {
      try {
        requests.put(key, body, true, retained);
        return true;
      } catch (S3Exception e) {
        if (e.statusCode() == PRECONDITION_FAILED) {
          return false;
        }
        if (retained && e.statusCode() == FORBIDDEN && isLockedThere(key)) {
          return false;
        }
        // Another put of this key is in progress; the retry sees its outcome.
        if (!Failures.code(e).equals("ConditionalRequestConflict") || tries == CONFLICT_TRIES) {
          throw e;
        }
        TimeUnit.MILLISECONDS.sleep(20L << tries);
      }
    }
  }

  /**
   * Returns whether a put was refused since there is an object that is locked. Some servers look at
   * the lock first, and answer 403 where others answer 412.
   */
  private boolean isLockedThere(String key) {
    if (!locks) {
      return false;
    }
    try {
      return exists(key);
    } catch (S3Exception e) {
      return false; // It may not be asked, so the refusal of the put is reported.
    }
  }

  private PutResult checkAndPut(String key, BufferBody body) throws InterruptedException {
    ReentrantLock stripe = stripeOf(key);
    stripe.lockInterruptibly();
    try {
      if (exists(key)) {
        return PutResult.ALREADY_EXISTS;
      }
      requests.put(key, body, false, true);
      return PutResult.CREATED;
    } finally {
      stripe.unlock();
    }
  }
}
