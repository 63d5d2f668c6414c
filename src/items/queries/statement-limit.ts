/** Database engines limit the number of parameters in one statement. */
export const MAX_IDS_PER_STATEMENT = 500
