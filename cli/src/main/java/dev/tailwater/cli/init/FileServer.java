package dev.tailwater.cli.init;

import dev.tailwater.posix.PosixPath;

/**
 * A file server that is mounted here and may be written to: what is there stays when this machine
 * is gone.
 *
 * @param type as mount(8) calls it, such as {@code nfs4}
 * @param freeBytes what this user may still write
 */
record FileServer(PosixPath mountPoint, String type, long freeBytes) {}
