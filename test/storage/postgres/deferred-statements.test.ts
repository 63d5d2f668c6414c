import { EventEmitter } from 'node:events'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import type { PoolClient } from '../../../src/storage/postgres/pool'
import { ServerTransaction } from '../../../src/storage/postgres/server-transaction'

const STATEMENTS = 200_000
const MAX_BYTES = 4 * 2 ** 20

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

function measureHeap(): number {
  collectGarbage()
  return process.memoryUsage().heapUsed
}

it('a transaction remembers nothing of the many statements that it did not wait for', async () => {
  const query = async ({ text }: { text: string }) => ({ command: text.toUpperCase(), rowCount: 1, rows: [] })
  const client = Object.assign(new EventEmitter(), { query }) as unknown as PoolClient
  const transaction = new ServerTransaction(client, { begin: 'begin', queryTimeoutMs: 0 })
  await transaction.sendLater('insert', [])
  const before = measureHeap()
  for (let i = 0; i < STATEMENTS; i++) await transaction.sendLater('insert', [])
  expect(measureHeap() - before).toBeLessThan(MAX_BYTES)
  await transaction.commit()
})
