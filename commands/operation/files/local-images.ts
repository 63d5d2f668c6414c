import { readFile, realpath, stat } from 'node:fs/promises'
import { dirname, join, resolve, sep } from 'node:path'
import { MAX_DRAFT_FILE_BYTES } from '../../../src/drafts/services/draft-files'
import { StudioError } from '../../../src/kernel'
import { formatByteSize } from '../../../src/kernel/files/byte-size'
import type { Invocation } from '../../start/invocation'
import { writeNotice } from '../../terminal/write-message'
import type { Preparation } from '../command-parts'

/** Adds the images beside the Markdown file of a draft to the call that saves it. */
export const addImagesOfFile: Preparation = async (input, flags, { invocation }) => {
  const { file } = flags
  if (typeof file !== 'string' || file === '-' || input['files'] !== undefined) return { input }
  return { input: await addLocalImages(input, dirname(resolve(invocation.terminal.cwd, file)), invocation) }
}

/** Adds the images that the texts of a draft show and that are files in a folder. Refuses those elsewhere on this machine. */
export async function addLocalImages(
  input: Record<string, unknown>,
  folder: string,
  invocation: Invocation,
): Promise<Record<string, unknown>> {
  const texts = [input['description'], input['acceptanceCriteria']].filter((text) => typeof text === 'string')
  if (!texts.some((text) => text.includes('!['))) return input
  const { listLocalImages, listRelativeImages } = await import('../../../src/rich-text')
  const paths = [...new Set(texts.flatMap(listRelativeImages))]
  const outside = texts.flatMap(listLocalImages).filter((image) => !/^\.[\\/]/.test(image))
  if (outside.length > 0) throw createOutsideError(outside[0]!)
  const files: { path: string; content: string }[] = []
  let total = 0
  for (const path of paths) {
    const bytes = await readImage(folder, path)
    if (bytes === null) {
      writeNotice(invocation, `The image ${path} was not found, so the draft is saved without it.`)
      continue
    }
    total += bytes.length
    if (total > MAX_DRAFT_FILE_BYTES)
      throw new StudioError('invalid', `The images have more than ${formatByteSize(MAX_DRAFT_FILE_BYTES)} together.`, {
        hint: 'Make them smaller, or save the draft without some and attach them to the work item.',
      })
    files.push({ path, content: bytes.toString('base64') })
  }
  return files.length === 0 ? input : { ...input, files }
}

/** Null if there is no such file. A link must not lead out of the folder: its target would be published. */
async function readImage(folder: string, path: string): Promise<Buffer | null> {
  const root = await realpath(folder)
  const target = await realpath(join(root, path)).catch(() => null)
  if (target === null) return null
  if (!target.startsWith(root.endsWith(sep) ? root : root + sep)) throw createOutsideError(path)
  const found = await stat(target)
  if (!found.isFile()) return null
  if (found.size > MAX_DRAFT_FILE_BYTES)
    throw new StudioError('invalid', `The image ${path} is larger than ${formatByteSize(MAX_DRAFT_FILE_BYTES)}.`, {
      hint: 'Make it smaller, or attach it to the work item.',
    })
  return readFile(target)
}

function createOutsideError(path: string): StudioError {
  return new StudioError('invalid', `The image ${path} is outside of the folder of the text.`, {
    hint: 'Copy it into the folder, and write its path from there on: ![](./shot.png)',
  })
}
