/** Work items out of a file that a tracker or studio has written. Nothing is asked of any tracker. */
export { readItemsFile, stockProcess } from './azure-devops/items-file'
