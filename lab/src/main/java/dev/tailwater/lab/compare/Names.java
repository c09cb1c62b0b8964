package dev.tailwater.lab.compare;

/** The names of the two results. */
public record Names(String first, String second) {}
