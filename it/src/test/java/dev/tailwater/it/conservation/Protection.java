package dev.tailwater.it.conservation;

import dev.tailwater.archive.age.ContentKey;
import dev.tailwater.archive.age.Identity;
import dev.tailwater.archive.age.KeyPair;
import dev.tailwater.archive.age.Recipient;
import dev.tailwater.delivery.config.ContentCheck;
import dev.tailwater.restore.ReadOptions;
import java.security.SecureRandom;
import java.util.List;

/** Whether an archive is encrypted, and what of that is lost with the state of an agent. */
enum Protection {
  PLAIN,

  /** The agent can read the directories of its packs even if its state is lost. */
  ENCRYPTED,

  /** An agent that lost its state delivers everything again. */
  ENCRYPTED_WITH_KEY_IN_STATE;

  private static final KeyPair KEYS = KeyPair.generate(new SecureRandom());

  /** Each is used as often as the others. */
  static Protection of(long seed) {
    return values()[Math.floorMod(seed, values().length)];
  }

  List<Recipient> recipients() {
    return this == PLAIN ? List.of() : List.of(KEYS.recipient());
  }

  List<Identity> identities() {
    return this == PLAIN ? List.of() : List.of(KEYS.identity());
  }

  ContentCheck contentCheck() {
    return this == ENCRYPTED
        ? ContentCheck.with(ContentKey.of(new byte[ContentKey.KEY_BYTES]))
        : ContentCheck.WITH_KEY_IN_STATE;
  }

  ReadOptions reading() {
    return ReadOptions.defaults().withIdentities(identities());
  }

  /** Whether an agent that lost its state begins a new stream of every file. */
  boolean beginsAnew() {
    return this == ENCRYPTED_WITH_KEY_IN_STATE;
  }
}
