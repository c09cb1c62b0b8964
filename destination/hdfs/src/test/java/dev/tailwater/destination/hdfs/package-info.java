/** Tests against a real cluster that they start, and through networks with faults. */
@NullMarked
package dev.tailwater.destination.hdfs;

import org.jspecify.annotations.NullMarked;
