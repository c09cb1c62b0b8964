package dev.tailwater.restore.attribute;

/**
 * Extended attributes that should have been set and were not.
 *
 * @param refused how many the kernel or the file system refused
 * @param firstRefusal what was said first
 */
public record UnsetAttributes(long refused, String firstRefusal) {}
