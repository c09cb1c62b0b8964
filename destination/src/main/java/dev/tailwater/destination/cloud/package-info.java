/**
 * What the destinations in object stores of clouds have in common.
 *
 * <p>{@link dev.tailwater.destination.cloud.CloudDestination} keeps the contract of {@link
 * dev.tailwater.destination.Destination} over the few requests of an {@link
 * dev.tailwater.destination.cloud.ObjectStore}, which each plug-in implements. {@code cloud.http}
 * sends requests by the JDK's HTTP client, for plug-ins without an SDK.
 */
@NullMarked
package dev.tailwater.destination.cloud;

import org.jspecify.annotations.NullMarked;
