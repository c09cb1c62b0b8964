package dev.tailwater.delivery.seal;

import dev.tailwater.archive.seal.PackSealer;
import dev.tailwater.archive.seal.SegmentSealer;
import dev.tailwater.delivery.worker.Cutter;
import dev.tailwater.delivery.worker.Pace;
import java.util.function.Supplier;

/**
 * Makes what each worker of a destination cuts with.
 *
 * @param context what the workers share
 * @param packSealers used only for short ranges that go into packs, and for bytes that were
 *     replaced
 */
public record Cutters(
    SealContext context, Supplier<SegmentSealer> sealers, Supplier<PackSealer> packSealers) {
  /** Opens what a worker cuts with. */
  public Cutter open(Pace pace) {
    return new TailCutter(context, sealers.get(), packSealers, pace);
  }
}
