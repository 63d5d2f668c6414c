import { readdir, realpath, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { MAX_IMAGE_BYTES } from '../../../src/items/services/attachments/image-files'
import { StudioError } from '../../../src/kernel'
import { readTextFile } from '../../terminal/text-file'
import type { Preparation } from '../command-parts'
import { readLocalImages, type SentImage } from './local-images'

const MAX_FILES = 1_000

/** Reads the Markdown files that were named, and those of the folders. Their real paths identify them, whatever the current folder is. */
export const prepareTree: Preparation = async (input, _flags, { invocation }) => {
  // Drafts of a folder of the workspace have no files.
  if (input['files'] === undefined) return { input }
  const named = (input['files'] as { name: string }[]).map(({ name }) => name)
  const paths = [...new Set((await Promise.all(named.map(listFiles))).flat())]
  if (paths.length === 0) throw new StudioError('invalid', 'The folder has no Markdown files (*.md).')
  if (paths.length > MAX_FILES)
    throw new StudioError('invalid', `These are ${paths.length} files. At most ${MAX_FILES} can be published at once.`)
  const files: { name: string; text: string; images?: SentImage[] }[] = []
  let maxBytes = MAX_IMAGE_BYTES
  for (const name of paths) {
    const { text } = await readTextFile(name, name, invocation.signal)
    const images = await readLocalImages([text], { folders: [dirname(name)], maxBytes }, invocation)
    for (const { content } of images) maxBytes -= Buffer.byteLength(content, 'base64')
    files.push({ name, text, ...(images.length > 0 && { images }) })
  }
  return { input: { ...input, files } }
}

async function listFiles(path: string): Promise<string[]> {
  const found = await stat(path).catch(() => null)
  if (!found) throw new StudioError('invalid', `${path}: there is no such file or folder.`)
  const real = await realpath(path)
  if (!found.isDirectory()) return [real]
  const entries = await readdir(real, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile() && entry.name.toLowerCase().endsWith('.md'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}
