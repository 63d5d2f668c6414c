/** The bytes with which files of a type begin, as Latin-1. */
const beginnings: readonly (readonly [string, RegExp])[] = [
  ['application/pdf', /^%PDF-\d/],
  ['image/jpeg', /^\xff\xd8\xff/],
  ['image/png', /^\x89PNG\r\n\x1a\n/],
  ['image/gif', /^GIF8[79]a/],
  ['image/webp', /^RIFF[\0-\xff]{4}WEBPVP8/],
  ['image/heic', /^\0\0[\0-\xff]{2}ftyp(?:hei[cxms]|hev[cxms]|mif1|msf1)/],
]

/** So many bytes decide which type a file has. */
export const TYPE_BYTES = 16

/** The type that the first bytes of a file say; null for any other file. Its name and what its sender says of it can be wrong. */
export function detectMediaType(bytes: Uint8Array): string | null {
  const start = String.fromCharCode(...bytes.subarray(0, TYPE_BYTES))
  return beginnings.find(([, pattern]) => pattern.test(start))?.[0] ?? null
}

/** What every browser shows as an image, and never as a page. */
export const SHOWN_IMAGES: readonly string[] = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']

const byExtension: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  gz: 'application/gzip',
  har: 'application/json',
  html: 'text/html',
  json: 'application/json',
  log: 'text/plain',
  md: 'text/markdown',
  mov: 'video/quicktime',
  mp4: 'video/mp4',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  svg: 'image/svg+xml',
  txt: 'text/plain',
  webm: 'video/webm',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  xml: 'application/xml',
  yaml: 'application/yaml',
  yml: 'application/yaml',
  zip: 'application/zip',
}

/** The type of a file that a user sends: by its first bytes, else by its name. */
export function chooseMediaType(name: string, start: Uint8Array): string {
  const extension = name.slice(name.lastIndexOf('.') + 1).toLowerCase()
  const known = Object.hasOwn(byExtension, extension) ? byExtension[extension] : undefined
  return detectMediaType(start) ?? known ?? 'application/octet-stream'
}
