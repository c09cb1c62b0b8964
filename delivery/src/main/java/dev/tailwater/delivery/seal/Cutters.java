package dev.tailwater.delivery.seal;

import dev.tailwater.archive.seal.PackSealer;
import dev.tailwater.archive.seal.SegmentSealer;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Makes what each worker of a destination cuts with.
 *
 * @param context what the workers share
 * @param packSealers used only where short ranges go into packs
 */
public record Cutters(
    SealContext context, Supplier<SegmentSealer> sealers, Supplier<PackSealer> packSealers) {
  TailCutter open(Pace pace) {
    Optional<PackSealer> packs =
        context.packs().isOn() ? Optional.of(packSealers.get()) : Optional.empty();
    return new TailCutter(context, sealers.get(), packs, pace);
  }
}
