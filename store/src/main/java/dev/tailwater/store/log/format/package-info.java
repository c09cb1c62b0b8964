/**
 * The bytes of transaction-log mode on disk: names and headers of logs and snapshots, frames, and
 * the operations in them. Encodes them, reads them back, and tells a torn tail from damage.
 */
@NullMarked
package dev.tailwater.store.log.format;

import org.jspecify.annotations.NullMarked;
