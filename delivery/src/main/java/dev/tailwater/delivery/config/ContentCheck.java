package dev.tailwater.delivery.config;

import dev.tailwater.archive.age.ContentKey;
import dev.tailwater.delivery.checkpoint.ContentKeyFile;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import java.io.IOException;
import java.util.Optional;

/**
 * Whether encrypted segments state a check of their content, and under which key. With the check,
 * an agent that lost its state finds out without a private key which files it has delivered.
 *
 * @param stated whether segments state one
 * @param key a key that survives the loss of the state; empty: a random one in the state directory
 */
public record ContentCheck(boolean stated, Optional<ContentKey> key) {
  /** Segments state nothing about their content. */
  public static final ContentCheck OFF = new ContentCheck(false, Optional.empty());

  /** Segments state a check under a random key in the state directory. */
  public static final ContentCheck WITH_KEY_IN_STATE = new ContentCheck(true, Optional.empty());

  public ContentCheck {
    if (key.isPresent() && !stated) {
      throw new IllegalArgumentException("a key, but no check to make with it");
    }
  }

  /** Segments state a check under this key. */
  public static ContentCheck with(ContentKey key) {
    return new ContentCheck(true, Optional.of(key));
  }

  /**
   * Returns the key under which encrypted packs of earlier runs can be read, even if no check is
   * stated any more; empty if there is none.
   */
  public Optional<ContentKey> keyOfEarlierPacks(FileCalls calls, PosixPath stateDirectory) {
    if (key.isPresent()) {
      return key;
    }
    try {
      return Optional.of(ContentKeyFile.read(calls, stateDirectory.resolve(ContentKeyFile.NAME)));
    } catch (IOException e) {
      return Optional.empty(); // The packs are then called unreadable, with a hint.
    }
  }
}
