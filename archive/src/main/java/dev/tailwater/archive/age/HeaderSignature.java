package dev.tailwater.archive.age;

import dev.tailwater.archive.DamagedSegmentException;
import dev.tailwater.archive.ObjectInput;
import dev.tailwater.archive.sign.ObjectSignature;
import dev.tailwater.archive.sign.Statement;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Consumer;

/** The signature in the header of an age file, and what it must cover. */
public final class HeaderSignature {
  private final Optional<ObjectSignature> signature;
  private final byte[] header;
  private final byte[] nonce;

  /**
   * Creates a signature.
   *
   * @param signature empty if the header has none
   * @param header the header up to its last line, without the signature
   */
  private HeaderSignature(Optional<ObjectSignature> signature, byte[] header, byte[] nonce) {
    this.signature = signature;
    this.header = header;
    this.nonce = nonce;
  }

  /**
   * Reads the header and the nonce of an age file, without a private key.
   *
   * @param maxHeaderBytes the longest header to accept
   */
  public static HeaderSignature read(ObjectInput in, int maxHeaderBytes) throws IOException {
    return read(in, maxHeaderBytes, _ -> {});
  }

  /**
   * Does the same, and passes on the stanzas: what they say is not checked before the signature.
   */
  public static HeaderSignature read(
      ObjectInput in, int maxHeaderBytes, Consumer<AgeStanza> stanzas) throws IOException {
    AgeHeaderReader reader = new AgeHeaderReader(in, maxHeaderBytes);
    reader.readVersion();
    Collector collector = new Collector();
    for (Optional<AgeStanza> stanza = reader.nextStanza();
        stanza.isPresent();
        stanza = reader.nextStanza()) {
      if (SignatureStanza.isMeant(stanza.get())) {
        collector.take(in, stanza.get(), reader);
      }
      stanzas.accept(stanza.get());
    }
    return collector.end(reader, nonce(in));
  }

  /** Reads the nonce, which follows the header. */
  static byte[] nonce(ObjectInput in) throws IOException {
    byte[] nonce = in.readNBytes(AgeKeys.NONCE_BYTES);
    if (nonce.length < AgeKeys.NONCE_BYTES) {
      throw in.damaged("ends within the age nonce");
    }
    return nonce;
  }

  /** Finds the signature while the stanzas of a header are read. */
  static final class Collector {
    private Optional<ObjectSignature> found = Optional.empty();
    private int from;
    private int to;

    /** Takes the stanza that was read last. */
    void take(ObjectInput in, AgeStanza stanza, AgeHeaderReader reader)
        throws DamagedSegmentException {
      if (found.isPresent()) {
        throw in.damaged("the age header has two signatures");
      }
      found = SignatureStanza.parse(stanza);
      if (found.isEmpty()) {
        throw in.damaged("the " + stanza.type() + " stanza is malformed");
      }
      from = reader.stanzaAt();
      to = reader.offset();
    }

    HeaderSignature end(AgeHeaderReader reader, byte[] nonce) {
      return new HeaderSignature(found, reader.without(from, to), nonce);
    }
  }

  /** Returns the signature; empty if the header has none. */
  public Optional<ObjectSignature> signature() {
    return signature;
  }

  /** Returns what the signature must say of an object. */
  public Statement statement(String subject) {
    return SignatureStanza.statement(subject, header, nonce);
  }
}
