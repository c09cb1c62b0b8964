package dev.tailwater.destination.hdfs;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.PermanentDestinationException;
import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * Hadoop's client for one destination, created by the first call. Translates every exception of
 * Hadoop into a {@link DestinationException}. Thread-safe.
 *
 * <p>The client does not use Hadoop's cache of file systems, whose shutdown hook would close it
 * while an agent drains.
 */
final class ClusterClient implements AutoCloseable {
  private final HdfsPlace place;
  private final ClientSettings settings;
  private final Failures failures;
  private final ReentrantLock opening = new ReentrantLock();
  private volatile Optional<Session> session = Optional.empty();

  /** The number of calls in progress. */
  @GuardedBy("this")
  private int callsInProgress;

  @GuardedBy("this")
  private boolean closed;

  private record Session(Login login, DistributedFileSystem files) {}

  ClusterClient(HdfsPlace place, TimeLimits limits) {
    this.place = place;
    this.settings = new ClientSettings(place, limits);
    this.failures = new Failures(place.uri());
  }

  /** A call to the cluster. */
  interface Call<T> {
    T run(DistributedFileSystem files) throws IOException;
  }

  /**
   * Makes a call.
   *
   * @param operation for messages
   * @param key for messages
   */
  <T> T call(String operation, String key, Call<T> call) throws DestinationException {
    begin(operation, key);
    try {
      return connected(operation, key, call);
    } finally {
      end();
    }
  }

  private synchronized void begin(String operation, String key) throws DestinationException {
    if (closed) {
      throw failures.closed(operation, key);
    }
    callsInProgress++;
  }

  private void end() {
    if (leaveAndCheckLast()) {
      try {
        release();
      } catch (IOException e) {
        // The call has succeeded, and nobody will use the client again.
      }
    }
  }

  private synchronized boolean leaveAndCheckLast() {
    callsInProgress--;
    return closed && callsInProgress == 0;
  }

  private <T> T connected(String operation, String key, Call<T> call) throws DestinationException {
    try {
      Session current = session();
      current.login.renew();
      try {
        return call.run(current.files);
      } catch (IOException e) {
        if (Failures.isAboutKerberos(e)) {
          current.login.renewAfterRefusal();
        }
        throw e;
      }
    } catch (DestinationException e) {
      throw e;
    } catch (IOException | RuntimeException e) {
      throw failures.of(operation, key, e);
    } catch (InterruptedException e) {
      throw failures.interrupted(operation, key, e);
    }
  }

  private Session session() throws IOException, InterruptedException {
    Optional<Session> known = session;
    if (known.isPresent()) {
      return known.get();
    }
    opening.lockInterruptibly();
    try {
      if (session.isEmpty()) {
        session = Optional.of(open());
      }
      return session.get();
    } finally {
      opening.unlock();
    }
  }

  private Session open() throws IOException, InterruptedException, PermanentDestinationException {
    Configuration configuration = settings.read();
    Login login = Login.in(place, configuration);
    return new Session(
        login,
        login
            .user()
            .doAs(
                (PrivilegedExceptionAction<DistributedFileSystem>)
                    () -> {
                      DistributedFileSystem files = new DistributedFileSystem();
                      files.initialize(place.fileSystem(), configuration);
                      return files;
                    }));
  }

  /**
   * Closes the client without waiting for calls: Hadoop's client would wait for each open file and
   * finish it, complete or not. The last call in progress closes the client.
   */
  @Override
  public void close() throws DestinationException {
    if (closeAndCheckIdle()) {
      try {
        release();
      } catch (IOException e) {
        throw failures.of("close", "", e);
      }
    }
  }

  private synchronized boolean closeAndCheckIdle() {
    boolean first = !closed;
    closed = true;
    return first && callsInProgress == 0;
  }

  private void release() throws IOException {
    Optional<Session> last = session;
    session = Optional.empty();
    if (last.isPresent()) {
      // Otherwise the client would finish uploads that are not committed.
      last.get().files.getClient().closeAllFilesBeingWritten(true);
      last.get().files.close();
    }
  }
}
