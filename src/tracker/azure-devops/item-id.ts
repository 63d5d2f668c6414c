/** IDs and revisions of the tracker are 32-bit integers. A larger ID makes it refuse a whole batch. */
export const MAX_ID = 2 ** 31 - 1
