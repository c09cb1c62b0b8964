/**
 * The facts about a host that matter to file I/O: processors, memory, the mount that is measured,
 * the JVM. They contain no host name, address or path, so that they do not identify the host or its
 * users.
 *
 * <p>{@link dev.tailwater.lab.host.Host} takes a directory and returns {@link
 * dev.tailwater.lab.result.HostFacts}. The command line calls it before it measures.
 */
@NullMarked
package dev.tailwater.lab.host;

import org.jspecify.annotations.NullMarked;
