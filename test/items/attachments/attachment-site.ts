import { createHash } from 'node:crypto'
import { onTestFinished } from 'vitest'
import { type AnyOperation, execute, StudioError } from '../../../src/kernel'
import { openMemoryDatabase } from '../../../src/storage'
import { migrations, openStudio } from '../../../src/studio'
import {
  type AttachmentOutcome,
  type ContentStream,
  type NewAttachment,
  openTracker,
  type RemoteAttachment,
  type StreamPosition,
} from '../../../src/tracker'
import { startTestSandbox } from '../../sandbox/test-sandbox'
import { temporaryFolder } from '../../temporary-folder'

export interface RemoteFile extends RemoteAttachment {
  content: Buffer
  version: string | null
}

type Answer = (file: RemoteFile, position: StreamPosition) => Partial<ContentStream>

/** A tracker whose attachments are in memory, and a workspace that uses it. */
export async function openAttachmentSite({
  maxBytes = null,
  cwd = temporaryFolder(),
}: {
  maxBytes?: number | null
  cwd?: string
} = {}) {
  const sandbox = await startTestSandbox({})
  const files = new Map<number, RemoteFile[]>()
  const opened: { id: string; position: StreamPosition }[] = []
  const added: { file: NewAttachment; bytes: Buffer }[] = []
  const answers: Answer[] = []
  const outcomes: ((added: RemoteFile) => AttachmentOutcome | Promise<AttachmentOutcome>)[] = []
  const output: Buffer[] = []
  let input: Uint8Array[] = []
  const db = await openMemoryDatabase(migrations)
  const studio = openStudio({
    env: { STUDIO_HOME: '/nowhere' },
    cwd,
    db,
    streams: {
      async *readInput() {
        yield* input
      },
      writeOutput: (bytes) => void output.push(Buffer.from(bytes)),
    },
    openTracker: async () => {
      const tracker = await openTracker({
        url: sandbox.url,
        project: sandbox.project,
        token: null,
        limits: { baseBackoffMs: 1, maxBackoffMs: 2 },
      })
      return {
        ...tracker,
        parts: {
          ...tracker.parts,
          attachments: {
            list: async (itemId, signal) => {
              await tracker.getShape(itemId, signal)
              return (files.get(itemId) ?? []).map(({ content: _content, version: _version, ...file }) => file)
            },
            async open({ id }, position) {
              opened.push({ id, position })
              const file = [...files.values()].flat().find((one) => one.id === id)
              if (!file) throw new StudioError('not_found', 'The file is gone.')
              const own = answers.shift()?.(file, position) ?? {}
              const from = position.version !== null && position.version === file.version ? position.from : 0
              return { ...whole(file, from), ...own }
            },
          },
          uploads: {
            maxBytes,
            async add(file) {
              const bytes: Uint8Array[] = []
              for await (const chunk of file.content.open()) bytes.push(chunk)
              const content = Buffer.concat(bytes)
              added.push({ file, bytes: content })
              const attachment = remoteFile(file.name, content, { id: `new-${added.length}` })
              const outcome = await outcomes.shift()?.(attachment)
              if (outcome) return outcome
              files.set(file.itemId, [...(files.get(file.itemId) ?? []), attachment])
              return { status: 'added', attachment }
            },
          },
        },
      }
    },
  })
  onTestFinished(async () => {
    await studio.close()
    await sandbox.close()
  })
  const context = (signal?: AbortSignal) =>
    studio.context({ actor: { kind: 'terminal', tenant: 'default' }, ...(signal && { signal }) })
  return {
    cwd,
    db,
    studio,
    sandbox,
    files,
    opened,
    added,
    /** How the next files are answered, in place of the whole content. */
    answers,
    outcomes,
    output,
    context,
    type: (...chunks: Uint8Array[]) => {
      input = chunks
    },
    run: (op: AnyOperation, given: unknown, signal?: AbortSignal): Promise<any> => execute(op, given, context(signal)),
    async refusal(op: AnyOperation, given: unknown): Promise<StudioError> {
      try {
        await execute(op, given, context())
      } catch (error) {
        if (error instanceof StudioError) return error
        throw error
      }
      throw new Error('The call was not refused.')
    },
  }
}

export function remoteFile(name: string, content: Buffer | string, given: Partial<RemoteFile> = {}): RemoteFile {
  const bytes = Buffer.from(content)
  const id = createHash('sha1').update(name).update(bytes).digest('hex').slice(0, 8)
  return {
    id,
    name,
    size: bytes.length,
    mediaType: null,
    author: null,
    createdAt: '2026-11-20T08:00:00.000Z',
    url: `https://tracker.example/files/${given.id ?? id}`,
    content: bytes,
    version: `"${given.id ?? id}"`,
    ...given,
  }
}

export function whole({ content, version }: RemoteFile, from: number): ContentStream {
  return { from, size: content.length, version, mediaType: null, chunks: inPieces(content.subarray(from)) }
}

/** Bytes in small pieces; after some of them, the connection is cut. */
export async function* inPieces(
  bytes: Buffer,
  cutAfter = Number.POSITIVE_INFINITY,
  piece = 1000,
): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += piece) {
    if (at >= cutAfter) throw new StudioError('tracker_unavailable', 'The connection was cut.')
    yield bytes.subarray(at, at + piece)
  }
}
