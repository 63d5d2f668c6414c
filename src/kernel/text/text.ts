import { normalizeText } from './normalize-text'

/** `1 item`, `2 items`. */
export function pluralize(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`
}

/** With a capital letter first. */
export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Escapes text for HTML and XML, also for attribute values in double or single quotes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

export function equalsIgnoringCase(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase()
}

/** Decodes a part of a URL's path. Returns it unchanged if its escapes are invalid. */
export function decodePart(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** Whether `part` is a part of the path: `Docks`, `Docks\North` and `docks/north` are parts of `Warehouse\Docks\North`. */
export function containsPath(path: string | null, part: string): boolean {
  const [whole, sought] = [path ?? '', part].map(
    (text) =>
      `\\${normalizeText(text)
        .replaceAll('/', '\\')
        .replace(/^\\|\\$/g, '')}\\`,
  )
  return whole!.includes(sought!)
}
