package dev.tailwater.io.mount;

/** How large a write should be; {@link MountInfo#preferredWriteBytes()} gives the reasons. */
final class PreferredWrite {
  static final int MAX_BYTES = 4 * 1024 * 1024;

  private static final int PAGE_BYTES = 4096;
  private static final int LOCAL_BYTES = 256 * 1024;
  private static final int FUSE_BYTES = 128 * 1024;

  /** P9_IOHDRSZ of net/9p: what a message needs beside its data. */
  private static final int NINE_P_HEADER_BYTES = 24;

  private PreferredWrite() {}

  static int bytes(String type, MountOptions options, FileSystemKind kind, long blockSizeBytes) {
    if (options.bytes("wsize").isPresent() && kind != FileSystemKind.LOCAL) {
      return limited(options.bytes("wsize").getAsInt());
    }
    if (type.equals("9p") && options.bytes("msize").isPresent()) {
      int payloadBytes = options.bytes("msize").getAsInt() - NINE_P_HEADER_BYTES;
      return limited(payloadBytes - payloadBytes % PAGE_BYTES);
    }
    if (type.equals("fuse") || type.startsWith("fuse.") || type.equals("virtiofs")) {
      return FUSE_BYTES;
    }
    return wholeBlocks(blockSizeBytes);
  }

  private static int wholeBlocks(long blockSizeBytes) {
    if (blockSizeBytes <= 0 || blockSizeBytes > MAX_BYTES) {
      return LOCAL_BYTES;
    }
    long blocks = (LOCAL_BYTES + blockSizeBytes - 1) / blockSizeBytes;
    return limited((int) (blocks * blockSizeBytes));
  }

  private static int limited(int bytes) {
    return Math.clamp(bytes, PAGE_BYTES, MAX_BYTES);
  }
}
