import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { StudioError } from '../../../kernel'
import { errorCodeOf } from '../../../kernel/errors'
import { formatByteSize } from '../../../kernel/files/byte-size'
import { toSafeFileName } from '../../../kernel/files/file-name'
import { chooseMediaType, TYPE_BYTES } from '../../../kernel/files/file-type'

import { makeTemporaryFolder, READ_AT_ONCE, readPipe, toFileError } from '../../../storage'
import type { FileToSend } from './send-attachments'

interface OpenedFile extends FileToSend {
  close(): Promise<void>
}

/** Opens a file of this machine to send it. It is read in pieces, and only if it stays as it is now. */
export async function openLocalFile(
  path: string,
  name: string | undefined,
  signal: AbortSignal,
  maxBytes: number | null = null,
): Promise<OpenedFile> {
  const file = await open(path, READ_AT_ONCE).catch((error) => {
    throw describeOpenError(error, path)
  })
  try {
    const found = await file.stat()
    if (found.isDirectory()) throw new StudioError('invalid', `${path}: it is a folder, not a file.`)
    const given = name ?? 'attachment'
    if (found.isFIFO()) {
      const stored = await spool(readPipe(file, { path, signal }), given, signal, maxBytes)
      await file.close()
      return stored
    }
    if (!found.isFile()) return await spool(file.createReadStream({ autoClose: true, signal }), given, signal, maxBytes)
    return await describeFile(file, toSafeFileName(name ?? basename(path)), () => file.close())
  } catch (error) {
    await file.close().catch(() => {})
    throw error
  }
}

/** The largest stream where the tracker does not say what it takes: it is stored on the disk until it is sent. */
const MAX_SPOOLED_BYTES = 1_000_000_000

/** Stores a stream in a temporary file, because a request that is repeated needs its bytes again, and every request its size. */
export async function spool(
  input: AsyncIterable<Uint8Array>,
  name: string,
  signal: AbortSignal,
  limit: number | null,
): Promise<OpenedFile> {
  const maxBytes = Math.min(limit ?? MAX_SPOOLED_BYTES, MAX_SPOOLED_BYTES)
  const folder = await makeTemporaryFolder('studio-')
  const remove = () => rm(folder, { recursive: true, force: true })
  const path = join(folder, 'input')
  let file: FileHandle | null = null
  try {
    const stored = await open(path, 'wx+', 0o600)
    file = stored
    let size = 0
    for await (const chunk of input) {
      signal.throwIfAborted()
      size += chunk.length
      if (size > maxBytes)
        throw new StudioError('invalid', `The input has more than ${formatByteSize(maxBytes)}.`, {
          hint:
            limit === null || limit > maxBytes
              ? 'A stream can have no more. Save it to a file, and attach the file.'
              : 'The tracker takes no larger file. Make it smaller, or store it elsewhere and link to it.',
        })
      await stored.writeFile(chunk)
    }
    return await describeFile(stored, toSafeFileName(name), async () => {
      await stored.close()
      await remove()
    })
  } catch (error) {
    await file?.close().catch(() => {})
    await remove()
    throw toFileError(error, folder)
  }
}

async function describeFile(file: FileHandle, name: string, close: () => Promise<void>): Promise<OpenedFile> {
  const { size } = await file.stat()
  const start = Buffer.alloc(TYPE_BYTES)
  const { bytesRead } = await file.read(start, 0, TYPE_BYTES, 0)
  const hash = createHash('sha256')
  for await (const chunk of readFrom(file, size)) hash.update(chunk)
  const sha256 = hash.digest('hex')
  const content = { size, open: () => readUnchanged(file, { size, sha256, name }) }
  return { name, mediaType: chooseMediaType(name, start.subarray(0, bytesRead)), sha256, content, close }
}

/** The bytes that were checked, or an error before the last one: what was shown is what is sent. */
async function* readUnchanged(
  file: FileHandle,
  { size, sha256, name }: { size: number; sha256: string; name: string },
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256')
  let held: Uint8Array | null = null
  let read = 0
  for await (const chunk of readFrom(file, size)) {
    hash.update(chunk)
    read += chunk.length
    if (held !== null) yield held
    held = chunk
  }
  if (read !== size || hash.digest('hex') !== sha256)
    throw new StudioError('conflict', `${name} changed while it was sent. It was not attached.`, {
      hint: 'Repeat the command when no program writes the file.',
    })
  if (held !== null) yield held
}

async function* readFrom(file: FileHandle, size: number): AsyncGenerator<Uint8Array> {
  if (size === 0) return
  yield* createReadStream('', { fd: file, autoClose: false, start: 0, end: size - 1 })
}

function describeOpenError(error: unknown, path: string): unknown {
  const reasons: Record<string, string> = {
    ENOENT: 'the file does not exist',
    EACCES: 'it cannot be read',
    EISDIR: 'it is a folder, not a file',
  }
  const reason = reasons[String(errorCodeOf(error))]
  return reason === undefined
    ? toFileError(error, path)
    : new StudioError('invalid', `${path}: ${reason}.`, { cause: error })
}
