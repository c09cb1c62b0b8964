package dev.tailwater.store.damage;

import dev.tailwater.posix.PosixPath;
import java.util.Optional;

/**
 * The result of a repair.
 *
 * @param found what was damaged
 * @param originals directory of the files that were replaced; empty when nothing was damaged and
 *     nothing changed
 */
public record RepairResult(StoreCheck found, Optional<PosixPath> originals) {}
