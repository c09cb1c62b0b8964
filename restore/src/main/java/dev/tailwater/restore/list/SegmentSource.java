package dev.tailwater.restore.list;

import dev.tailwater.archive.ArchiveException;
import dev.tailwater.archive.NoIdentityException;
import dev.tailwater.archive.NotAuthenticException;
import dev.tailwater.archive.age.ContentStanza;
import dev.tailwater.archive.header.SegmentHeader;
import dev.tailwater.archive.manifest.PackFront;
import dev.tailwater.archive.name.ArchiveObject;
import dev.tailwater.archive.name.PackName;
import dev.tailwater.archive.open.OpenedPack;
import dev.tailwater.archive.open.PackOpener;
import dev.tailwater.archive.open.SegmentOpener;
import dev.tailwater.archive.pack.PackedRange;
import dev.tailwater.archive.sign.FrameSignature;
import dev.tailwater.archive.sign.RecordSignature;
import dev.tailwater.archive.sign.Trust;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.NoSuchObjectException;
import dev.tailwater.restore.PackedAt;
import dev.tailwater.restore.ReadOptions;
import dev.tailwater.restore.RestoreProgress;
import dev.tailwater.restore.Retry;
import dev.tailwater.restore.StoredSegment;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** A reader of the segments and small objects of one archive. Thread-safe. */
public final class SegmentSource {
  /** The header of a segment lies within so many bytes of its object's beginning. */
  private static final int HEAD_BYTES = 8 * 1024;

  /** The same for an encrypted one: the age header and the first chunk of what it encrypts. */
  private static final int ENCRYPTED_HEAD_BYTES = 128 * 1024;

  /** How often a stream is listed again before an object that is gone counts as lost. */
  public static final int MAX_LISTINGS = 5;

  /** The largest size of an object that is no segment; a larger one is not believed. */
  static final int MAX_RECORD_BYTES = 4 * 1024 * 1024;

  private final Destination destination;
  private final ReadOptions options;
  private final Retry retry;
  private final PackReader packs;
  private final PackRelisting relisting;

  public SegmentSource(Destination destination, ReadOptions options) {
    this.destination = destination;
    this.options = options;
    this.retry = new Retry(options.retry(), options.random());
    this.packs = new PackReader(destination);
    this.relisting = new PackRelisting(this::listPacks);
  }

  /** Whether segments that are not encrypted are refused. */
  public boolean refusesPlain() {
    return options.refusesPlain();
  }

  /** The moment as of which the archive is read. */
  public long atMillis() {
    return options.atMillis();
  }

  /** Whether the archive is read as it was at an earlier moment. */
  boolean isOfMoment() {
    return options.atMillis() != ReadOptions.NOW;
  }

  /** When a segment was sealed. */
  enum Sealed {
    BY_THEN,
    LATER,
    /** Parts of it may have been sealed by then. */
    UNTOLD
  }

  /**
   * Returns whether a segment was sealed by the moment as of which the archive is read. Of one that
   * no identity opens, the time of its delivery counts.
   *
   * @throws ArchiveException it is damaged
   */
  Sealed sealed(ArchivedStream stream, StoredSegment segment) throws IOException {
    if (!isOfMoment() || segment.pack().isPresent()) {
      return Sealed.BY_THEN; // Later ranges of packs were never listed.
    }
    try {
      SegmentHeader header = header(stream, segment);
      if (header.sealedAtMillis() <= atMillis()) {
        return Sealed.BY_THEN;
      }
      boolean early = header.merged() && Moments.mayHaveBegun(stream.id(), atMillis());
      return early ? Sealed.UNTOLD : Sealed.LATER;
    } catch (NoIdentityException e) {
      return segment.modifiedMillis() <= atMillis() ? Sealed.BY_THEN : Sealed.LATER;
    }
  }

  /** How many identities there are. */
  public int identities() {
    return options.identities().size();
  }

  public Retry retry() {
    return retry;
  }

