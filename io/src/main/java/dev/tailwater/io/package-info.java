/**
 * Files of a Linux machine as a JVM program wants them: who a file is, and the page size; the rooms
 * below read, write, watch and copy.
 *
 * <p>In come {@linkplain dev.tailwater.posix.FileCalls native calls}, paths and descriptors; out
 * come open {@linkplain dev.tailwater.io.Descriptor descriptors} and {@linkplain
 * dev.tailwater.io.FileIdentity identities}. The packages below use this one and never the other
 * way round; the agent, the store and the restorer call all of them. Nothing here calls anything
 * but {@code posix}.
 */
@NullMarked
package dev.tailwater.io;

import org.jspecify.annotations.NullMarked;
