package dev.tailwater.io.mount;

/**
 * The options of an NFS mount; see nfs(5).
 *
 * @param version of the protocol, such as {@code 3} or {@code 4.1}; {@code unknown} when the kernel
 *     does not say
 * @param wsizeBytes the most that one WRITE request carries; 0 when the kernel does not say
 * @param rsizeBytes the most that one READ request carries; 0 when the kernel does not say
 * @param noAttributeCache whether each look at a file asks the server ({@code noac}, or {@code
 *     actimeo=0}, which the kernel prints as four times of 0)
 * @param hard whether requests are repeated until the server answers; else ({@code soft}, {@code
 *     softerr}) a write may fail with EIO after a while
 */
public record NfsMount(
    String version, int wsizeBytes, int rsizeBytes, boolean noAttributeCache, boolean hard) {

  static NfsMount of(MountOptions options) {
    boolean noTimes =
        options.isZero("acregmin")
            && options.isZero("acregmax")
            && options.isZero("acdirmin")
            && options.isZero("acdirmax");
    return new NfsMount(
        options.text("vers").orElse(MountOptions.UNKNOWN),
        options.bytes("wsize").orElse(0),
        options.bytes("rsize").orElse(0),
        options.has("noac") || options.isZero("actimeo") || noTimes,
        !options.has("soft") && !options.has("softerr"));
  }
}
