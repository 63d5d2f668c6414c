import { type Hint, StudioError } from '../../../kernel'
import { formatByteSize } from '../../../kernel/files/byte-size'
import type { AttachmentReader, RemoteAttachment } from '../../../tracker'

/** Where the bytes of a file go. */
export interface ContentTarget {
  /** The number of bytes that it has. */
  readonly size: number
  /** The version that they are of; null if that is not known. */
  readonly version: string | null
  /** Is called before the first byte of each answer. The bytes from `from` on follow: `size`, or 0 if another version begins. */
  begin(from: number, version: string | null): Promise<void>
  write(chunk: Uint8Array): Promise<void>
}

interface Receiving {
  /** For messages: the name of the tracker may contain anything. */
  name: string
  maxBytes: number
  signal: AbortSignal
  onProgress?(done: number, total: number | null): void
}

/** How often a file is continued in one call. One that never ends does not take for ever. */
const MAX_CONTINUATIONS = 20
/** How often in a row without a new byte. */
const MAX_EMPTY_ANSWERS = 3

/** Receives the content of a file. If the connection is cut, it continues where it was; if the file has changed, it begins again. */
export async function receiveContent(
  reader: AttachmentReader,
  attachment: RemoteAttachment,
  target: ContentTarget,
  receiving: Receiving,
): Promise<void> {
  const { name, maxBytes } = receiving
  if (attachment.size !== null && attachment.size > maxBytes) throw new AttachmentTooLargeError(name, maxBytes)
  for (let answers = 1, empty = 0; ; answers++) {
    const before = target.size
    const cut = await receiveOnce(reader, attachment, target, receiving)
    if (cut === null) return
    empty = target.size > before ? 0 : empty + 1
    if (empty >= MAX_EMPTY_ANSWERS || answers > MAX_CONTINUATIONS) throw cut
  }
}

/** Null if the content is complete, else the reason why it is not. */
async function receiveOnce(
  reader: AttachmentReader,
  attachment: RemoteAttachment,
  target: ContentTarget,
  { name, maxBytes, signal, onProgress }: Receiving,
): Promise<StudioError | null> {
  const stream = await reader.open(attachment, { from: target.size, version: target.version }, signal)
  if (stream.from !== target.size && stream.from !== 0)
    throw new StudioError('tracker_answer', `The tracker answered with other bytes of ${name}.`)
  if (stream.size !== null && stream.size > maxBytes) throw new AttachmentTooLargeError(name, maxBytes)
  await target.begin(stream.from, stream.version)
  const chunks = stream.chunks[Symbol.asyncIterator]()
  try {
    for (;;) {
      const next = await nextChunk(chunks)
      if (next instanceof StudioError) return next
      if (next === null) break
      if (target.size + next.length > maxBytes) throw new AttachmentTooLargeError(name, maxBytes)
      await target.write(next)
      onProgress?.(target.size, stream.size)
    }
  } finally {
    await chunks.return?.()
  }
  if (stream.size === null || target.size === stream.size) return null
  return new StudioError(
    'tracker_unavailable',
    `The tracker sent ${target.size} of the ${stream.size} bytes of ${name}.`,
    { hint: 'Try again later.' },
  )
}

/** A connection that was cut is no error yet: the content can be continued. */
async function nextChunk(chunks: AsyncIterator<Uint8Array>): Promise<Uint8Array | StudioError | null> {
  try {
    const { done, value } = await chunks.next()
    return done ? null : value
  } catch (error) {
    const isCut = error instanceof StudioError && ['tracker_unavailable', 'tracker_timeout'].includes(error.code)
    if (isCut) return error
    throw error
  }
}

/** What may be done about it depends on who reads the file. */
export class AttachmentTooLargeError extends StudioError {
  constructor(
    readonly fileName: string,
    readonly maxBytes: number,
    hint: Hint | null = null,
  ) {
    super('invalid', `${fileName} is larger than ${formatByteSize(maxBytes)}.`, { hint })
  }

  withHint(hint: Hint): AttachmentTooLargeError {
    return new AttachmentTooLargeError(this.fileName, this.maxBytes, hint)
  }
}

/** Keeps a small file in memory. */
export class MemoryTarget implements ContentTarget {
  size = 0
  version: string | null = null
  #chunks: Uint8Array[] = []

  async begin(from: number, version: string | null): Promise<void> {
    if (from === 0) [this.size, this.#chunks] = [0, []]
    this.version = version
  }

  async write(chunk: Uint8Array): Promise<void> {
    this.#chunks.push(chunk)
    this.size += chunk.length
  }

  get bytes(): Buffer {
    return Buffer.concat(this.#chunks)
  }
}

/** Passes the bytes on, which cannot be taken back. */
export class OutputTarget implements ContentTarget {
  size = 0
  version: string | null = null

  constructor(
    readonly name: string,
    readonly output: (bytes: Uint8Array) => void,
  ) {}

  async begin(from: number, version: string | null): Promise<void> {
    if (from !== this.size)
      throw new StudioError('tracker_unavailable', `The connection was cut, and ${this.name} cannot be continued.`, {
        hint: 'Repeat the command, and leave out what it has written; or save the file to a folder, where it begins again.',
      })
    this.version = version
  }

  async write(chunk: Uint8Array): Promise<void> {
    this.output(chunk)
    this.size += chunk.length
  }
}
