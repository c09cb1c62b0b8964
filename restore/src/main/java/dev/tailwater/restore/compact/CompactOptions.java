package dev.tailwater.restore.compact;

import dev.tailwater.archive.Codec;
import dev.tailwater.archive.age.Recipient;
import dev.tailwater.archive.sign.ObjectSigner;
import dev.tailwater.restore.ReadOptions;
import java.util.List;
import java.util.Optional;

/**
 * What is compacted, and how.
 *
 * @param agent empty: of all agents
 * @param beforeMillis groups of which a pack is younger are left alone, milliseconds since 1970 by
 *     the destination's clock
 * @param recipients who shall be able to read encrypted packs; without any, they are left alone
 * @param signer signs the merged packs; packs with a signature are left alone without one
 * @param replacedByMillis bytes that were replaced up to then are left out, milliseconds since 1970
 *     by the agents' clocks; or {@link #KEEP_ALL}
 * @param dryRun nothing is changed
 */
public record CompactOptions(
    Optional<String> agent,
    long beforeMillis,
    Codec codec,
    List<Recipient> recipients,
    Optional<ObjectSigner> signer,
    long replacedByMillis,
    boolean dryRun,
    ReadOptions reading) {
  /** Nothing is left out. */
  public static final long KEEP_ALL = Long.MIN_VALUE;

  public CompactOptions {
    recipients = List.copyOf(recipients);
  }
}