  /**
   * Opens a segment once, without trying again: its raw bytes go where the caller says as they
   * come, before it is known that all are right.
   *
   * @throws DestinationException it could not be read
   * @throws dev.tailwater.archive.ArchiveException it was read, and is damaged or cannot be opened
   * @throws IOException the raw bytes could not be written
   */
  public SegmentHeader open(ArchivedStream stream, StoredSegment segment, OutputStream raw)
      throws IOException {
    if (segment.pack().isPresent()) {
      OpenedPack pack = segment.pack().get().pack();
      NotedOutput noted = new NotedOutput(raw);
      try {
        packs.read(segment.pack().get(), noted);
      } catch (ArchiveException e) {
        throw refutedOr(e, pack, noted.hasWritten());
      } catch (IOException e) {
        IOException found = unwrapped(e);
        if (found instanceof NoSuchObjectException) {
          relisting.noteGone(pack.name());
        }
        throw found;
      }
      return headerOf(stream, segment.pack().get());
    }
    ArchiveObject.Segment name = stream.objectOf(segment);
    try (InputStream object =
        new ListedBytes(
            destination.read(name.key(), 0, Long.MAX_VALUE),
            destination.uri(),
            name.key(),
            segment.objectBytes())) {
      return new SegmentOpener(trust()).open(name, object, options.identities(), raw);
    } catch (IOException e) {
      throw unwrapped(e);
    }
  }

  private Trust trust() {
    return options.authenticity().trust();
  }

  /** Reads only the header of a segment; throws what {@link #open} throws. */
  public SegmentHeader header(ArchivedStream stream, StoredSegment segment) throws IOException {
    if (segment.pack().isPresent()) {
      return headerOf(stream, segment.pack().get());
    }
    ArchiveObject.Segment name = stream.objectOf(segment);
    int length = segment.encrypted() ? ENCRYPTED_HEAD_BYTES : HEAD_BYTES;
    return retry.call(
        () -> {
          byte[] tail = tail(name, segment.objectBytes());
          try (InputStream object = destination.read(name.key(), 0, length)) {
            return new SegmentOpener(trust()).openHeader(name, object, options.identities(), tail);
          } catch (IOException e) {
            throw unwrapped(e);
          }
        });
  }

  /** Reads the end of a plain segment, where its signature is; nothing if none is checked. */
  private byte[] tail(ArchiveObject.Segment name, long objectBytes) throws IOException {
    if (name.encrypted() || !trust().isChecked()) {
      return new byte[0];
    }
    int length = (int) Math.min(objectBytes, FrameSignature.segmentBytes(name.gzip()));
    try (InputStream object = destination.read(name.key(), objectBytes - length, length)) {
      return object.readNBytes(length);
    } catch (IOException e) {
      throw unwrapped(e);
    }
  }

  /** What the directory of a pack says of a range, as the header of a segment would say it. */
  private static SegmentHeader headerOf(ArchivedStream stream, PackedAt at) {
    PackedRange range = at.range();
    return new SegmentHeader(
        SegmentHeader.VERSION,
        stream.agent(),
        stream.id(),
        range.range(),
        stream.path(),
        at.sealedAtMillis(),
        range.modificationTimeNanos(),
        at.permissions(),
        range.rawCrc32c(),
        false,
        at.owner(),
        OptionalLong.empty());
  }

  /** Whether the directories of packs are read in manifests, where these have them. */
  boolean usesManifests() {
    return !relisting.hasRefuted();
  }

  /**
   * Opens a pack by a copy of its front. The copy may be anybody's, so its signature counts as that
   * of the pack itself does.
   *
   * @throws NotAuthenticException it has none that counts; this is not noted, for the pack may have
   */
  OpenedPack open(PackFront front) throws IOException {
    return new PackOpener(trust()).open(front.name(), front.read(), options.identities());
  }

  /** Notes something that has no signature that counts. */
  void note(NotAuthenticException refusal) {
    options.authenticity().note(refusal);
  }

