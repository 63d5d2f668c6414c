import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ThreadedBatch } from '../../../src/search/file-index/threaded-batch'
import { temporaryFolder } from '../../temporary-folder'

/** A thread that fails to write, and says in a file that it was asked to remove what it wrote. */
const FAILING = new URL(
  `data:text/javascript,${encodeURIComponent(`
  import { writeFileSync } from 'node:fs'
  import { parentPort, workerData } from 'node:worker_threads'
  parentPort.on('message', (task) => {
    if ('abandon' in task) writeFileSync(workerData.indexAt, '')
    parentPort.postMessage('abandon' in task ? { entries: [] } : { failed: 'The disk is full' })
  })
`)}`,
)

/** A thread that ends at its first task. */
const ENDING = new URL(
  `data:text/javascript,${encodeURIComponent(`
  import { parentPort } from 'node:worker_threads'
  parentPort.on('message', () => process.exit())
`)}`,
)

describe('a thread that collects entities', () => {
  it('removes what it has written, also after it has failed', async () => {
    const asked = join(temporaryFolder(), 'asked')
    const batch = new ThreadedBatch(FAILING, asked, { isAwaited: true })
    await expect(batch.finish()).rejects.toThrow('The disk is full')
    await batch.abandon()
    expect(existsSync(asked)).toBe(true)
  })

  it('fails when it ends before it has answered', async () => {
    const batch = new ThreadedBatch(ENDING, temporaryFolder(), { isAwaited: true })
    await expect(batch.finish()).rejects.toThrow('the thread has ended')
    await batch.abandon()
  })
})
