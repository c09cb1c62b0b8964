package dev.tailwater.delivery.deliver;

/**
 * Work for a delivery thread. Segments go before descriptions, and each kind first in, first out. A
 * description can wait, since what it says is not lost with the machine's memory.
 */
record DeliveryOrder(boolean carriesBytes, long number, Runnable work)
    implements Runnable, Comparable<DeliveryOrder> {
  @Override
  public int compareTo(DeliveryOrder other) {
    int bytesFirst = Boolean.compare(other.carriesBytes, carriesBytes);
    return bytesFirst != 0 ? bytesFirst : Long.compare(number, other.number);
  }

  @Override
  public void run() {
    work.run();
  }
}
