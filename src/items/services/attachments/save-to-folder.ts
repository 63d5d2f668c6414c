import { link, lstat, open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { StudioError } from '../../../kernel'
import { errorCodeOf } from '../../../kernel/errors'
import { numberFileName } from '../../../kernel/files/file-name'
import { isWithoutLinks, retryWhileHeld, syncFolder, toFileError } from '../../../storage'
import { hashFile, PartFile } from './part-file'
import { AttachmentTooLargeError, type ContentTarget } from './receive-content'

export interface SavedFile {
  path: string
  bytes: number
  sha256: string
  /** Whether the folder had the same file already. */
  wasThere: boolean
}

/**
 * Saves a file under its name when it is complete and on the disk. Another file of that name stays, and the new one gets a number. What an
 * interruption leaves is a part, which the next call continues.
 * @param receive writes the content
 */
export async function saveToFolder(
  folder: string,
  { name, key }: { name: string; key: string },
  receive: (target: ContentTarget) => Promise<void>,
): Promise<SavedFile> {
  const part = await PartFile.open(folder, { name, key }).catch((error) => {
    throw explainFileError(error, folder)
  })
  try {
    await receive(part)
    const sha256 = await part.hash()
    await part.close()
    const { path, wasThere } = await publish(part, folder, { name, sha256 })
    return { path, bytes: part.size, sha256, wasThere }
  } catch (error) {
    if (error instanceof AttachmentTooLargeError) await part.remove()
    else await part.leave()
    throw explainFileError(error, folder)
  }
}

const MAX_NUMBER = 10_000

async function publish(
  part: PartFile,
  folder: string,
  { name, sha256 }: { name: string; sha256: string },
): Promise<{ path: string; wasThere: boolean }> {
  for (let number = 1; number <= MAX_NUMBER; number++) {
    const path = join(folder, numberFileName(name, number))
    if (await moveTo(part.path, path)) {
      await syncFolder(folder)
      return { path, wasThere: false }
    }
    if (!(await isSameFile(path, { size: part.size, sha256 }))) continue
    await rm(part.path, { force: true })
    return { path, wasThere: true }
  }
  throw new StudioError('conflict', `${folder} has too many files named ${name}.`, { hint: 'Use another folder: --to' })
}

/** Gives a file its name, unless another one has it: then false. */
async function moveTo(part: string, path: string): Promise<boolean> {
  try {
    await link(part, path)
  } catch (error) {
    const code = errorCodeOf(error)
    if (code === 'EEXIST') return false
    if (code !== 'EMLINK' && !isWithoutLinks(error)) throw error
    return moveWithoutLink(part, path)
  }
  await retryWhileHeld(() => rm(part))
  return true
}

/** Takes the name with an empty file first. */
async function moveWithoutLink(part: string, path: string): Promise<boolean> {
  try {
    await (await open(path, 'wx', 0o600)).close()
  } catch (error) {
    if (errorCodeOf(error) === 'EEXIST') return false
    throw error
  }
  try {
    await retryWhileHeld(() => rename(part, path))
  } catch (error) {
    // The name was free, so the empty file is from this call.
    await rm(path, { force: true })
    throw error
  }
  return true
}

async function isSameFile(path: string, { size, sha256 }: { size: number; sha256: string }): Promise<boolean> {
  const found = await lstat(path).catch(() => null)
  if (!found?.isFile() || found.size !== size) return false
  const file = await open(path, 'r').catch(() => null)
  if (file === null) return false
  try {
    return (await hashFile(file, size)) === sha256
  } finally {
    await file.close()
  }
}

/** The hints of studio's own files do not fit a folder that the user has named. */
export function explainFileError(error: unknown, folder: string): unknown {
  const known = error instanceof StudioError ? error : toFileError(error, folder)
  if (known === error || !(known instanceof StudioError)) return known
  if (known.code === 'disk_full')
    return known.copyWith({ hint: 'Free some space and repeat the command: it continues the file.' })
  return known.copyWith({ hint: 'Choose a folder that you may write to: --to <folder>' })
}
