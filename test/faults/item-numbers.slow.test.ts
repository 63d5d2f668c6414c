import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { build } from 'esbuild'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { ItemTables } from '../../src/items/migrations'
import { createItemNumbers } from '../../src/items/services/item-numbers'
import { openDatabase, tables } from '../../src/storage'
import { migrations } from '../../src/studio'
import { describeWithPostgres } from '../storage/postgres/server'
import { temporaryFolder } from '../temporary-folder'
import type { NumberOrder } from './number-writer'

const FIRST = 1_000_000_001
const program = resolve('node_modules/.cache/studio/number-writer.mjs')

beforeAll(() =>
  build({
    entryPoints: ['test/faults/number-writer.ts'],
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'warning',
  }),
)

/** The numbers that a process has reported, by ID. */
type Given = Map<number, number>

/** Runs the process; kills it right after a step, if `killAfter` is given, while it is in the next one. */
async function allocate(order: NumberOrder, killAfter: number | null = null): Promise<Given> {
  const words = [program, JSON.stringify({ ...order, isKilled: killAfter !== null })]
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  const given: Given = new Map()
  let steps = 0
  createInterface({ input: child.stdout }).on('line', (line) => {
    const [, id, local] = /^given (\d+) (\d+)$/.exec(line) ?? []
    if (id !== undefined) given.set(Number(id), Number(local))
    else if ((line === 'open' ? 0 : ++steps) === killAfter) child.kill('SIGKILL')
  })
  const [code, signal] = await once(child, 'close')
  expect([code, signal]).toEqual(killAfter === null ? [0, null] : [null, 'SIGKILL'])
  return given
}

const trackers = [
  { identity: 'github.com/acme/harbor', name: 'gh' },
  { identity: 'jira.example/abc', name: 'jira' },
] as const
const COUNT = 600
const order = (address: string, which: 0 | 1): NumberOrder => ({ address, ...trackers[which], count: COUNT, steps: 12 })

/** The stored numbers of each tracker, by ID. Fails if a number is there twice, or if there is a gap. */
async function readNumbers(address: string): Promise<ReadonlyMap<number, number>[]> {
  const db = await openDatabase(address, migrations)
  try {
    const rows = await db.read((tx) =>
      tables<ItemTables>(tx).selectFrom('item_number').selectAll().orderBy('local_number').execute(),
    )
    expect(rows.map((row) => row.local_number)).toEqual(rows.map((_, index) => FIRST + index))
    return await Promise.all(
      trackers.map(({ identity, name }) =>
        createItemNumbers(db, { name, identify: async () => identity }).findLocal(
          Array.from({ length: COUNT }, (_, index) => index + 1),
          new AbortController().signal,
        ),
      ),
    )
  } finally {
    await db.close()
  }
}

/** Every number that a process has reported is stored as it was reported. */
function expectKept(reported: Given, stored: ReadonlyMap<number, number>): void {
  expect([...reported].map(([id]) => [id, stored.get(id)])).toEqual([...reported])
}

function checkProcesses(createAddress: () => Promise<string>): void {
  it('gives each item one number if two processes allocate those of one tracker at once', async () => {
    const address = await createAddress()
    const [one, other] = await Promise.all([allocate(order(address, 0)), allocate(order(address, 0))])
    expect(one.size).toBe(COUNT)
    expect(other).toEqual(one)
    const [stored, none] = await readNumbers(address)
    expect(stored).toEqual(one)
    expect(none!.size).toBe(0)
  })

  it('gives no number twice if two processes allocate those of two trackers at once', async () => {
    const address = await createAddress()
    const [one, other] = await Promise.all([allocate(order(address, 0)), allocate(order(address, 1))])
    expect(new Set([...one.values(), ...other.values()]).size).toBe(2 * COUNT)
    expect(await readNumbers(address)).toEqual([one, other])
  })

  it('keeps every number that a killed process has given, and gives the others afterwards', async () => {
    const address = await createAddress()
    const reported: Given = new Map()
    for (const killAfter of [0, 2, 6]) {
      const beside = allocate(order(address, 1))
      for (const [id, local] of await allocate(order(address, 0), killAfter)) {
        expect(reported.get(id) ?? local).toBe(local)
        reported.set(id, local)
      }
      const others = await beside
      const [stored, storedOthers] = await readNumbers(address)
      expectKept(reported, stored!)
      expect(storedOthers).toEqual(others)
    }
    expect(reported.size).toBeGreaterThan(0)
    const complete = await allocate(order(address, 0))
    expect(complete.size).toBe(COUNT)
    expectKept(reported, complete)
    expect((await readNumbers(address))[0]).toEqual(complete)
  })
}

describe('local numbers in a file', () => {
  checkProcesses(async () => join(temporaryFolder(), 'studio.db'))
})

describeWithPostgres('local numbers on PostgreSQL', (server) => {
  checkProcesses(() => server().createDatabase())
})
