package dev.tailwater.destination;

import java.io.InputStream;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * A place for the objects of archives: a flat, ordered map from keys to bytes.
 *
 * <p>Keys are legal by {@link ObjectKeys}; an illegal one is a {@link
 * PermanentDestinationException} and nothing happens. Keys are ordered by the unsigned bytes of
 * their UTF-8 form.
 *
 * <p>Every method may block for as long as the storage takes, and where it does so in a system
 * call, a virtual thread keeps its carrier thread busy. Every failure is a {@link
 * DestinationException}: {@linkplain TransientDestinationException transient} when the same call
 * may well succeed later, {@linkplain PermanentDestinationException permanent} when somebody has to
 * do something first. After a failed put or delete it is unknown whether the call took effect;
 * making the same call again is always right.
 *
 * <p>Thread-safe: any number of threads and processes, on any number of machines, may use the same
 * place at the same time. {@link #close} may be called while other calls are running, as when one
 * hangs and the process is to end all the same: those, and calls that follow, end somehow, mostly
 * by a failure. It is called once.
 */
public interface Destination extends AutoCloseable {
  /** The place, absolute, without secrets: fit for messages and for {@link Destinations#open}. */
  URI uri();

  /**
   * Limits and recommendations; no call to the place. The same for the life of this object, but for
   * one that stands for a place that is reached later: that one recommends what its place does as
   * soon as it is reached.
   */
  Capabilities capabilities();

  /**
   * Creates an object that never changes afterwards.
   *
   * <p><em>Create-only:</em> when the key has an object already, that one stays untouched, whatever
   * it contains. Of several simultaneous puts of one key at most one creates it.
   *
   * <p><em>Atomic:</em> whoever reads or lists sees the whole object or none, at any moment, also
   * after this process, this machine or the storage was stopped in the middle.
   *
   * <p><em>Durable:</em> when this returns, by either result, the object under the key survives a
   * power cut on this machine and whatever else the storage promises to survive. It is seen by
   * every {@link #read} and {@link #list} that starts afterwards.
   *
   * @param content the bytes from position to limit, zero or more, at most {@link
   *     Capabilities#maxObjectBytes}; neither its bytes nor its position and limit are changed, and
   *     it is not used after the return
   * @return whether this call created the object, or it was there
   */
  PutResult putSegment(String key, ByteBuffer content) throws DestinationException;

  /**
   * Begins an object that never changes afterwards and has more bytes than one would hold in
   * memory. Nothing is seen under its key before {@link SegmentUpload#commit}.
   *
   * <p>What a stopped process leaves of it takes up space and is never seen; it is removed when it
   * is old by those that open the place to write.
   */
  SegmentUpload beginSegment(String key) throws DestinationException;

  /**
   * Opens a range of an object.
   *
   * <p>The stream ends where the range or the object ends, whichever comes first; so a range that
   * starts at or behind the end of the object is an empty stream. It fails with a {@link
   * DestinationException} rather than end early. It is for one thread at a time and must be closed;
   * any number may be open. It gives the bytes of one version of the object, never a mixture.
   *
   * @param offsetBytes 0 or more; an {@link IllegalArgumentException} otherwise
   * @param lengthBytes 0 or more; {@link Long#MAX_VALUE} for everything to the end
   * @throws NoSuchObjectException the key has no object; thrown here, not by the stream
   */
  InputStream read(String key, long offsetBytes, long lengthBytes) throws DestinationException;

  /**
   * The objects whose keys start with the prefix and come after the given key, in key order.
   *
   * <p>Objects that are there from the beginning to the end of the call are all there, up to the
   * first {@code maxEntries}; those created or deleted meanwhile may or may not be. What is not an
   * object of this interface (temporary files, symbolic links, foreign names) is never listed.
   *
   * @param prefix of the whole key, not of components: {@code a/b} also finds {@code a/bc/d}. Empty
   *     for all. A prefix that no legal key starts with finds nothing
   * @param afterKey only greater keys are listed; it need not have an object, nor the prefix
   * @param maxEntries 1 or more (an {@link IllegalArgumentException} otherwise); a page may have
   *     fewer entries and still say {@link Listing#more}
   */
  Listing list(String prefix, Optional<String> afterKey, int maxEntries)
      throws DestinationException;

  /**
   * Creates or replaces a small object, atomically: readers see the old bytes or the new ones.
   * Durable as {@link #putSegment} is. Of several simultaneous ones the last wins, whichever that
   * is.
   *
   * @param content zero or more bytes, not changed and not used after the return
   */
  void putObject(String key, byte[] content) throws DestinationException;

  /**
   * Removes an object; that there is none is fine. When this returns no {@link #read} or {@link
   * #list} that starts afterwards sees it. A power cut soon afterwards may bring it back where the
   * storage makes removals durable late, so callers must be able to remove it again; the same key
   * can be put again.
   */
  void delete(String key) throws DestinationException;

  /**
   * Removes what the storage itself keeps below a folder that has no objects any more: the empty
   * directories of a file system. Storage without folders has nothing to do.
   *
   * <p>Only for a folder that nobody else uses: a put into it at the same time may fail as if it
   * were transient. Where there still is an object, it stays, with the folders that it lies in.
   * That there is no such folder is fine.
   *
   * @param folder a legal key, without a slash at its end
   */
  default void removeEmptyFolders(String folder) throws DestinationException {}

  /** Releases what this object holds; the stored objects stay. */
  @Override
  void close() throws DestinationException;
}
