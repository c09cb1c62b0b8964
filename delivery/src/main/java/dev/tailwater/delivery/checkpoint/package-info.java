/**
 * The agent's state between runs: the table of files with the {@linkplain
 * dev.tailwater.delivery.stream.Checkpoint checkpoints} of their streams, notes about destinations,
 * and keys. A restart begins here.
 */
@NullMarked
package dev.tailwater.delivery.checkpoint;

import org.jspecify.annotations.NullMarked;
