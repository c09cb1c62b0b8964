/**
 * What an archive holds: lists its objects, groups them by stream, and reads the few that tell
 * path, end and gaps. {@link dev.tailwater.restore.list.ArchiveIndex} is the result, and the
 * beginning of everything else; {@link dev.tailwater.restore.list.SegmentSource} reads single
 * objects.
 */
@NullMarked
package dev.tailwater.restore.list;

import org.jspecify.annotations.NullMarked;
