package dev.tailwater.lab.compare;

/** What the two results are called. */
public record Names(String first, String second) {}
