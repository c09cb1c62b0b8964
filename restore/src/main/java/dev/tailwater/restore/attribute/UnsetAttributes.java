package dev.tailwater.restore.attribute;

/**
 * Attributes of one kind that should have been set and were not.
 *
 * @param refused how many the kernel or the file system refused
 * @param firstRefusal what was said first; of modes and times with the path
 */
public record UnsetAttributes(long refused, String firstRefusal) {}
