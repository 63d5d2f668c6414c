import { detectMediaType } from '../../../kernel/files/file-type'

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

/** The type that the first bytes of a file say; null for a file of no accepted type. */
export function detectFileType(bytes: Uint8Array): FileType | null {
  const type = detectMediaType(bytes)
  return fileTypeNames.find((name) => name === type) ?? null
}
