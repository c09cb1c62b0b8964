package dev.tailwater.restore.attribute;

import java.util.Optional;

/**
 * What should have got its owner and did not.
 *
 * @param refused how many owners the kernel refused to set
 * @param untold how many the archive does not tell
 * @param firstRefusal what the kernel said first
 */
public record UnsetOwners(long refused, long untold, Optional<String> firstRefusal) {}
