import { createHash } from 'node:crypto'
import * as z from 'zod'
import { checkpoint, inputError } from '../../../kernel'
import { chooseMediaType } from '../../../kernel/files/file-type'
import { toRelativePath } from '../../../kernel/files/relative-path'
import type { WorkspaceContext } from '../workspace-context'

export const MAX_IMAGE_FILES = 20
/** Of all files of one call together. */
export const MAX_IMAGE_BYTES = 5_000_000
/** Base64 has four characters for three bytes. */
const MAX_CONTENT_LENGTH = Math.ceil(MAX_IMAGE_BYTES / 3) * 4
/** The files, and as much as the texts take. */
export const MAX_IMAGE_BODY_BYTES = MAX_CONTENT_LENGTH + 1024 * 1024 + 64 * 1024

/**
 * Files that texts show as images. A call has their contents, and never names files of the machine that runs it, so that no caller of a
 * service reads them.
 */
export const ImageFiles = z
  .array(
    z.strictObject({
      path: z.string().min(1).max(500).describe('As the texts name it: ./shots/gate.png'),
      content: z
        .string()
        .max(MAX_CONTENT_LENGTH, 'must be at most 5 MB')
        // Node ignores what is not in Base64. A regular expression would take several times as long.
        .refine((text) => Buffer.from(text, 'base64').toString('base64') === text, 'must be in Base64')
        .describe('The file in Base64'),
    }),
  )
  .max(MAX_IMAGE_FILES)

export const IMAGES_OF_TEXTS =
  'Images that the texts show, at most 5 MB together: they are attached to the item, each once, and the text shows them'

/** A file that texts show as an image. */
export interface ImageFile {
  /** As the texts name it, without `./`: `shots/gate.png`. */
  path: string
  mediaType: string
  bytes: number
  /** Of the content, hexadecimal. */
  sha256: string
  read(): Promise<Buffer>
}

/**
 * Checks the files of a call.
 * @param name the field of the input that has them
 */
export async function readImageFiles(
  ctx: Pick<WorkspaceContext, 'signal' | 'budget'>,
  files: z.output<typeof ImageFiles>,
  name = 'files',
): Promise<ImageFile[]> {
  const read: ImageFile[] = []
  for (const [at, { path: given, content }] of files.entries()) {
    const path = toRelativePath(given)
    if (path === null || path.split(/[/\\]/).includes('..'))
      throw inputError([{ path: `${name}.${at}.path`, message: 'must be a path below the folder of the text' }])
    await checkpoint(ctx)
    const bytes = Buffer.from(content, 'base64')
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    read.push({
      path,
      mediaType: chooseMediaType(path, bytes),
      bytes: bytes.length,
      sha256,
      read: async () => bytes,
    })
  }
  if (read.reduce((sum, { bytes }) => sum + bytes, 0) > MAX_IMAGE_BYTES)
    throw inputError([{ path: name, message: 'must be at most 5 MB together' }])
  return read
}
