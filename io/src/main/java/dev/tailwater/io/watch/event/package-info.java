/**
 * What the kernel reports about watched directories: inotify and fanotify, the directories and
 * files that their events are about, and which of them must be looked at.
 */
@NullMarked
package dev.tailwater.io.watch.event;

import org.jspecify.annotations.NullMarked;
