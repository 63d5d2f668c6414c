import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { addAbortSignal, type Readable } from 'node:stream'
import { StudioError } from '../../src/kernel/errors'
import { openPipe } from '../../src/storage/services/read-pipe'

const MAX_BYTES = 64 * 1024 * 1024

export interface TextFile {
  text: string
  /** ISO 8601; null for anything but a regular file. */
  modifiedAt: string | null
}

/** Reads a file in UTF-8, or in UTF-16 with a byte order mark. Errors call it `name`. The signal ends a wait for its content. */
export async function readTextFile(path: string, name: string, signal: AbortSignal): Promise<TextFile> {
  const { bytes, modifiedAt } = await readFileBytes(path, { name, signal })
  return { text: decodeText(bytes, name), modifiedAt }
}

/** Reads a file as it is, of at most `max` bytes. */
export async function readFileBytes(
  path: string,
  { name, signal, max = MAX_BYTES }: { name: string; signal: AbortSignal; max?: number },
): Promise<{ bytes: Buffer; modifiedAt: string | null }> {
  try {
    const found = await stat(path)
    if (found.isFile() && found.size > max) throw createSizeError(name, max)
    const isPipeOrDevice = found.isFIFO() || found.isCharacterDevice()
    const chunks = isPipeOrDevice ? openPipe(path, signal) : createReadStream(path, { signal })
    const bytes = await readAll(chunks, name, max)
    return { bytes, modifiedAt: found.isFile() ? found.mtime.toISOString() : null }
  } catch (error) {
    if (error instanceof StudioError || signal.aborted) throw error
    throw new StudioError('invalid', `${name}: ${describeFileError(error as NodeJS.ErrnoException)}.`, { cause: error })
  }
}

/** Reads a whole stream, within limits. The signal ends the wait for it. */
export async function readText(stream: Readable, name: string, signal: AbortSignal): Promise<string> {
  return decodeText(await readBytes(stream, { name, signal }), name)
}

/** The same, as it is. */
export function readBytes(
  stream: Readable,
  { name, signal, max = MAX_BYTES }: { name: string; signal: AbortSignal; max?: number },
): Promise<Buffer> {
  return readAll(addAbortSignal(signal, stream), name, max)
}

async function readAll(source: AsyncIterable<Buffer>, name: string, max: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of source) {
    chunks.push(chunk)
    size += chunk.length
    if (size > max) throw createSizeError(name, max)
  }
  return Buffer.concat(chunks)
}

/** The first bytes of a workbook: a ZIP file (.xlsx, .ods) or the older format (.xls). */
const WORKBOOKS = [Buffer.from('PK\u0003\u0004'), Buffer.from('d0cf11e0a1b11ae1', 'hex')]

function decodeText(bytes: Buffer, name: string): string {
  if (WORKBOOKS.some((mark) => bytes.subarray(0, mark.length).equals(mark)))
    throw new StudioError('invalid', `${name}: it is a workbook (.xlsx) or another compressed file, not text.`, {
      hint: 'Save it as text (a sheet as "CSV UTF-8") and use that file.',
    })
  const encoding =
    bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : 'utf-8'
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: encoding === 'utf-8' }).decode(bytes)
  } catch (error) {
    throw new StudioError('invalid', `${name}: it is not UTF-8 text.`, {
      hint: 'Save it as UTF-8; a spreadsheet calls that "CSV UTF-8".',
      cause: error,
    })
  }
}

function createSizeError(name: string, max: number): StudioError {
  return new StudioError('invalid', `${name}: it is larger than ${max / 1024 / 1024} MiB.`, {
    hint: max === MAX_BYTES ? 'Split the file and use its parts one by one.' : 'Make it smaller.',
  })
}

function describeFileError({ code }: NodeJS.ErrnoException): string {
  if (code === 'ENOENT') return 'the file does not exist'
  return code === 'EISDIR' ? 'it is a folder, not a file' : 'it cannot be read'
}
