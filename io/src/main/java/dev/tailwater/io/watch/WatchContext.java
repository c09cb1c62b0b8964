package dev.tailwater.io.watch;

import dev.tailwater.io.watch.event.DirectoryNode;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;

/** What every pass of one watch works with. */
record WatchContext(
    FileCalls calls,
    Access access,
    WatchOptions options,
    WatchTree tree,
    WatchKeeper keeper,
    Troubles troubles) {

  boolean wantsFile(DirectoryNode node, PosixPath name) {
    return node.explicitNames.contains(name)
        || (!node.restricted && options.wanted().test(node.path.resolve(name)));
  }

  boolean wantsDirectory(DirectoryNode node, PosixPath name) {
    return !node.restricted && options.descend().test(node.path.resolve(name));
  }

  boolean follows(DirectoryNode node, PosixPath name) {
    return node.explicitNames.contains(name) || (!node.restricted && options.followSymlinks());
  }
}
