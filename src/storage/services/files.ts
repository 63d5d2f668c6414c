import { type BigIntStats, constants, mkdirSync, type Stats, statSync } from 'node:fs'
import { copyFile, link, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Hint, hint, suggest } from '../../kernel'
import { type ErrorCode, errorCodeOf, StudioError } from '../../kernel/errors'
import { protectFromOthers } from './access-rights'
import { isHeldByOthers, retryWhileHeld, statIfThere } from './held-files'
import { makeFolder as makeFolders } from './make-folder'

type Bytes = string | Uint8Array | Iterable<Uint8Array> | AsyncIterable<Uint8Array>

/**
 * Writes `bytes`, all at once or in pieces, so that readers see either the old or the new content, also after a power cut: to a temporary file, which is synced and
 * renamed, and then syncs the folder. Files have mode 0600, new folders 0700.
 * @param isSecret the file is protected in itself also on Windows, where others may be able to read the files of a folder.
 */
export async function writeFileAtomic(path: string, bytes: Bytes, { isSecret = false } = {}): Promise<void> {
  await writeAndPublish(path, bytes, isSecret, (temporary) => retryWhileHeld(() => rename(temporary, path)))
}

/** The same for a file that must not exist: of two processes that create it at once, the second gets a `conflict`. */
export async function createFileAtomic(path: string, bytes: Bytes): Promise<void> {
  await writeAndPublish(path, bytes, false, async (temporary) => {
    await linkOrCopy(temporary, path).catch((error) => {
      if (errorCodeOf(error) !== 'EEXIST') throw error
      throw new StudioError('conflict', `${path} already exists.`, { hint: 'Choose another name.', cause: error })
    })
    // The file is there under its name, whether or not the temporary one can be removed.
    await retryWhileHeld(() => rm(temporary)).catch(() => {})
  })
}

/** A USB stick has no links: there a crash leaves a part of the file. */
async function linkOrCopy(from: string, to: string): Promise<void> {
  try {
    await link(from, to)
  } catch (error) {
    if (!isWithoutLinks(error)) throw error
    await copyFile(from, to, constants.COPYFILE_EXCL)
    await syncFile(to).catch(async (failure) => {
      await rm(to, { force: true }).catch(() => {})
      throw failure
    })
  }
}

/** Whether `link` failed because the file system has no hard links. Windows answers EISDIR for one with FAT. */
export function isWithoutLinks(error: unknown): boolean {
  const code = errorCodeOf(error)
  return /^(EPERM|ENOTSUP|EOPNOTSUPP|ENOSYS)$/.test(code) || (code === 'EISDIR' && process.platform === 'win32')
}

async function writeAndPublish(
  path: string,
  bytes: Bytes,
  isSecret: boolean,
  publish: (temporary: string) => Promise<void>,
): Promise<void> {
  const temporary = `${path}.${crypto.randomUUID()}.tmp`
  // On Windows a new file has the rights of its folder until it is protected. Who opens it before then could read what is written later, so a
  // secret is written in a folder of its own.
  const isApart = isSecret && process.platform === 'win32'
  const written = isApart ? join(temporary, 'secret') : temporary
  try {
    requireRegularFile(path, statSync(path, { throwIfNoEntry: false }))
    makeFolder(isApart ? temporary : dirname(path))
    await writeAndSync(written, bytes, isSecret)
    await publish(written)
    await syncFolder(dirname(path))
    if (isApart) await removeTemporary(temporary)
  } catch (error) {
    await removeTemporary(temporary)
    throw toFileError(error, path)
  }
}

async function removeTemporary(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true }).catch(() => {})
}

/** Refuses devices and pipes, so that a file never replaces `/dev/null`. Throws an error that `toFileError` translates. */
export function requireRegularFile(path: string, found: Stats | BigIntStats | undefined): void {
  if (found && !found.isFile() && !found.isDirectory())
    throw Object.assign(new Error(`${path} is no file.`), { code: 'STUDIO_NO_FILE' })
}

/** Creates a folder and its parents, which only this user can use, also on Windows. */
export function makeFolder(path: string): void {
  makeFolders(path, makeOneFolder)
}

function makeOneFolder(path: string): void {
  mkdirSync(path, { mode: 0o700 })
  try {
    protectFromOthers(path, 'folder')
  } catch {
    // A volume without access lists: secrets are not written there, and the doctor reports the folder.
  }
}

/** Windows opens a folder like an empty file; elsewhere reading it fails with the same code. */
export function requireNoFolder(path: string, found: Stats | BigIntStats): void {
  if (found.isDirectory()) throw Object.assign(new Error(`${path} is a folder.`), { code: 'EISDIR' })
}

