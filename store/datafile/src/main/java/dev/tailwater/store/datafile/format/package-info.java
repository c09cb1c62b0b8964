/**
 * The bytes of data-file mode on disk: data files of records, hint files and index checkpoints; see
 * "Data-file mode" in {@code docs/store-format.md}.
 *
 * <p>Encodes records, and reads files back: records whose checksums were verified, or the place
 * where a file is torn or damaged. Knows nothing of the index in memory, of threads or of
 * durability, except that index checkpoints and hints carry locations.
 */
@NullMarked
package dev.tailwater.store.datafile.format;

import org.jspecify.annotations.NullMarked;
