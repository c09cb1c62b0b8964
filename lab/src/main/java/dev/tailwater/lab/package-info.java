/**
 * The lab: reproduces the measurements of the five articles on this host, shows them, and says what
 * they speak for.
 *
 * <p>In come a directory on the mount to be measured and the names of experiments; out go a {@link
 * dev.tailwater.lab.result.LabResult}, and of that a report in HTML and a file in JSON. The command
 * line calls it. It writes below that directory alone, removes what it wrote, and opens no port.
 */
@NullMarked
package dev.tailwater.lab;

import org.jspecify.annotations.NullMarked;
