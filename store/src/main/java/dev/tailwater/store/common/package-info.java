/**
 * What the modes of the store have in common above the disk: calls on an executor, bulk puts as
 * batches, open snapshots and their leases, and closing in order. Not meant for users of the store.
 */
@NullMarked
package dev.tailwater.store.common;

import org.jspecify.annotations.NullMarked;
