/**
 * The memory in which segments and packs wait for their delivery: buffers of one size, within a
 * bound, and the share of them that one lane may hold.
 */
@NullMarked
package dev.tailwater.delivery.staging;

import org.jspecify.annotations.NullMarked;
