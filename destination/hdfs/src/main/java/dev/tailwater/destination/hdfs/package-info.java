/**
 * Archives in HDFS.
 *
 * <p>For an {@code hdfs://host:port/path} or {@code hdfs://nameservice/path} URI, the calls of
 * {@link dev.tailwater.destination.Destination} become calls of Hadoop's own client. The service
 * loader finds {@link dev.tailwater.destination.hdfs.HdfsProvider}; nothing else calls it, and no
 * type of Hadoop appears outside this package.
 */
@NullMarked
package dev.tailwater.destination.hdfs;

import org.jspecify.annotations.NullMarked;
