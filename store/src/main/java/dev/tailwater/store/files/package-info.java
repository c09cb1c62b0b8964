/**
 * What the modes of the store have in common on disk: the directory and its lock, reading and
 * writing whole ranges, and directories for damaged files. Not meant for users of the store.
 */
@NullMarked
package dev.tailwater.store.files;

import org.jspecify.annotations.NullMarked;
