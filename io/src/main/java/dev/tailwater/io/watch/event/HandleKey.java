package dev.tailwater.io.watch.event;

import dev.tailwater.posix.value.FileHandle;

/**
 * A directory as fanotify(7) names it.
 *
 * @param fileSystemId f_fsid of statfs(2)
 */
record HandleKey(long fileSystemId, FileHandle handle) {}