  /**
   * Returns whether a pack itself has another directory than the manifest that it was opened by.
   */
  public boolean isRefuted(OpenedPack repeated) throws IOException {
    OpenedPack own = pack(repeated.name());
    return !own.directory().equals(repeated.directory())
        || own.objectBytes() != repeated.objectBytes();
  }

  /**
   * Returns what takes the place of a failure to read a pack: if its directory is not the one that
   * it was opened by, the pack must be listed again, and manifests are not believed any more.
   *
   * @param written whether bytes of the range have been written, which nobody can take back
   */
  private IOException refutedOr(ArchiveException failure, OpenedPack pack, boolean written)
      throws IOException {
    if (written || !isRefuted(pack)) {
      return failure;
    }
    relisting.noteRefuted(pack.name());
    return new NoSuchObjectException(destination.uri(), pack.name().key());
  }

  /** Reads the directory of a pack. */
  public OpenedPack pack(PackName name) throws IOException {
    return retry.call(
        () -> {
          try (InputStream object = destination.read(name.key(), 0, PackOpener.wantedBytes(name))) {
            return new PackOpener(trust()).open(name, object, options.identities());
          } catch (IOException e) {
            throw unwrapped(e);
          }
        });
  }

  /**
   * Compares a segment with bytes, by what its object states about its content; with an identity,
   * by the header that it encrypts.
   *
   * @param rawCrc32c CRC-32C of the bytes; empty if there are fewer than the segment has
   */
  public Comparison compare(ArchivedStream stream, StoredSegment segment, OptionalInt rawCrc32c)
      throws IOException {
    if (segment.pack().isPresent() || !segment.encrypted() || identities() > 0) {
      try {
        return Comparison.of(header(stream, segment), rawCrc32c);
      } catch (ArchiveException e) {
        if (!segment.encrypted()) {
          return Comparison.of(Sameness.UNKNOWN);
        }
        // Encrypted to somebody else, or damaged: it may still state something.
      }
    }
    ArchiveObject.Segment name = stream.objectOf(segment);
    byte[] head = retry.call(() -> firstBytes(name.key(), HEAD_BYTES));
    Optional<ContentStanza> stated =
        new SegmentOpener(trust())
            .peekContent(name, head)
            .filter(content -> content.isComparable(options.contentKey()));
    if (stated.isEmpty()) {
      return Comparison.of(Sameness.UNKNOWN);
    }
    return Comparison.of(
        Sameness.of(
            rawCrc32c.isPresent()
                && stated
                    .get()
                    .matches(name.stream(), rawCrc32c.getAsInt(), options.contentKey())));
  }

  /**
   * How a segment compares with some bytes.
   *
   * @param header that of the segment, where it could be read
   */
  public record Comparison(Sameness sameness, Optional<SegmentHeader> header) {
    private static Comparison of(SegmentHeader header, OptionalInt rawCrc32c) {
      boolean same = rawCrc32c.isPresent() && rawCrc32c.getAsInt() == header.rawCrc32c();
      return new Comparison(Sameness.of(same), Optional.of(header));
    }

    private static Comparison of(Sameness sameness) {
      return new Comparison(sameness, Optional.empty());
    }
  }

  /** Whether a segment and some bytes are the same. */
  public enum Sameness {
    SAME,
    DIFFERENT,
    /** The object states nothing that can be compared. */
    UNKNOWN;

    private static Sameness of(boolean same) {
      return same ? SAME : DIFFERENT;
    }
  }

  /**
   * Reads a small object as a whole.
   *
   * @throws OversizedException it is longer than {@link #MAX_RECORD_BYTES}
   */
  byte[] small(String key) throws IOException {
    byte[] bytes = retry.call(() -> firstBytes(key, MAX_RECORD_BYTES + 1));
    if (bytes.length > MAX_RECORD_BYTES) {
      throw new OversizedException();
    }
    return bytes;
  }

