/** The tracker's numbers are 32 bits. */
export const largestWhole = 2 ** 31 - 1
