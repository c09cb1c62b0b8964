package dev.tailwater.cli.config;

import dev.tailwater.archive.Codec;
import dev.tailwater.cli.value.ByteSizes;
import dev.tailwater.cli.value.Durations;
import dev.tailwater.delivery.risk.AtRiskBound;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Two settings that contradict each other.
 *
 * @param key the one that is too much
 */
public record Contradiction(ShipKey key, String message, String hint) {

  /** Compares the settings for age and length of segments with the bound on bytes at risk. */
  static Optional<Contradiction> find(
      AtRiskBound bound, Optional<Duration> maxAge, OptionalLong segmentBytes) {
    if (maxAge.isPresent()
        && bound.age().filter(age -> maxAge.get().compareTo(age) > 0).isPresent()) {
      return Optional.of(of(ShipKey.MAX_AGE, Durations.format(maxAge.get()) + " is longer", bound));
    }
    if (segmentBytes.isPresent()
        && segmentBytes.getAsLong() > bound.bytes().orElse(Long.MAX_VALUE)) {
      return Optional.of(
          of(ShipKey.SEGMENT_SIZE, ByteSizes.format(segmentBytes.getAsLong()) + " is more", bound));
    }
    return Optional.empty();
  }

  /** Compares whether segments state a check with the key for it. */
  static Optional<Contradiction> find(boolean contentCheck, Optional<String> keyFile) {
    return keyFile.isPresent() && !contentCheck
        ? Optional.of(
            new Contradiction(
                ShipKey.CONTENT_CHECK_KEY_FILE,
                ShipKey.CONTENT_CHECK_KEY_FILE.key()
                    + " names a key for checks, and "
                    + ShipKey.CONTENT_CHECK.key()
                    + " is off",
                "leave one of the two out"))
        : Optional.empty();
  }

  /** Compares whether anything is signed with the keys for it. */
  static Optional<Contradiction> ofSigning(ShipSettings settings) {
    if (settings.signing()) {
      return Optional.empty();
    }
    if (settings.signingKeyFile().isPresent()) {
      return Optional.of(unsigned(ShipKey.SIGNING_KEY_FILE, "names a key to sign with"));
    }
    return settings
        .trustedKeys()
        .map(_ -> unsigned(ShipKey.TRUSTED_KEYS, "names keys to be believed beside the agent's"));
  }

  private static Contradiction unsigned(ShipKey key, String what) {
    return new Contradiction(
        key,
        key.key() + " " + what + ", and " + ShipKey.SIGNING.key() + " is off",
        "leave one of the two out");
  }

  /** Compares the settings of an agent that makes packs with what packs need. */
  static Optional<Contradiction> ofPacks(ShipSettings settings) {
    if (!settings.packs().isAlways()) {
      return Optional.empty();
    }
    if (settings.compress() instanceof Codec.Gzip) {
      return Optional.of(
          new Contradiction(
              ShipKey.PACKS,
              "packs are never compressed with gzip, and compress is " + settings.compress(),
              "compress: zstd:1, or leave packs: on out"));
    }
    return settings.encryptTo().isEmpty() || settings.contentCheck()
        ? Optional.empty()
        : Optional.of(
            new Contradiction(
                ShipKey.PACKS,
                "content_check is off, so an agent that lost its state could not tell what its"
                    + " encrypted packs hold",
                "leave one of the two out"));
  }

  private static Contradiction of(ShipKey key, String what, AtRiskBound bound) {
    return new Contradiction(
        key,
        key.key() + " " + what + " than max_at_risk allows, " + bound,
        "leave " + key.key() + " out: it follows from max_at_risk");
  }
}
