/**
 * Outputs below this many bytes are shown whole: a footer costs more than they could save. (ADR 0002 tells why it is
 * not more.)
 */
export const SHORT_BYTES = 600;
