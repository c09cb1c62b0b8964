/**
 * Files of a Linux machine for JVM programs: descriptors, identities, trusted paths and the page
 * size. The packages below read, write, watch and copy.
 *
 * <p>The classes take {@linkplain dev.tailwater.posix.FileCalls native calls}, paths and
 * descriptors, and return open {@linkplain dev.tailwater.io.Descriptor descriptors} and {@linkplain
 * dev.tailwater.io.FileIdentity identities}. The packages below use this one, never the other way
 * around; the agent, the store and restore use all of them. This module uses only {@code posix}.
 */
@NullMarked
package dev.tailwater.io;

import org.jspecify.annotations.NullMarked;
