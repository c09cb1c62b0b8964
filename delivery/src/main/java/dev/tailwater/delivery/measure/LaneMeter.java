package dev.tailwater.delivery.measure;

import java.util.function.LongSupplier;

/**
 * What one destination's workers and deliveries spend their time on.
 *
 * @param sealing workers that read, compress and encrypt
 * @param awaitingStaging workers that wait for a buffer, since all are in flight
 * @param retrying deliveries that have failed and wait for their next attempt
 */
public record LaneMeter(
    Occupancy sealing, Occupancy awaitingStaging, Occupancy retrying, UplinkMeter uplink) {
  public static LaneMeter create(LongSupplier nanoClock) {
    return new LaneMeter(
        new Occupancy(nanoClock),
        new Occupancy(nanoClock),
        new Occupancy(nanoClock),
        new UplinkMeter(nanoClock));
  }
}
