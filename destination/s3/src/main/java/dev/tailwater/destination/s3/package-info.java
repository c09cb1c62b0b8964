/**
 * Archives in S3 and in compatible storage.
 *
 * <p>For a {@code s3://bucket/prefix} URI, the calls of {@link
 * dev.tailwater.destination.Destination} become requests through the AWS SDK for Java 2, one for
 * each call. The service loader finds {@link dev.tailwater.destination.s3.S3Provider}; nothing else
 * calls it, and no type of the SDK leaves it.
 */
@NullMarked
package dev.tailwater.destination.s3;

import org.jspecify.annotations.NullMarked;
