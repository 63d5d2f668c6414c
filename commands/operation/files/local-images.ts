import { readFile, realpath, stat } from 'node:fs/promises'
import { dirname, join, resolve, sep } from 'node:path'
import { MAX_IMAGE_BYTES } from '../../../src/items/services/attachments/image-files'
import { StudioError } from '../../../src/kernel'
import { formatByteSize } from '../../../src/kernel/files/byte-size'
import { chooseMediaType } from '../../../src/kernel/files/file-type'
import { toAddress } from '../../../src/kernel/files/relative-path'
import { isRecord } from '../../../src/kernel/json'
import type { Invocation } from '../../start/invocation'
import { writeNotice } from '../../terminal/write-message'
import type { Preparation } from '../command-parts'

/** An image as a call has it. */
export interface SentImage {
  path: string
  content: string
}

/** Adds the images that the texts of a call show: files below the folders that the texts were read from, or below the current folder. */
export const addImages: Preparation = async (input, flags, { invocation, words = [] }) => {
  if (input['files'] !== undefined) return { input }
  const { file, set } = flags
  const { cwd } = invocation.terminal
  const sources = [
    ...(typeof file === 'string' && file !== '-' ? [file] : []),
    ...[...((set as string[] | undefined) ?? []).map((pair) => pair.slice(pair.indexOf('=') + 1)), ...words]
      .filter((word) => word.startsWith('@') && word !== '@')
      .map((word) => word.slice(1)),
  ]
  return {
    input: await addLocalImages(input, [...sources.map((path) => dirname(resolve(cwd, path))), cwd], invocation),
  }
}

/** The same for texts that were read from files in these folders. */
export async function addLocalImages(
  input: Record<string, unknown>,
  folders: readonly string[],
  invocation: Invocation,
): Promise<Record<string, unknown>> {
  const files = await readLocalImages(listTexts(input), { folders, maxBytes: MAX_IMAGE_BYTES }, invocation)
  return files.length === 0 ? input : { ...input, files }
}

function listTexts(input: Record<string, unknown>): string[] {
  const { description, acceptanceCriteria, text, updates, fields } = input
  const given = [updates, fields].flatMap((values) => (isRecord(values) ? Object.values(values) : []))
  return [description, acceptanceCriteria, text, ...given].filter((value) => typeof value === 'string')
}

/**
 * Reads the images that texts show and that are files in folders. Refuses those elsewhere on this machine, and files that are no images: a
 * text from somebody else must not send them.
 */
export async function readLocalImages(
  texts: readonly string[],
  { folders, maxBytes }: { folders: readonly string[]; maxBytes: number },
  invocation: Invocation,
): Promise<SentImage[]> {
  if (!texts.some((text) => text.includes('!['))) return []
  const { listLocalImages, listRelativeImages } = await import('../../../src/rich-text')
  const paths = [...new Set(texts.flatMap(listRelativeImages))]
  const outside = texts.flatMap(listLocalImages).filter((image) => !/^\.[\\/]/.test(image))
  if (outside.length > 0) throw createOutsideError(outside[0]!)
  const files: SentImage[] = []
  let total = 0
  for (const path of paths) {
    const target = await findImage([...new Set(folders)], path)
    if (target === null) {
      writeNotice(invocation, `The image ${path} was not found, so it is not attached.`)
      continue
    }
    const bytes = await readImage(target, path)
    total += bytes.length
    if (total > maxBytes)
      throw new StudioError('invalid', `The images have more than ${formatByteSize(MAX_IMAGE_BYTES)} together.`, {
        hint: 'Make them smaller, or leave some out and attach them to the work item.',
      })
    files.push({ path: toAddress(path), content: bytes.toString('base64') })
  }
  return files
}

/** The real path of the one file; null if there is none. A link must not lead out of its folder: its target would be published. */
async function findImage(folders: readonly string[], path: string): Promise<string | null> {
  const found = new Set<string>()
  for (const folder of folders) {
    const root = await realpath(folder)
    const target = await realpath(join(root, path)).catch(() => null)
    if (target === null) continue
    if (!target.startsWith(root.endsWith(sep) ? root : root + sep)) throw createOutsideError(path)
    if ((await stat(target)).isFile()) found.add(target)
  }
  if (found.size < 2) return [...found][0] ?? null
  throw new StudioError('invalid', `The image ${path} is in several folders: ${[...found].join(', ')}.`, {
    hint: 'Write a path that only one of them has.',
  })
}

async function readImage(target: string, path: string): Promise<Buffer> {
  if ((await stat(target)).size > MAX_IMAGE_BYTES)
    throw new StudioError('invalid', `The image ${path} is larger than ${formatByteSize(MAX_IMAGE_BYTES)}.`, {
      hint: 'Make it smaller, or attach it to the work item.',
    })
  const bytes = await readFile(target)
  if (chooseMediaType(path, bytes).startsWith('image/')) return bytes
  throw new StudioError('invalid', `The file ${path} is no image.`, {
    hint: 'Attach it to the work item: studio item attach',
  })
}

function createOutsideError(path: string): StudioError {
  return new StudioError('invalid', `The image ${path} is outside of the folder of the text.`, {
    hint: 'Copy it into the folder, and write its path from there on: ![](./shot.png)',
  })
}
