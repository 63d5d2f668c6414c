/** `3.2 MB`, for people. */
export function formatByteSize(bytes: number): string {
  if (bytes < 1_000_000) return `${Math.ceil(bytes / 1_000)} kB`
  return bytes < 1_000_000_000 ? `${(bytes / 1_000_000).toFixed(1)} MB` : `${(bytes / 1_000_000_000).toFixed(1)} GB`
}

/** The bytes of `200mb`, `1.5 GB` or `4096`; null for any other text. */
export function parseByteSize(text: string): number | null {
  const [, digits, letter = ''] = /^(\d{1,15}(?:\.\d{1,3})?) ?(?:([kmgt])b?|b)?$/i.exec(text.trim()) ?? []
  if (digits === undefined) return null
  const bytes = Math.round(Number(digits) * 1000 ** ['', 'k', 'm', 'g', 't'].indexOf(letter.toLowerCase()))
  return Number.isSafeInteger(bytes) && bytes > 0 ? bytes : null
}
