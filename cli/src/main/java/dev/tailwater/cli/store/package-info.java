/**
 * What the commands that work on a key-value store have in common: keys and values as text, entries
 * as lines of JSON, reports of damage, and the measuring of a store. Used by {@code cli.command}.
 */
@NullMarked
package dev.tailwater.cli.store;

import org.jspecify.annotations.NullMarked;
