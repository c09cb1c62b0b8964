package dev.tailwater.delivery.watch;

import dev.tailwater.delivery.tail.ArchivedNames;
import dev.tailwater.delivery.time.Clocks;
import java.time.Duration;

/**
 * How files are observed.
 *
 * @param agent the name under which new streams are archived
 * @param names the paths under which files are archived
 * @param goneGrace how long a file without a watched name must be quiet before its stream ends
 * @param maxDescriptors how many files may be open at once
 * @param quietFilesInMemory how many files that have nothing at risk stay in memory and open
 * @param tellsNamesAtOnce whether a new name is recorded before what has the old one is read; it
 *     costs nothing where it travels in a pack
 */
public record ObserverSettings(
    String agent,
    ArchivedNames names,
    Duration goneGrace,
    int maxDescriptors,
    int quietFilesInMemory,
    boolean tellsNamesAtOnce,
    Clocks clocks) {}
