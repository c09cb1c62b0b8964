package dev.tailwater.archive.seal;

import dev.tailwater.archive.age.AgeEncryption;
import dev.tailwater.archive.age.AgePayload;
import dev.tailwater.archive.age.AgeStanza;
import dev.tailwater.archive.age.ContentKey;
import dev.tailwater.archive.age.DirectoryStanza;
import dev.tailwater.archive.age.Recipient;
import dev.tailwater.archive.header.HeaderEnvelope;
import dev.tailwater.archive.name.PackName;
import dev.tailwater.archive.pack.PackDirectory;
import dev.tailwater.archive.pack.PackDirectoryFormat;
import dev.tailwater.archive.pack.PackUnit;
import dev.tailwater.archive.sign.FrameSignature;
import dev.tailwater.archive.sign.ObjectSigner;
import dev.tailwater.archive.sign.Statement;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Writes what comes before the units of a finished pack: its directory, with the signature and the
 * age header that the settings ask for. Not thread-safe.
 */
final class PackFrontWriter {
  private static final int ENVELOPE_BYTES = 8;

  private final Optional<AgeEncryption> age;
  private final Optional<ContentKey> contentKey;
  private final Optional<ObjectSigner> signer;
  private final SecureRandom random;

  /** The units of a pack, in an array with room for the front before them. */
  static final class Units {
    private final byte[] staging;
    private final int from;
    private final int end;

    Units(byte[] staging, int from, int end) {
      this.staging = staging;
      this.from = from;
      this.end = end;
    }
  }

  /**
   * Creates a writer.
   *
   * @param recipients the keys to encrypt to; empty for no encryption
   * @param contentKey the key under which the agent can read the directory again
   */
  PackFrontWriter(
      List<Recipient> recipients,
      Optional<ContentKey> contentKey,
      SecureRandom random,
      Optional<ObjectSigner> signer) {
    this.age =
        recipients.isEmpty()
            ? Optional.empty()
            : Optional.of(new AgeEncryption(recipients, random));
    this.contentKey = contentKey;
    this.signer = signer;
    this.random = random;
  }

  /** Returns how long the front can get, with a directory of this content and so many units. */
  int maxBytes(int contentBytes, int units, int payloadBytes, List<AgeStanza> carried) {
    int directory = ENVELOPE_BYTES + PackDirectoryFormat.OVERHEAD_BYTES + contentBytes;
    if (age.isEmpty()) {
      return directory + (signer.isPresent() ? FrameSignature.frameBytes(units) : 0);
    }
    int stanzas = contentKey.isPresent() ? DirectoryStanza.maxLengthBytes(directory) : 0;
    for (AgeStanza stanza : carried) {
      stanzas += DirectoryStanza.lengthBytes(stanza);
    }
    return directory + stanzas + age.get().maxFrontBytes() + AgePayload.overheadBytes(payloadBytes);
  }

  /**
   * Writes the front, and encrypts the units with it.
   *
   * @param carried directories for the agent that the header has beside that of this pack
   * @param keeper receives a copy of what the pack is without encryption
   */
  SealedPack write(
      Units units,
      PackDirectory directory,
      List<AgeStanza> carried,
      Optional<Consumer<PlainPack>> keeper) {
    byte[] frame = HeaderEnvelope.wrap(PackDirectoryFormat.encode(directory), false);
    int from = units.from - frame.length;
    System.arraycopy(frame, 0, units.staging, from, frame.length);
    int frontBytes = frame.length;
    if (keeper.isPresent()) {
      byte[] plain = Arrays.copyOfRange(units.staging, from, units.end);
      PackName name = new PackName(directory.id(), frame.length, false, folderOf(directory));
      keeper.get().accept(new PlainPack(name, plain));
    }
    if (age.isPresent()) {
      Optional<AgeEncryption.Signing> signing =
          signer.map(with -> new AgeEncryption.Signing(with, subject(directory)));
      from =
          age.get().encrypt(units.staging, from, units.end, stanzas(directory, carried), signing);
      frontBytes = frontOf(units, from, frame.length);
    } else if (signer.isPresent()) {
      byte[] signature = signature(units, directory, frame, signer.get());
      from -= signature.length;
      frontBytes += signature.length;
      System.arraycopy(frame, 0, units.staging, from, frame.length);
      System.arraycopy(signature, 0, units.staging, from + frame.length, signature.length);
    }
    PackName name = new PackName(directory.id(), frontBytes, age.isPresent(), folderOf(directory));
    return new SealedPack(name, directory, units.staging, from, units.end - from);
  }

  /** Returns the frame with the signature of a pack that is not encrypted. */
  private static byte[] signature(
      Units units, PackDirectory directory, byte[] frame, ObjectSigner with) {
    List<byte[]> digests = new ArrayList<>();
    int at = units.from;
    for (PackUnit unit : directory.units()) {
      int length = Math.toIntExact(unit.encodedBytes());
      digests.add(Statement.digest(units.staging, at, length));
      at += length;
    }
    return FrameSignature.sign(subject(directory), frame, digests, with).encode(false);
  }

  private static String subject(PackDirectory directory) {
    return PackName.subject(directory.id(), folderOf(directory));
  }

  private List<AgeStanza> stanzas(PackDirectory directory, List<AgeStanza> carried) {
    List<AgeStanza> stanzas = new ArrayList<>(carried);
    contentKey.ifPresent(
        key ->
            stanzas.add(
                DirectoryStanza.seal(PackDirectoryFormat.encodeForAgent(directory), key, random)));
    return stanzas;
  }

  private static PackName.Folder folderOf(PackDirectory directory) {
    return directory.tree().isEmpty() ? PackName.Folder.PACKS : PackName.Folder.TREE;
  }

  /** The whole chunks that hold the directory, and what comes before them. */
  private static int frontOf(Units units, int from, int directoryBytes) {
    int plainBytes = units.end - units.from + directoryBytes;
    int sealedBytes = plainBytes + AgePayload.overheadBytes(plainBytes);
    int headBytes = units.end - from - sealedBytes;
    int chunks = Math.ceilDiv(directoryBytes, AgePayload.CHUNK_BYTES);
    return headBytes + Math.min(sealedBytes, chunks * AgePayload.SEALED_CHUNK_BYTES);
  }
}
