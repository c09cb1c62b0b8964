/**
 * Archives in Google Cloud Storage.
 *
 * <p>For a {@code gs://bucket/prefix} URI, each call of {@link
 * dev.tailwater.destination.Destination} becomes one request of the <a
 * href="https://cloud.google.com/storage/docs/json_api">JSON API</a>. The service loader finds
 * {@link dev.tailwater.destination.gcs.GcsProvider}; nothing else calls it. Google's library only
 * gives credentials, and no type of it appears outside this package.
 */
@NullMarked
package dev.tailwater.destination.gcs;

import org.jspecify.annotations.NullMarked;
