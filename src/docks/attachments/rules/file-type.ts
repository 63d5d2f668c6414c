/** The types that an attachment may have, with the extensions of their files; the first is the usual one. */
export const fileTypes = {
  'application/pdf': ['pdf'],
  'image/jpeg': ['jpg', 'jpeg'],
  'image/png': ['png'],
  'image/webp': ['webp'],
  'image/heic': ['heic', 'heif'],
} as const

export type FileType = keyof typeof fileTypes
export const fileTypeNames = Object.keys(fileTypes) as [FileType, ...FileType[]]

/** For messages. */
export const ACCEPTED_TYPES = 'a PDF, or a picture in JPEG, PNG, WebP or HEIC'

/** The bytes with which files of a type begin, as Latin-1. */
const beginnings: readonly (readonly [FileType, RegExp])[] = [
  ['application/pdf', /^%PDF-\d/],
  ['image/jpeg', /^\xff\xd8\xff/],
  ['image/png', /^\x89PNG\r\n\x1a\n/],
  ['image/webp', /^RIFF[\0-\xff]{4}WEBPVP8/],
  ['image/heic', /^\0\0[\0-\xff]{2}ftyp(?:hei[cxms]|hev[cxms]|mif1|msf1)/],
]

/** The type that the first bytes of a file say; null for any other file. Its name and what its sender says of it can be wrong. */
export function detectFileType(bytes: Uint8Array): FileType | null {
  const start = Buffer.from(bytes.subarray(0, 16)).toString('latin1')
  return beginnings.find(([, pattern]) => pattern.test(start))?.[0] ?? null
}
