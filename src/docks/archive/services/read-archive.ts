import { createReadStream } from 'node:fs'
import { createGunzip } from 'node:zlib'
import { StudioError } from '../../../kernel'
import { parseJson } from '../../../kernel/json'
import { toFileError } from '../../../storage'
import { MAX_ATTACHMENTS, MAX_CONTENT_LENGTH } from '../../attachments/rules/limits'
import type { ArchivedAppointment } from '../../queries'
import { ARCHIVE_VERSION, ArchiveEntry, ArchiveHeader, ArchiveTrailer } from './archive-file'

/** Limits the memory for a file that was made to be huge when it is unpacked. */
const MAX_LINE_LENGTH = 16 * 1024 * 1024 + MAX_ATTACHMENTS * MAX_CONTENT_LENGTH
/** A batch ends early when its lines have this length together. */
const MAX_BATCH_LENGTH = 4 * 1024 * 1024

/** Reads the description of a file. Throws `invalid` for any other file. */
export async function readArchiveHeader(path: string): Promise<ArchiveHeader> {
  for await (const text of readLines(path)) return parseHeader(path, text)
  throw invalidFile(path, 'it is empty')
}

/** Reads a file in batches. Throws `invalid` for any other file, with the line. Only the last batch shows whether the file is complete. */
export async function* readArchive(path: string, batchSize: number): AsyncGenerator<ArchivedAppointment[]> {
  let batch: ArchivedAppointment[] = []
  let batchLength = 0
  let line = 0
  let count = 0
  let isComplete = false
  for await (const text of readLines(path)) {
    line++
    if (line === 1) {
      parseHeader(path, text)
      continue
    }
    if (isComplete) throw invalidFile(path, `line ${line} is after its end`)
    const value = parseJson(text)
    const trailer = ArchiveTrailer.safeParse(value)
    isComplete = trailer.success && trailer.data.appointments === count
    if (isComplete) continue
    const entry = ArchiveEntry.safeParse(value)
    if (!entry.success) throw invalidFile(path, `line ${line} is not an appointment`)
    count++
    batch.push(entry.data)
    batchLength += text.length
    if (batch.length < batchSize && batchLength < MAX_BATCH_LENGTH) continue
    yield batch
    batch = []
    batchLength = 0
  }
  if (batch.length > 0) yield batch
  if (!isComplete) throw invalidFile(path, line === 0 ? 'it is empty' : 'its end is missing')
}

function parseHeader(path: string, text: string): ArchiveHeader {
  const header = ArchiveHeader.safeParse(parseJson(text))
  if (!header.success) throw invalidFile(path, 'it is not an archive of appointments')
  if (header.data.studioArchive > ARCHIVE_VERSION) throw invalidFile(path, 'a newer version of studio wrote it')
  return header.data
}

async function* readLines(path: string): AsyncGenerator<string> {
  const source = createReadStream(path)
  const unzipped = source.pipe(createGunzip())
  source.on('error', (error) => unzipped.destroy(error))
  const decoder = new TextDecoder()
  let parts: string[] = []
  let length = 0
  try {
    for await (const chunk of unzipped) {
      const [first, ...others] = decoder.decode(chunk, { stream: true }).split('\n') as [string, ...string[]]
      parts.push(first)
      length += first.length
      if (length > MAX_LINE_LENGTH) throw invalidFile(path, 'it has a line that is too long')
      if (others.length === 0) continue
      yield parts.join('')
      const rest = others.pop()!
      yield* others
      parts = [rest]
      length = rest.length
    }
  } catch (error) {
    throw toReadError(error, path)
  } finally {
    source.destroy()
    unzipped.destroy()
  }
  if (length > 0) yield parts.join('')
}

function toReadError(error: unknown, path: string): unknown {
  const code = (error as NodeJS.ErrnoException).code ?? ''
  if (code === 'ENOENT') return new StudioError('not_found', `There is no file ${path}.`, { hint: 'Check the path.' })
  if (code.startsWith('Z_')) return invalidFile(path, 'it is damaged or not an archive of appointments')
  return toFileError(error, path)
}

function invalidFile(path: string, reason: string): StudioError {
  return new StudioError('invalid', `${path} cannot be read: ${reason}.`, {
    hint: 'Specify a file that studio appointment archive has written, or a copy of it.',
  })
}
