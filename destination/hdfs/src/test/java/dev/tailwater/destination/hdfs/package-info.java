/** Tests against a real cluster that they start, and networks with faults before it. */
@NullMarked
package dev.tailwater.destination.hdfs;

import org.jspecify.annotations.NullMarked;
