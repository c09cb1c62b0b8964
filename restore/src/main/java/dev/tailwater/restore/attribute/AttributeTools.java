package dev.tailwater.restore.attribute;

/** What gives files and directories the attributes that not every restore gives them. */
public record AttributeTools(Owners owners, AttributeSetter extended) {}
