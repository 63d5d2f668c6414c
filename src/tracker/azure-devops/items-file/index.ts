export { readItemsFile } from './read-items-file'
export { stockProcess } from './stock-process'
