/**
 * The first configuration of a machine: {@link dev.tailwater.cli.init.MachineSurvey} looks for logs
 * that are written, the cloud, mounted file servers and free space, within bounds, and {@link
 * dev.tailwater.cli.init.ConfigText} writes what it found as a commented file.
 */
@NullMarked
package dev.tailwater.cli.init;

import org.jspecify.annotations.NullMarked;
