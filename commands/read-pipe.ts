import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'

const CHUNK_BYTES = 64 * 1024
const LOOK_AGAIN_MS = 20

/**
 * The bytes of a named pipe or a device. It is opened and read without blocking, because a blocked call cannot be ended: a process
 * that waits for a writer would go on waiting after the first signal.
 * @param awaitsWriter true for a named pipe, which has no writer at first and ends with its last one.
 */
export async function* readPipe(
  path: string,
  { awaitsWriter, signal }: { awaitsWriter: boolean; signal: AbortSignal },
): AsyncGenerator<Buffer> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    for (let hasWriter = !awaitsWriter; ; ) {
      signal.throwIfAborted()
      const chunk = await readAvailable(file)
      if (chunk === 'end' && hasWriter) return
      if (chunk !== 'end') hasWriter = true
      if (typeof chunk === 'string') await setTimeout(LOOK_AGAIN_MS, undefined, { signal })
      else yield chunk
    }
  } finally {
    await file.close()
  }
}

/** What is there now; `nothing` where a writer has it open and has written no more, `end` where no writer has. */
async function readAvailable(file: FileHandle): Promise<Buffer | 'nothing' | 'end'> {
  try {
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(CHUNK_BYTES), 0, CHUNK_BYTES, null)
    return bytesRead === 0 ? 'end' : buffer.subarray(0, bytesRead)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return 'nothing'
    throw error
  }
}