async function writeAndSync(path: string, bytes: Bytes, isSecret: boolean): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    if (isSecret) protectFromOthers(path, 'file')
    for await (const piece of typeof bytes === 'string' || bytes instanceof Uint8Array ? [bytes] : bytes)
      await file.writeFile(piece)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Makes a rename durable. Windows cannot open a folder and does not need it. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return
  await syncFile(path, 'r').catch((error) => {
    // Some file systems sync no folders. What they do with a rename is up to them.
    if (!/^(EINVAL|ENOTSUP|EOPNOTSUPP|ENOSYS)$/.test(errorCodeOf(error))) throw error
  })
}

async function syncFile(path: string, mode = 'r+'): Promise<void> {
  const file = await open(path, mode)
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

/** What file systems answer that lack something. */
const unsupported = {
  code: 'unavailable' as const,
  reason: 'the file system does not support what studio needs',
  hint: 'Use a local disk: set STUDIO_DB to a file on it.',
}

const fileErrors: Record<string, { code: ErrorCode; reason: string; hint: Hint }> = {
  ENOSPC: {
    code: 'disk_full',
    reason: 'the disk is full',
    hint: 'Free some space and try again; nothing was changed.',
  },
  EDQUOT: {
    code: 'disk_full',
    reason: 'the disk quota is used up',
    hint: 'Free some space and try again; nothing was changed.',
  },
  EFBIG: {
    code: 'disk_full',
    reason: 'it has reached the limit on the size of files',
    hint: 'Raise the limit (ulimit -f) and try again; nothing was changed.',
  },
  EROFS: {
    code: 'read_only',
    reason: 'the file system is read-only',
    hint: 'Set STUDIO_HOME to a folder that you may write to.',
  },
  EACCES: {
    code: 'read_only',
    reason: 'permission was denied',
    hint: 'Fix its permissions, or set STUDIO_HOME to a folder that you own.',
  },
  EPERM: {
    code: 'read_only',
    reason: 'permission was denied',
    hint: 'Fix its permissions, or set STUDIO_HOME to a folder that you own.',
  },
  ENOENT: {
    code: 'read_only',
    reason: 'its folder cannot be created',
    hint: 'Set STUDIO_HOME to a folder that you may write to.',
  },
  EIO: {
    code: 'unavailable',
    reason: 'the disk has failed',
    hint: hint`Check the system log for disk errors, and make a copy: ${suggest('storage.backup', { file: '<file>' })}`,
  },
  ENOLCK: unsupported,
  ENOTSUP: unsupported,
  EOPNOTSUPP: unsupported,
  ENOSYS: unsupported,
  ESTALE: {
    code: 'unavailable',
    reason: 'the server of the file system has lost it',
    hint: 'Try again. Use a local disk: set STUDIO_DB to a file on it.',
  },
  ERR_ACCESS_DENIED: {
    code: 'read_only',
    reason: 'the permission model of Node.js denies it',
    hint: 'Run studio without --permission.',
  },
  EISDIR: {
    code: 'invalid',
    reason: 'there is a folder in its place',
    hint: 'Move the folder away, or set another path.',
  },
  STUDIO_NO_FILE: { code: 'invalid', reason: 'it is a device or a pipe, not a file', hint: 'Set another path.' },
  ENOTDIR: { code: 'invalid', reason: 'a part of its path is a file', hint: 'Set another path.' },
  EEXIST: { code: 'invalid', reason: 'a part of its path is a file', hint: 'Set another path.' },
  ENAMETOOLONG: { code: 'invalid', reason: 'its path is too long', hint: 'Set a shorter path.' },
  ELOOP: { code: 'invalid', reason: 'its path has links that lead in a circle', hint: 'Set another path.' },
}

/** Windows answers the same for a folder in the place of a file, for missing permissions and for a file that is open elsewhere. */
function explainRefusal(path: string) {
  return statIfThere(path)?.isDirectory() ? fileErrors['EISDIR'] : HELD
}

const HELD = {
  code: 'read_only',
  reason: 'permission was denied, or another program has it open',
  hint: 'Close the programs that use it and try again. If you may not write to it, set STUDIO_HOME to a folder that you own.',
} as const

/** Translates a system error into one that names the file and says how to fix it. */
export function toFileError(error: unknown, path: string): unknown {
  const known = isHeldByOthers(error) ? explainRefusal(path) : fileErrors[errorCodeOf(error)]
  return known
    ? new StudioError(known.code, `Cannot use ${path}: ${known.reason}.`, {
        hint: known.hint,
        places: [{ text: path, name: 'a file of studio' }],
        cause: error,
      })
    : error
}
