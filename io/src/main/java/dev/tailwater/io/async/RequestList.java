package dev.tailwater.io.async;

import org.jspecify.annotations.Nullable;

/** Requests, first in first out; allocates nothing. A request is in one list at most. */
final class RequestList {
  private @Nullable Request first;
  private @Nullable Request last;
  private int size;

  void add(Request request) {
    request.next = null;
    if (last == null) {
      first = request;
    } else {
      last.next = request;
    }
    last = request;
    size++;
  }

  /** Takes the oldest away; null when there is none. */
  @Nullable Request poll() {
    Request request = first;
    if (request != null) {
      first = request.next;
      request.next = null;
      size--;
      if (first == null) {
        last = null;
      }
    }
    return request;
  }

  /** Takes all of the other list. */
  void addAll(RequestList other) {
    if (other.first == null) {
      return;
    }
    if (last == null) {
      first = other.first;
    } else {
      last.next = other.first;
    }
    last = other.last;
    size += other.size;
    other.first = null;
    other.last = null;
    other.size = 0;
  }

  boolean isEmpty() {
    return first == null;
  }

  int size() {
    return size;
  }
}
