/**
 * What a host is like, as far as it matters to file I/O: processors, memory, the mount that is
 * measured, the JVM. Nothing that names the host or its users: no host name, no address, no path.
 *
 * <p>In comes a directory; out go {@link dev.tailwater.lab.result.HostFacts}. The command line
 * calls it before it measures.
 */
@NullMarked
package dev.tailwater.lab.host;

import org.jspecify.annotations.NullMarked;
