package dev.tailwater.posix.testkit.fuse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Map;
import org.cryptomator.jfuse.api.Stat;

/** The attributes of a file as in stat(2), from the JDK's {@code unix} view. */
record UnixAttributes(Map<String, Object> values) {
  static UnixAttributes of(Path path) throws IOException {
    return new UnixAttributes(
        Files.readAttributes(
            path,
            "unix:mode,nlink,uid,gid,size,lastModifiedTime,lastAccessTime,ctime",
            LinkOption.NOFOLLOW_LINKS));
  }

  void copyTo(Stat stat) {
    stat.setMode(number("mode").intValue());
    stat.setNLink(number("nlink").shortValue());
    stat.setUid(number("uid").intValue());
    stat.setGid(number("gid").intValue());
    stat.setSize(number("size").longValue());
    stat.mTime().set(time("lastModifiedTime"));
    stat.aTime().set(time("lastAccessTime"));
    stat.cTime().set(time("ctime"));
  }

  private Number number(String name) {
    return (Number) value(name);
  }

  private Instant time(String name) {
    return ((FileTime) value(name)).toInstant();
  }

  private Object value(String name) {
    Object value = values.get(name);
    if (value == null) {
      throw new IllegalStateException("the unix view has no " + name);
    }
    return value;
  }
}
