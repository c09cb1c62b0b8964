/**
 * A real NFS server and its mount, for tests: in come mount options, out comes a directory whose
 * files are kept by nfs-ganesha in another process, which a test may stop, kill and start anew.
 */
@NullMarked
package dev.tailwater.posix.testkit.nfs;

import org.jspecify.annotations.NullMarked;
