package dev.tailwater.store.damage;

import dev.tailwater.posix.PosixPath;
import java.util.Optional;

/**
 * What a repair did.
 *
 * @param found what was damaged
 * @param originals directory in which the files are that were replaced; empty when nothing was
 *     damaged, and so nothing changed
 */
public record RepairResult(StoreCheck found, Optional<PosixPath> originals) {}
