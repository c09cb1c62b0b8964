package dev.tailwater.delivery.checkpoint;

import dev.tailwater.archive.record.Receipt;

/**
 * The last receipt that an agent has put.
 *
 * @param agent the name that the agent had then, under which the receipt is
 */
public record NotedReceipt(String agent, Receipt.Previous receipt) {}
