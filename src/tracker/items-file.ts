/** Reads work items from a file that a tracker or studio has written, without asking a tracker. */
export { readItemsFile, stockProcess } from './azure-devops/items-file'
