/** Reads work items from a file that a tracker or studio has written, without requests to a tracker. */
export { createStockProcess, readItemsFile } from './azure-devops/items-file/read-items-file'
