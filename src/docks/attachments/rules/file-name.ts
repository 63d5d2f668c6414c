import { cleanBaseName, cutTo, trimDots } from '../../../kernel/files/file-name'
import { type FileType, fileTypes } from './file-type'

export const MAX_NAME_LENGTH = 100

/**
 * A name under which the file can be saved everywhere: without folders, and with an extension of its type, because a browser would open
 * `bill.html` as a page, whatever is in it.
 */
export function cleanFileName(given: string | undefined, type: FileType): string {
  const [usual, ...others] = fileTypes[type]
  const name = cleanBaseName(given ?? '')
  const extension = [usual, ...others].find((one) => name.toLowerCase().endsWith(`.${one}`))
  const stem = trimDots(extension === undefined ? name : name.slice(0, -extension.length - 1))
  const ending = extension === undefined ? usual : name.slice(-extension.length)
  return `${cutTo(stem, MAX_NAME_LENGTH - ending.length - 1) || 'attachment'}.${ending}`
}
