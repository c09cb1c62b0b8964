/**
 * The data files of a store: their descriptors, mappings and counts, which of them there are, how
 * new ones are made, and the hint that lies beside each.
 *
 * <p>Every other room of data-file mode uses this one; it uses none of them. The bytes themselves
 * are the business of {@code format}.
 */
@NullMarked
package dev.tailwater.store.datafile.file;

import org.jspecify.annotations.NullMarked;
