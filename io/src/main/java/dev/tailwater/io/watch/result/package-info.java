/**
 * What becomes of the files that a look at the tree found gone, new, moved or written: which of
 * them were renamed, which are gone, and in which order that can be applied.
 *
 * <p>Start at {@link dev.tailwater.io.watch.result.PassResults}. {@code GoneFiles} recognises a
 * file that has another name, {@code RenameOrder} orders renames that happened together, and {@code
 * LeftPaths} reports what is renamed or gone, unless another file was reported at its path since.
 */
@NullMarked
package dev.tailwater.io.watch.result;

import org.jspecify.annotations.NullMarked;
