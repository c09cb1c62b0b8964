/**
 * A real NFS server and its mount, for tests. Its inputs are mount options; it provides a directory
 * whose files nfs-ganesha keeps in another process, which a test may stop, kill and restart.
 */
@NullMarked
package dev.tailwater.posix.testkit.nfs;

import org.jspecify.annotations.NullMarked;
