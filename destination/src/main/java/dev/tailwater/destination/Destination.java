package dev.tailwater.destination;

import java.io.InputStream;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * A place for the objects of archives: a flat, ordered map from keys to bytes.
 *
 * <p>{@link ObjectKeys} says which keys are legal. A call with an illegal key has no effect and
 * throws a {@link PermanentDestinationException}. Keys are ordered by the unsigned bytes of their
 * UTF-8 form.
 *
 * <p>Every method may block for as long as the storage takes. A virtual thread that blocks in a
 * system call keeps its carrier thread busy. Every failure is a {@link DestinationException}:
 * {@linkplain TransientDestinationException transient} if the same call may succeed later,
 * {@linkplain PermanentDestinationException permanent} if somebody has to do something first. After
 * a failed put or delete it is unknown whether the call took effect; the caller can always make the
 * same call again.
 *
 * <p>Thread-safe: any number of threads and processes, on any number of machines, may use the same
 * place at the same time. {@link #close} is called once. It may be called while other calls are
 * running, for example when one hangs and the process must end nevertheless. Such calls, and later
 * ones, usually fail.
 */
public interface Destination extends AutoCloseable {
  /** Returns the absolute URI, without secrets, for messages and for {@link Destinations#open}. */
  URI uri();

  /**
   * Returns limits and recommendations, without a call to the storage. They do not change during
   * the life of this object, except for an object that stands for a destination which is opened
   * later: it returns the recommendations of that destination once it is open.
   */
  Capabilities capabilities();

  /**
   * Creates an object that never changes afterwards.
   *
   * <p><em>Create-only:</em> if the key already has an object, that object stays unchanged,
   * whatever it contains. Of several simultaneous puts of one key, at most one creates the object.
   *
   * <p><em>Atomic:</em> at any moment, readers see the whole object or none, even if this process,
   * this machine or the storage stopped in the middle of the put.
   *
   * <p><em>Durable:</em> once this returns, with either result, the object survives a power loss of
   * this machine and whatever else the storage promises to survive. Every {@link #read} and {@link
   * #list} that starts afterwards sees it.
   *
   * @param content the bytes from position to limit, zero or more, at most {@link
   *     Capabilities#maxObjectBytes}; neither its bytes nor its position and limit are changed, and
   *     it is not used after the return
   * @return whether this call created the object or the key already had one
   */
  PutResult putSegment(String key, ByteBuffer content) throws DestinationException;

  /**
   * Begins an object that is too large to hold in memory and never changes afterwards. Nothing is
   * visible under its key before {@link SegmentUpload#commit}.
   *
   * <p>If the process stops first, the remains take up space but are never visible. Processes that
   * later open the destination for writing remove them once they are old.
   */
  SegmentUpload beginSegment(String key) throws DestinationException;

  /**
   * Opens a range of an object.
   *
   * <p>The stream ends where the range or the object ends, whichever comes first; a range that
   * starts at or after the end of the object gives an empty stream. The stream fails with a {@link
   * DestinationException} rather than end early. It returns the bytes of one version of the object,
   * never a mixture. A stream is for one thread at a time and must be closed; any number may be
   * open.
   *
   * @param offsetBytes 0 or more; an {@link IllegalArgumentException} otherwise
   * @param lengthBytes 0 or more; {@link Long#MAX_VALUE} for everything to the end
   * @throws NoSuchObjectException the key has no object; thrown here, not by the stream
   * @throws ColdObjectException the service must fetch the object first; thrown here, too
   */
  InputStream read(String key, long offsetBytes, long lengthBytes) throws DestinationException;

  /**
   * Lists the objects whose keys start with the prefix and come after the given key, in key order.
   *
   * <p>The list contains every object that exists during the whole call, up to the first {@code
   * maxEntries}; an object that is created or deleted during the call may or may not be listed.
   * Anything that is not an object of this interface (temporary files, symbolic links, foreign
   * names) is never listed.
   *
   * @param prefix of the whole key, not of its components: {@code a/b} also finds {@code a/bc/d}.
   *     An empty prefix finds all objects; a prefix that no legal key starts with finds none
   * @param afterKey lists only greater keys; it need not have an object or start with the prefix
   * @param maxEntries 1 or more (an {@link IllegalArgumentException} otherwise); a page may have
   *     fewer entries and still say {@link Listing#more}
   */
  Listing list(String prefix, Optional<String> afterKey, int maxEntries)
      throws DestinationException;

  /**
   * Creates or replaces a small object atomically: readers see either the old bytes or the new
   * ones. As durable as {@link #putSegment}. Of several simultaneous calls, any one may win.
   *
   * @param content zero or more bytes, neither changed nor used after the return
   */
  void putObject(String key, byte[] content) throws DestinationException;

  /**
   * Removes an object, if there is one. No {@link #read} or {@link #list} that starts after this
   * returns sees it. If the storage makes removals durable late, a power loss soon afterwards may
   * bring the object back, so callers must be able to remove it again. The same key can be put
   * again.
   */
  void delete(String key) throws DestinationException;

  /**
   * Removes what the storage itself keeps for a folder without objects, such as empty directories
   * of a file system. Does nothing for storage without folders.
   *
   * <p>Only for a folder that nobody else uses: a simultaneous put into it may fail with a
   * transient failure. Objects stay, and so do the folders that contain them. The folder need not
   * exist.
   *
   * @param folder a legal key, without a slash at its end
   */
  default void removeEmptyFolders(String folder) throws DestinationException {}

  /** Releases the resources of this client; the stored objects stay. */
  @Override
  void close() throws DestinationException;
}
