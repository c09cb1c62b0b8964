/**
 * How an agent leaves processor and disk to the programs that it serves.
 *
 * <p>In come settings, the kernel's pressure files and clocks; out go lower priorities of the
 * threads that do the work, and rests between two blocks of it. Workers, deliveries and merging ask
 * here; a drain, and workers that do not keep up, suspend it all.
 */
@NullMarked
package dev.tailwater.delivery.neighbour;

import org.jspecify.annotations.NullMarked;