  /**
   * Reads an object as a whole.
   *
   * @param objectBytes its length, as it was listed
   */
  byte[] whole(String key, long objectBytes) throws IOException {
    return retry.call(
        () -> {
          try (InputStream object =
              new ListedBytes(
                  destination.read(key, 0, objectBytes), destination.uri(), key, objectBytes)) {
            return object.readAllBytes();
          } catch (IOException e) {
            throw unwrapped(e);
          }
        });
  }

  /**
   * Reads a record of an agent as a whole.
   *
   * @throws OversizedException it is longer than {@link #MAX_RECORD_BYTES}
   * @throws dev.tailwater.archive.NotAuthenticException it has no signature that counts
   */
  byte[] record(String key, String agent) throws IOException {
    byte[] json = small(key);
    try {
      trust().requireRecord(key, agent, json);
      return json;
    } catch (IOException e) {
      throw unwrapped(e);
    }
  }

  /** Returns when a record was signed, if signatures are checked. */
  OptionalLong signedAtMillis(byte[] json) {
    return isChecked()
        ? RecordSignature.find(json)
            .map(found -> OptionalLong.of(found.signature().atMillis()))
            .orElse(OptionalLong.empty())
        : OptionalLong.empty();
  }

  /** Whether signatures are checked. */
  boolean isChecked() {
    return trust().isChecked();
  }

  /**
   * Lists a stream again and returns it with the new segments beside the known ones: while somebody
   * reads, short segments are merged into longer ones and deleted.
   */
  public ArchivedStream relisted(ArchivedStream stream) throws IOException {
    ArchivedStream now = stream;
    ArchiveLister lister = new ArchiveLister(destination, retry, RestoreProgress.none());
    for (ListedStream listed : lister.list(stream.prefix()).streams()) {
      now = now.withSegments(sealedByThen(now, listed.segments()));
    }
    return relisting.withPacksOf(now, stream);
  }

  private List<StoredSegment> sealedByThen(ArchivedStream stream, List<StoredSegment> segments)
      throws IOException {
    List<StoredSegment> counting = new ArrayList<>();
    for (StoredSegment segment : segments) {
      try {
        if (sealed(stream, segment) == Sealed.BY_THEN) {
          counting.add(segment);
        }
      } catch (ArchiveException e) {
        counting.add(segment); // Whoever needs its bytes reports it.
      }
    }
    return counting;
  }

  /** Returns what the packs of an agent hold, by stream. */
  Map<String, List<StoredSegment>> listPacks(String agent) throws IOException {
    ArchiveLister lister = new ArchiveLister(destination, retry, RestoreProgress.none());
    lister.list(PackName.prefix(agent)).readPacks(this, options.jobs());
    Map<String, List<StoredSegment>> segments = new HashMap<>();
    for (ListedStream listed : lister.streams()) {
      segments.put(listed.name.prefix(), listed.segments());
    }
    return segments;
  }

  private byte[] firstBytes(String key, int lengthBytes) throws IOException {
    try (InputStream object = destination.read(key, 0, lengthBytes)) {
      return object.readNBytes(lengthBytes);
    }
  }

  /**
   * Finds the exception of the destination: a stream on the way may have wrapped it. Notes what has
   * no signature that counts.
   */
  private IOException unwrapped(IOException e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof DestinationException found) {
        return found;
      }
      if (cause instanceof NotAuthenticException refusal) {
        note(refusal);
      }
    }
    return e;
  }

  /** Knows whether anything was written to a stream. For one thread. */
  private static final class NotedOutput extends FilterOutputStream {
    private boolean written;

    NotedOutput(OutputStream out) {
      super(out);
    }

    @Override
    public void write(int b) throws IOException {
      written = true;
      out.write(b);
    }

    @Override
    public void write(byte[] bytes, int from, int lengthBytes) throws IOException {
      written |= lengthBytes > 0;
      out.write(bytes, from, lengthBytes);
    }

    boolean hasWritten() {
      return written;
    }
  }

  /** A record that is too long to be one. */
  static final class OversizedException extends IOException {
    private static final long serialVersionUID = 1L;

    OversizedException() {
      super("longer than " + MAX_RECORD_BYTES + " bytes");
    }
  }
}
