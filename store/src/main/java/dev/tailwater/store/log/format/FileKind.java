package dev.tailwater.store.log.format;

import java.util.Optional;

/** What a file of a store is, by its name and by the byte in its header. */
public enum FileKind {
  LOG(1, "log-"),
  SNAPSHOT(2, "snapshot-");

  private final byte code;
  private final String namePrefix;

  FileKind(int code, String namePrefix) {
    this.code = (byte) code;
    this.namePrefix = namePrefix;
  }

  byte code() {
    return code;
  }

  String namePrefix() {
    return namePrefix;
  }

  static Optional<FileKind> of(byte code) {
    for (FileKind kind : values()) {
      if (kind.code == code) {
        return Optional.of(kind);
      }
    }
    return Optional.empty();
  }
}
