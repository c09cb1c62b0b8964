package dev.tailwater.store.datafile.file;

/**
 * Where the log ended at some moment.
 *
 * @param file the newest file then
 * @param endBytes of all that was appended
 * @param lastSequence number of the last record
 * @param zeroEndBytes up to where the file is to be filled with zeros when this is written; 0: not
 */
public record LogEnd(DataFile file, long endBytes, long lastSequence, long zeroEndBytes) {}
