/**
 * Requests to object stores by the JDK's HTTP client: bodies from buffers without copies, bounds on
 * the length of every answer and on the time for it, and failures with what the server said.
 */
@NullMarked
package dev.tailwater.destination.cloud.http;

import org.jspecify.annotations.NullMarked;
