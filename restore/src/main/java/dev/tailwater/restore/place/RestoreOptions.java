package dev.tailwater.restore.place;

import dev.tailwater.restore.ReadOptions;

/**
 * How files are restored.
 *
 * @param reading how the archive is read
 * @param overwrite whether files that are there already and have other contents are replaced; a
 *     file that lacks nothing, and one that has nothing but a part of what is restored, is never in
 *     the way
 * @param specialModeBits whether set-user-id, set-group-id and sticky bits come back too
 * @param sync whether every file is made durable before it gets its name, and the names before the
 *     run ends
 */
public record RestoreOptions(
    ReadOptions reading, boolean overwrite, boolean specialModeBits, boolean sync) {
  /** Replaces nothing, brings back permissions only, makes everything durable. */
  public static RestoreOptions of(ReadOptions reading) {
    return new RestoreOptions(reading, false, false, true);
  }

  public RestoreOptions withOverwrite(boolean newOverwrite) {
    return new RestoreOptions(reading, newOverwrite, specialModeBits, sync);
  }

  public RestoreOptions withSpecialModeBits(boolean newSpecialModeBits) {
    return new RestoreOptions(reading, overwrite, newSpecialModeBits, sync);
  }

  public RestoreOptions withSync(boolean newSync) {
    return new RestoreOptions(reading, overwrite, specialModeBits, newSync);
  }
}
