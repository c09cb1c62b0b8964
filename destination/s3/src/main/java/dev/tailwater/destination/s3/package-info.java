/**
 * Archives in S3 and in compatible storage.
 *
 * <p>For an {@code s3://bucket/prefix} URI, each call of {@link
 * dev.tailwater.destination.Destination} becomes one request through the AWS SDK for Java 2. The
 * service loader finds {@link dev.tailwater.destination.s3.S3Provider}; nothing else calls it, and
 * no type of the SDK appears outside this package.
 */
@NullMarked
package dev.tailwater.destination.s3;

import org.jspecify.annotations.NullMarked;
