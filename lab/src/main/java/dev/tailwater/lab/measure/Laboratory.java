package dev.tailwater.lab.measure;

import dev.tailwater.posix.FileCalls;
import java.nio.file.Path;
import java.util.random.RandomGenerator;

/**
 * The place and the tools of an experiment.
 *
 * @param directory an empty directory on the mount that is measured, the experiment's own; whoever
 *     runs the experiment removes it with all that is in it
 * @param random the order of variants, and contents of files
 */
public record Laboratory(
    Path directory, Effort effort, FileCalls calls, RandomGenerator random, LabProgress progress) {}
