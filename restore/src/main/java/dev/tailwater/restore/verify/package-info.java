/**
 * Checks that write nothing: {@link dev.tailwater.restore.verify.Verifier} opens every segment of
 * an archive, {@link dev.tailwater.restore.verify.DirectoryComparer} compares an archive with
 * files.
 */
@NullMarked
package dev.tailwater.restore.verify;

import org.jspecify.annotations.NullMarked;
