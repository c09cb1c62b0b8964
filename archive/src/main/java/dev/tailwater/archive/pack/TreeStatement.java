package dev.tailwater.archive.pack;

/** What a pack says beside streams: of a directory, or of the extended attributes of a file. */
public sealed interface TreeStatement permits DirectoryStatement, AttributeStatement {}
