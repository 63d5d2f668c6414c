export { readItemsFile } from './read-items-file'
export { createStockProcess as stockProcess } from './stock-process'
