/**
 * Signed lists of what a destination has acknowledged, from which a reader sees what is missing.
 */
@NullMarked
package dev.tailwater.delivery.receipt;

import org.jspecify.annotations.NullMarked;
