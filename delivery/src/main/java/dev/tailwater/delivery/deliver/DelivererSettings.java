package dev.tailwater.delivery.deliver;

import dev.tailwater.archive.age.ContentKey;
import dev.tailwater.archive.sign.ObjectSigner;
import dev.tailwater.delivery.measure.LaneMeter;
import dev.tailwater.delivery.receipt.Receipts;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * How a {@link Deliverer} works.
 *
 * @param parallel how many calls to the destination may be under way at once; at least 1
 * @param contentKey the key of the checks that encrypted segments state
 * @param signer signs the records of streams; empty for no signature
 * @param receipts told of everything that is durable; empty if nothing is signed
 * @param threads how its threads are made
 */
public record DelivererSettings(
    int parallel,
    Optional<ContentKey> contentKey,
    Optional<ObjectSigner> signer,
    Optional<Receipts> receipts,
    RetryPolicy retries,
    LaneMeter meter,
    LongSupplier nanoClock,
    RandomGenerator random,
    DeliveryThreads.Settings threads) {
  /** Creates settings without any key and with threads of normal priority. */
  public DelivererSettings(
      int parallel,
      RetryPolicy retries,
      LaneMeter meter,
      LongSupplier nanoClock,
      RandomGenerator random) {
    this(
        parallel,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        retries,
        meter,
        nanoClock,
        random,
        DeliveryThreads.Settings.normal());
  }
}
