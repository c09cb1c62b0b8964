/**
 * Files as the rest of the program sees them: who a file is, its bytes, and what changes.
 *
 * <p>In come {@linkplain dev.tailwater.posix.FileCalls native calls}, paths and descriptors; out
 * come {@linkplain dev.tailwater.io.FileIdentity identities}, bytes that were read without hurting
 * anybody's page cache ({@link dev.tailwater.io.TailReader}), and {@linkplain
 * dev.tailwater.io.WatchChange changes} of watched directories ({@link
 * dev.tailwater.io.DirectoryWatch}). The agent and the restorer call it; it calls nothing but
 * {@code posix}.
 */
@NullMarked
package dev.tailwater.io;

import org.jspecify.annotations.NullMarked;
