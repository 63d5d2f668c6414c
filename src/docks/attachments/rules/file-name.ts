import { type FileType, fileTypes } from './file-type'

export const MAX_NAME_LENGTH = 100

/** Control characters, those that change the direction of a text or take no width, and those that a file system refuses in a name. */
const UNSAFE = /[\p{C}\p{Zl}\p{Zp}<>:"|?*]/gu

/**
 * A name under which the file can be saved everywhere: without folders, and with an extension of its type, because a browser would open
 * `bill.html` as a page, whatever is in it.
 */
export function cleanFileName(given: string | undefined, type: FileType): string {
  const [usual, ...others] = fileTypes[type]
  const last = (given ?? '').split(/[/\\]/).at(-1)!.replace(UNSAFE, '').replace(/\s+/g, ' ')
  const name = trimDots(last)
  const extension = [usual, ...others].find((one) => name.toLowerCase().endsWith(`.${one}`))
  const stem = trimDots(extension === undefined ? name : name.slice(0, -extension.length - 1))
  const ending = extension === undefined ? usual : name.slice(-extension.length)
  return `${trimDots(cutTo(stem, MAX_NAME_LENGTH - ending.length - 1)) || 'attachment'}.${ending}`
}

/** A name that begins with a dot is hidden, and one that ends with a dot or a space cannot be saved everywhere. */
function trimDots(text: string): string {
  let [from, to] = [0, text.length]
  while (from < to && '. '.includes(text[from]!)) from++
  while (to > from && '. '.includes(text[to - 1]!)) to--
  return text.slice(from, to)
}

/** No half of a character is left at the end. */
function cutTo(text: string, length: number): string {
  return text.slice(0, length).replace(/\p{Surrogate}$/u, '')
}
