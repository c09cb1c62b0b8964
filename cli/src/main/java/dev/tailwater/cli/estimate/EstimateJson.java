package dev.tailwater.cli.estimate;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.math.BigDecimal;

/** The estimate for programs. */
public record EstimateJson(EstimatePlan plan) {
  private static final double DIGITS = 1e6;

  /** Up to here, whole numbers are exact. */
  private static final double MOST_WHOLE = 1e15;

  /** Writes the fields into an object that is open. */
  public void write(JsonGenerator json) throws IOException {
    json.writeNumberField("files", plan.workload().files());
    number(json, "bytesPerSecond", plan.workload().bytesPerSecond());
    number(json, "ratio", plan.ratio());
    json.writeNumberField("daysPerMonth", Estimate.DAYS_PER_MONTH);
    json.writeStringField("pricesDate", plan.prices().date());
    json.writeStringField("currency", plan.prices().currency());
    json.writeArrayFieldStart("stores");
    for (EstimatedStore store : plan.stores()) {
      json.writeStartObject();
      write(json, store);
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeArrayFieldStart("assumptions");
    for (String assumption : plan.assumptions()) {
      json.writeString(assumption);
    }
    json.writeEndArray();
  }

  private static void write(JsonGenerator json, EstimatedStore store) throws IOException {
    json.writeStringField("store", store.name());
    if (store.prices().isPresent()) {
      json.writeStringField("region", store.prices().get().region());
    }
    if (store.configured().isPresent()) {
      json.writeStringField("destination", store.configured().get());
    }
    json.writeNumberField("maxAgeMillis", store.terms().maxAge().toMillis());
    json.writeNumberField("mergeToBytes", store.terms().mergeToBytes());
    json.writeBooleanField("usesPacks", store.usesPacks());
    write(json, store, store.estimate());
    if (store.otherPacks().isPresent()) {
      json.writeObjectFieldStart("otherPacks");
      write(json, store, store.otherPacks().get());
      json.writeEndObject();
    }
  }

  private static void write(JsonGenerator json, EstimatedStore store, Estimate estimate)
      throws IOException {
    number(json, "putsPerHour", estimate.putsPerHour());
    json.writeObjectFieldStart("month");
    number(json, "puts", estimate.putsPerMonth());
    number(json, "lists", 0);
    number(json, "gets", 0);
    number(json, "deletes", estimate.deletesPerMonth());
    number(json, "objects", estimate.objectsPerMonth());
    number(json, "storedBytes", estimate.storedBytesPerMonth());
    if (store.prices().isPresent()) {
      StorePrices prices = store.prices().get();
      number(json, "requestsPrice", prices.requests(estimate));
      number(json, "storagePrice", prices.storage(estimate));
      number(json, "totalPrice", prices.total(estimate));
    }
    json.writeEndObject();
    json.writeObjectFieldStart("restore");
    number(json, "lists", StorePrices.lists(estimate.objectsPerMonth()));
    number(json, "gets", estimate.objectsPerMonth());
    if (store.prices().isPresent()) {
      number(json, "price", store.prices().get().restore(estimate));
    }
    json.writeEndObject();
  }

  /** Writes a number without an exponent; whole ones have no fraction. */
  private static void number(JsonGenerator json, String name, double value) throws IOException {
    double rounded = Math.rint(value * DIGITS) / DIGITS;
    if (rounded == Math.rint(rounded) && Math.abs(rounded) < MOST_WHOLE) {
      json.writeNumberField(name, (long) rounded);
    } else {
      json.writeNumberField(name, BigDecimal.valueOf(rounded));
    }
  }
}
