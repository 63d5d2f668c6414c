/** Reads work items from a file that a tracker or studio has written, without asking a tracker. */
export { createStockProcess, readItemsFile } from './azure-devops/items-file/read-items-file'
