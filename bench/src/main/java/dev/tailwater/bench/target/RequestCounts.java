package dev.tailwater.bench.target;

import java.util.LinkedHashMap;
import java.util.Map;

/** How often a server was asked what. */
public final class RequestCounts {
  private RequestCounts() {}

  /** Of each kind and all together. */
  public static Map<String, Object> perGibibyte(Map<String, Long> requests, double gibibytes) {
    Map<String, Object> each = new LinkedHashMap<>();
    requests.forEach((kind, count) -> each.put(kind, count / gibibytes));
    long all = requests.values().stream().mapToLong(Long::longValue).sum();
    each.put("all", all / gibibytes);
    return each;
  }
}
