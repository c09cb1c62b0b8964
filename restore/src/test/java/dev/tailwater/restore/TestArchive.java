package dev.tailwater.restore;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.Codec;
import dev.tailwater.archive.FileOwner;
import dev.tailwater.archive.age.ContentKey;
import dev.tailwater.archive.age.Recipient;
import dev.tailwater.archive.name.ArchiveNames;
import dev.tailwater.archive.name.StreamId;
import dev.tailwater.archive.record.GapJson;
import dev.tailwater.archive.record.GapRecord;
import dev.tailwater.archive.record.StreamJson;
import dev.tailwater.archive.record.StreamRecord;
import dev.tailwater.archive.seal.SealedSegment;
import dev.tailwater.archive.seal.SegmentSealer;
import dev.tailwater.archive.sign.ObjectSigner;
import dev.tailwater.archive.sign.RecordSignature;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.retry.Backoff;
import dev.tailwater.destination.testkit.InMemoryDestination;
import dev.tailwater.io.FileIdentity;
import dev.tailwater.io.copy.StreamingCopy;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.restore.list.ArchiveIndex;
import dev.tailwater.restore.list.Selection;
import java.io.IOException;
import java.io.InputStream;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Writes archives with the real sealer, without an agent. */
public final class TestArchive {
  static final int PERMISSIONS = 0640;
  public static final long MODIFIED_NANOS = 1_700_000_000_123_456_789L;

  /** The key of the checks that encrypted segments state. */
  public static final ContentKey CONTENT_KEY = ContentKey.of(new byte[ContentKey.KEY_BYTES]);

  public final Destination destination;
  private final SecureRandom random = new SecureRandom();
  private Codec codec = new Codec.Zstd(1);
  private List<Recipient> recipients = List.of();
  Optional<ObjectSigner> signer = Optional.empty();
  private long sealedAtMillis = 1_700_000_000_000L;

  public TestArchive(Destination destination) {
    this.destination = destination;
  }

  public static TestArchive inMemory() {
    return new TestArchive(InMemoryDestination.create());
  }

  /** From here on. */
  public TestArchive with(Codec newCodec, List<Recipient> newRecipients) {
    codec = newCodec;
    recipients = newRecipients;
    return this;
  }

  /** Signs from here on. */
  TestArchive signedBy(ObjectSigner newSigner) {
    signer = Optional.of(newSigner);
    return this;
  }

  private void putRecord(String key, byte[] json) throws IOException {
    destination.putObject(
        key, signer.map(with -> RecordSignature.add(json, key, with)).orElse(json));
  }

  /** A stream of the agent {@code web-1}; later ones have later birth times. */
  public TestStream stream(String path, long birth) {
    return stream("web-1", PosixPath.of(path), birth, 0);
  }

  public TestStream stream(String agent, PosixPath path, long birth, int epoch) {
    FileIdentity identity =
        new FileIdentity(5, 1000 + birth, OptionalLong.of(1), OptionalLong.of(birth));
    return new TestStream(agent, path, StreamId.of(agent, identity, epoch));
  }

  /** A stream under an id that another one may have. */
  TestStream forged(String agent, PosixPath path, StreamId id) {
    return new TestStream(agent, path, id);
  }

  /** One stream of the archive. */
  public final class TestStream {
    final String agent;
    final PosixPath birthPath;
    public final StreamId id;
    final String prefix;
    public PosixPath path;
    public int permissions = PERMISSIONS;
    long modifiedNanos = MODIFIED_NANOS;
    public Optional<FileOwner> owner = Optional.empty();
    public OptionalLong arrivalNanos = OptionalLong.empty();

    public TestStream(String agent, PosixPath birthPath, StreamId id) {
      this.agent = agent;
      this.birthPath = birthPath;
      this.path = birthPath;
      this.id = id;
      this.prefix = ArchiveNames.streamPrefix(agent, birthPath, id);
    }

    /** Delivers a range of a file's contents; the object's key. */
    public String segment(byte[] contents, int start, int end) throws IOException {
      return segmentAt(start, Arrays.copyOfRange(contents, start, end));
    }

    public String segmentAt(long startBytes, byte[] raw) throws IOException {
      SealedSegment sealed = seal(startBytes, raw);
      destination.putSegment(sealed.key(), sealed.content());
      return sealed.key();
    }

    SealedSegment seal(long startBytes, byte[] raw) {
      try (SegmentSealer sealer =
          new SegmentSealer(
              codec, recipients, Optional.of(CONTENT_KEY), random, StreamingCopy.load(), signer)) {
        byte[] staging = new byte[sealer.stagingBytesFor(raw.length)];
        sealer.begin(staging, agent, id, prefix, startBytes);
        sealer.append(raw, 0, raw.length);
        sealedAtMillis += 1000;
        return sealer.finish(path, modifiedNanos, permissions, owner, arrivalNanos, sealedAtMillis);
      }
    }

    public TestStream gap(long start, long end, String reason) throws IOException {
      ByteRange range = new ByteRange(start, end);
      putRecord(
          ArchiveNames.gap(prefix, range),
          GapJson.write(new GapRecord(id, range, reason, sealedAtMillis)));
      return this;
    }

    public TestStream renamed(String newPath, long sizeBytes) throws IOException {
      return record(PosixPath.of(newPath), sizeBytes, Optional.empty());
    }

    /** Renamed at a time, milliseconds since 1970. */
    TestStream renamedAt(String newPath, long sinceMillis) throws IOException {
      sealedAtMillis = sinceMillis;
      return record(PosixPath.of(newPath), 0, Optional.empty());
    }

    /** Tells of an empty file that was never renamed. */
    TestStream told() throws IOException {
      StreamRecord record =
          new StreamRecord(
              id, birthPath, List.of(), Optional.empty(), 0, permissions, modifiedNanos);
      putRecord(ArchiveNames.streamObject(prefix), StreamJson.write(record));
      return this;
    }

    public TestStream record(PosixPath lastPath, long sizeBytes, Optional<StreamRecord.End> end)
        throws IOException {
      StreamRecord record =
          new StreamRecord(
              id,
              birthPath,
              List.of(new StreamRecord.KnownPath(lastPath, sealedAtMillis, arrivalNanos)),
              end,
              sizeBytes,
              permissions,
              modifiedNanos,
              false,
              owner);
      putRecord(ArchiveNames.streamObject(prefix), StreamJson.write(record));
      return this;
    }
  }

  /** Returns when the latest segment was sealed. */
  long latestMillis() {
    return sealedAtMillis;
  }

  /** Turns one byte of an object over. */
  public void damage(String key, int fromEnd) throws IOException {
    byte[] bytes;
    try (InputStream in = destination.read(key, 0, Long.MAX_VALUE)) {
      bytes = in.readAllBytes();
    }
    bytes[bytes.length - fromEnd] ^= 0x55;
    destination.putObject(key, bytes);
  }

  /** Cuts the end off an object. */
  void cutOff(String key, int count) throws IOException {
    try (InputStream in = destination.read(key, 0, Long.MAX_VALUE)) {
      byte[] bytes = in.readAllBytes();
      destination.putObject(key, Arrays.copyOf(bytes, bytes.length - count));
    }
  }

  public ArchiveIndex index(ReadOptions options) throws IOException {
    return ArchiveIndex.load(destination, Selection.everything(), options, RestoreProgress.none());
  }

  /** Impatient, so that tests are. */
  public static ReadOptions options() {
    return ReadOptions.defaults()
        .withJobs(3)
        .withRetry(new ReadAttempts(4, new Backoff(Duration.ZERO, Duration.ofMillis(1))));
  }
}
