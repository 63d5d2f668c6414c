import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'

const CHUNK_BYTES = 64 * 1024
const LOOK_AGAIN_MS = 20

/** How to open what may be a named pipe: a blocked call cannot be interrupted, and would wait for a writer. */
export const READ_AT_ONCE = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)

/** A pipe that a shell has opened for this process, as for `--file <(command)`. Its writer may have ended already. */
const DESCRIPTOR = /^\/(?:dev\/fd|proc\/[^/]+\/fd)\/|^\/dev\/std/

/** Opens a named pipe or a device, reads it to its end, and closes it. */
export async function* openPipe(path: string, signal: AbortSignal): AsyncGenerator<Buffer> {
  const file = await open(path, READ_AT_ONCE)
  try {
    yield* readPipe(file, { path, signal })
  } finally {
    await file.close()
  }
}

/**
 * Reads an opened named pipe or device without blocking. A named pipe has no writer at first, and ends with its last one. It must be opened only
 * once: a reader that opens it after the last writer has closed it gets no sign of the end.
 */
export async function* readPipe(
  file: FileHandle,
  { path, signal }: { path: string; signal: AbortSignal },
): AsyncGenerator<Buffer> {
  const awaitsWriter = (await file.stat()).isFIFO() && !DESCRIPTOR.test(path)
  for (let hasWriter = !awaitsWriter; ; ) {
    signal.throwIfAborted()
    const chunk = await readAvailable(file)
    if (chunk === 'end' && hasWriter) return
    if (chunk !== 'end') hasWriter = true
    if (typeof chunk === 'string') await setTimeout(LOOK_AGAIN_MS, undefined, { signal })
    else yield chunk
  }
}

/** The bytes that are available; `nothing` if a writer has the pipe open but wrote no more, `end` if no writer has it open. */
async function readAvailable(file: FileHandle): Promise<Buffer | 'nothing' | 'end'> {
  try {
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(CHUNK_BYTES), 0, CHUNK_BYTES, null)
    return bytesRead === 0 ? 'end' : buffer.subarray(0, bytesRead)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return 'nothing'
    throw error
  }
}
