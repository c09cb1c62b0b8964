package dev.tailwater.lab.measure;

import dev.tailwater.posix.FileCalls;
import java.nio.file.Path;
import java.util.random.RandomGenerator;

/**
 * The place and the tools of an experiment.
 *
 * @param directory an empty directory on the mount that is measured, the experiment's own; the
 *     caller removes it with its content
 * @param random the source for the order of variants and the contents of files
 */
public record Laboratory(
    Path directory, Effort effort, FileCalls calls, RandomGenerator random, LabProgress progress) {}
