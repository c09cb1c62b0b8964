package dev.tailwater.store.datafile.file;

/**
 * The end of the log at some moment.
 *
 * @param file the newest file then
 * @param endBytes the end of everything that was appended
 * @param lastSequence number of the last record
 * @param zeroEndBytes offset up to which the file is to be filled with zeros when this is written;
 *     0: not
 */
public record LogEnd(DataFile file, long endBytes, long lastSequence, long zeroEndBytes) {}
