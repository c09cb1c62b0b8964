/**
 * Politeness: leaving processor and disk to the programs that an agent serves.
 *
 * <p>By settings, the kernel's pressure files and clocks, threads that work get lower priorities
 * and rest between two blocks of work. Workers, deliveries and merging ask here; a drain, and
 * workers that starve, suspend it through the agent's tempo.
 */
@NullMarked
package dev.tailwater.delivery.neighbour;

import org.jspecify.annotations.NullMarked;
