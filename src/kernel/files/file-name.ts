/** Control characters, those that change the direction of a text or take no width, and those that a file system refuses in a name. */
const UNSAFE = /[\p{C}\p{Zl}\p{Zp}<>:"|?*]/gu

/** Names that are devices on Windows, also with an extension. */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|clock\$|(?:com|lpt)[0-9\u00b9\u00b2\u00b3])$/i

export const MAX_FILE_NAME_LENGTH = 100
/** A file system allows 255 bytes. The rest is for what makes a name unique. */
const MAX_BYTES = 200
/** Longer endings are no extensions. */
const MAX_EXTENSION_LENGTH = 16

/** The last part of a name from outside, without folders and without characters that are unsafe in a name. It may be empty. */
export function cleanBaseName(given: string): string {
  return trimDots(given.split(/[/\\]/).at(-1)!.normalize('NFC').replace(UNSAFE, '').replace(/\s+/g, ' '))
}

/** A name under which a file from outside can be saved everywhere: without folders, not hidden, and no device. */
export function toSafeFileName(given: string, fallback = 'attachment'): string {
  const name = cleanBaseName(given) || fallback
  const { stem, extension } = splitFileName(DEVICE.test(name.split('.')[0]!.trimEnd()) ? `_${name}` : name)
  return `${cutToBytes(cutTo(stem, MAX_FILE_NAME_LENGTH - extension.length), MAX_BYTES - bytesOf(extension))}${extension}`
}

/** `shot (2).png` for the second `shot.png`. */
export function numberFileName(name: string, number: number): string {
  if (number === 1) return name
  const { stem, extension } = splitFileName(name)
  return `${stem} (${number})${extension}`
}

/** The names, each unique on file systems that ignore the case of letters. */
export function makeNamesUnique(names: readonly string[]): string[] {
  const taken = new Set<string>()
  const next = new Map<string, number>()
  return names.map((name) => {
    const key = name.toLowerCase()
    for (let number = next.get(key) ?? 1; ; number++) {
      const candidate = numberFileName(name, number)
      if (taken.has(candidate.toLowerCase())) continue
      taken.add(candidate.toLowerCase())
      next.set(key, number + 1)
      return candidate
    }
  })
}

/** The extension begins with its dot; it is empty if there is none. */
function splitFileName(name: string): { stem: string; extension: string } {
  const dot = name.lastIndexOf('.')
  const extension = dot > 0 ? name.slice(dot) : ''
  if (extension.length < 2 || extension.length > MAX_EXTENSION_LENGTH || extension.includes(' '))
    return { stem: name, extension: '' }
  return { stem: trimDots(name.slice(0, dot)) || 'attachment', extension }
}

/** A name that begins with a dot is hidden, and one that ends with a dot or a space cannot be saved everywhere. */
export function trimDots(text: string): string {
  let [from, to] = [0, text.length]
  while (from < to && '. '.includes(text[from]!)) from++
  while (to > from && '. '.includes(text[to - 1]!)) to--
  return text.slice(from, to)
}

/** No half of a character is left at the end. */
export function cutTo(text: string, length: number): string {
  return trimDots(text.slice(0, length).replace(/\p{Surrogate}$/u, ''))
}

function cutToBytes(text: string, bytes: number): string {
  let cut = text
  while (bytesOf(cut) > bytes) cut = cutTo(cut, cut.length - 1)
  return cut
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length
}
