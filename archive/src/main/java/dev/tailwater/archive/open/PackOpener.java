package dev.tailwater.archive.open;

import dev.tailwater.archive.DamagedSegmentException;
import dev.tailwater.archive.NoIdentityException;
import dev.tailwater.archive.NotAuthenticException;
import dev.tailwater.archive.ObjectInput;
import dev.tailwater.archive.UnsupportedFormatException;
import dev.tailwater.archive.age.AgeHeaderReader;
import dev.tailwater.archive.age.AgeInput;
import dev.tailwater.archive.age.AgeStanza;
import dev.tailwater.archive.age.ContentKey;
import dev.tailwater.archive.age.DirectoryStanza;
import dev.tailwater.archive.age.HeaderSignature;
import dev.tailwater.archive.age.Identity;
import dev.tailwater.archive.header.HeaderEnvelope;
import dev.tailwater.archive.name.PackName;
import dev.tailwater.archive.pack.PackDirectory;
import dev.tailwater.archive.pack.PackDirectoryFormat;
import dev.tailwater.archive.sign.FrameSignature;
import dev.tailwater.archive.sign.Trust;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Opens packs: finds their directory, and through it single ranges. Objects may be hostile: memory
 * use is bounded by the length of the front that the name states, and by what a directory may hold
 * ({@link PackDirectoryFormat#MAX_CONTENT_BYTES}, {@link PackDirectory#MAX_ENTRIES}). The densest
 * one that was made, with 62 MB of content, is read with a heap of 512 MiB. Stateless and
 * thread-safe.
 */
public final class PackOpener {
  private static final int PREFIX_BYTES = 8;

  private final Trust trust;

  /** Creates an opener that does not check signatures. */
  public PackOpener() {
    this(Trust.none());
  }

  /** Creates an opener that opens only packs with a signature that is trusted. */
  public PackOpener(Trust trust) {
    this.trust = trust;
  }

  /** Returns how many bytes of an object, from its beginning, {@link #open} wants to see. */
  public static int wantedBytes(PackName name) {
    // One more than the front: whether a chunk is the last one shows only behind it.
    return name.frontBytes() + 1;
  }

  /**
   * Reads the directory.
   *
   * @param object the first {@link #wantedBytes} of the object, or more; not closed
   * @param identities private keys to try; may be empty for packs that are not encrypted
   * @throws DamagedSegmentException if the object is not what a sealer wrote under this name
   * @throws NoIdentityException if the object is encrypted and no identity fits
   * @throws UnsupportedFormatException if the object was written by a newer version
   * @throws dev.tailwater.archive.NotAuthenticException if the object has no trusted signature
   */
  public OpenedPack open(PackName name, InputStream object, List<Identity> identities)
      throws IOException {
    ObjectInput in = new ObjectInput(object, name.key());
    if (!name.encrypted()) {
      return openPlain(name, in);
    }
    AgeInput decrypted =
        AgeInput.open(in, identities, name.frontBytes(), found -> requireTrusted(name, found));
    byte[] bytes = directory(decrypted, in, name);
    return new OpenedPack(
        name,
        decode(bytes, name),
        PREFIX_BYTES + bytes.length,
        Optional.of(new OpenedPack.Payload(decrypted.payloadKey(), decrypted.payloadAt())),
        Optional.empty(),
        decrypted.signature().signature().isPresent());
  }

  private OpenedPack openPlain(PackName name, ObjectInput in) throws IOException {
    byte[] bytes = directory(in, in, name);
    int directoryBytes = PREFIX_BYTES + bytes.length;
    Optional<FrameSignature> signature = signature(name, in, directoryBytes);
    if (trust.isChecked()) {
      FrameSignature found =
          signature.orElseThrow(
              () -> new NotAuthenticException(name.key(), true, "it is not signed"));
      trust.require(
          name.key(),
          name.id().agent(),
          kind(name),
          Optional.of(found.signature()),
          found.statement(name.subject(), HeaderEnvelope.wrap(bytes, false)));
    }
    return new OpenedPack(
        name,
        decode(bytes, name),
        signature.isPresent() ? name.frontBytes() : directoryBytes,
        Optional.empty(),
        signature.filter(_ -> trust.isChecked()).map(FrameSignature::digests),
        signature.isPresent());
  }

  /** Reads what the front of a pack holds behind the directory. */
  private static Optional<FrameSignature> signature(
      PackName name, ObjectInput in, int directoryBytes) throws IOException {
    int leftBytes = name.frontBytes() - directoryBytes;
    if (leftBytes <= 0) {
      return Optional.empty();
    }
    Optional<FrameSignature> found = FrameSignature.decode(in.readNBytes(leftBytes), false);
    if (found.isEmpty()) {
      throw in.damagedAt(directoryBytes, "something that is no signature follows the directory");
    }
    return found;
  }

  private static Trust.Kind kind(PackName name) {
    return name.id().isMerged() ? Trust.Kind.MERGED : Trust.Kind.OF_AGENT;
  }

  private static byte[] directory(InputStream content, ObjectInput object, PackName name)
      throws IOException {
    ByteBuffer prefix =
        ByteBuffer.wrap(content.readNBytes(PREFIX_BYTES)).order(ByteOrder.LITTLE_ENDIAN);
    if (prefix.remaining() < PREFIX_BYTES || prefix.getInt() != HeaderEnvelope.SKIPPABLE_MAGIC) {
      throw object.damagedAt(0, "does not begin with a directory in a skippable frame");
    }
    long length = Integer.toUnsignedLong(prefix.getInt());
    if (length > name.frontBytes()) {
      throw object.damagedAt(0, "the directory is longer than the name states");
    }
    byte[] bytes = content.readNBytes((int) length);
    if (bytes.length < length) {
      throw object.damaged("ends within the directory");
    }
    return bytes;
  }

  private static PackDirectory decode(byte[] bytes, PackName name) throws IOException {
    return PackDirectoryFormat.decode(bytes, name.id(), name.key(), 0);
  }

  /**
   * Reads the directory of a pack that this agent delivered, without a private key. Units and
   * modification times are not in it where the pack is encrypted.
   *
   * @param object the first {@link #wantedBytes} of the object, or more; not closed
   * @param key the key that the pack was made with
   * @return of a pack that somebody else has merged, the directories of those that it was merged
   *     of, in their order, without the first ones if these were made with another key: an agent
   *     that has lost its key begins anew behind them; empty if the last one was made with another
   *     key, or the pack states nothing
   * @throws DamagedSegmentException if the object is not what a sealer wrote under this name
   * @throws dev.tailwater.archive.NotAuthenticException if the object has no trusted signature;
   *     this is told before the version is looked at
   * @throws UnsupportedFormatException if the object was written by a newer version
   */
  public List<PackDirectory> openForAgent(
      PackName name, InputStream object, Optional<ContentKey> key) throws IOException {
    if (!name.encrypted()) {
      return List.of(open(name, object, List.of()).directory());
    }
    List<AgeStanza> stanzas =
        trust.isChecked() ? trustedStanzas(name, object) : stanzasForAgent(name, object);
    if (key.isEmpty()) {
      return List.of();
    }
    List<PackDirectory> directories = new ArrayList<>();
    for (AgeStanza stanza : stanzas) {
      Optional<byte[]> bytes = DirectoryStanza.open(stanza, key.get());
      if (bytes.isPresent()) {
        directories.add(PackDirectoryFormat.decodePart(bytes.get(), name.id(), name.key(), 0));
      } else if (!directories.isEmpty()) {
        return List.of();
      }
    }
    directories.sort(
        Comparator.comparing((PackDirectory directory) -> directory.id().group())
            .thenComparingInt(directory -> directory.id().first()));
    return directories;
  }

  /** Returns the same stanzas of a header that a trusted key has signed. */
  private List<AgeStanza> trustedStanzas(PackName name, InputStream object) throws IOException {
    List<AgeStanza> stanzas = new ArrayList<>();
    requireTrusted(name, header(name, object, stanzas));
    return stanzas;
  }

  private void requireTrusted(PackName name, HeaderSignature found) throws NotAuthenticException {
    trust.require(
        name.key(),
        name.id().agent(),
        kind(name),
        found.signature(),
        found.statement(name.subject()));
  }

  /** Every version has its signature where version 1 has it; elsewhere, there is none. */
  private static HeaderSignature header(
      PackName name, InputStream object, List<AgeStanza> stanzasForAgent) throws IOException {
    try {
      return HeaderSignature.read(
          new ObjectInput(object, name.key()),
          name.frontBytes(),
          stanza -> {
            if (DirectoryStanza.isMeant(stanza)) {
              stanzasForAgent.add(stanza);
            }
          });
    } catch (UnsupportedFormatException e) {
      throw new NotAuthenticException(
          name.key(), true, "it states another version of age, and there it has no signature");
    }
  }

  /**
   * Returns the directories for the agent in the header of an encrypted pack, which whoever merges
   * it with others carries over.
   *
   * @param object the first {@link #wantedBytes} of the object, or more; not closed
   */
  public List<AgeStanza> stanzasForAgent(PackName name, InputStream object) throws IOException {
    ObjectInput in = new ObjectInput(object, name.key());
    AgeHeaderReader header = new AgeHeaderReader(in, name.frontBytes());
    header.readVersion();
    List<AgeStanza> stanzas = new ArrayList<>();
    for (Optional<AgeStanza> stanza = header.nextStanza();
        stanza.isPresent();
        stanza = header.nextStanza()) {
      if (DirectoryStanza.isMeant(stanza.get())) {
        stanzas.add(stanza.get());
      }
    }
    return stanzas;
  }
}
