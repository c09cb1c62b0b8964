/**
 * The parts that the commands on a key-value store share: keys and values as text, entries as lines
 * of JSON, reports of damage. Used by {@code cli.command}.
 */
@NullMarked
package dev.tailwater.cli.store;

import org.jspecify.annotations.NullMarked;
