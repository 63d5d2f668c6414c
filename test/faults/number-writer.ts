import { writeSync } from 'node:fs'
import { createItemNumbers } from '../../src/items/services/item-numbers'
import { openDatabase } from '../../src/storage'
import { migrations } from '../../src/studio'

/** What the process does with the database. Its only argument is this object as JSON. */
export interface NumberOrder {
  address: string
  /** The identity and the name of the tracker. */
  identity: string
  name: string
  /** It allocates numbers for the items 1 to `count`, in this many steps. */
  count: number
  steps: number
  /** It does not end by itself, because a busy machine may kill it late. */
  isKilled?: boolean
}

/** Prints `given 12 1000000004` for each number after its step was committed. */
async function main({ address, identity, name, count, steps, isKilled }: NumberOrder): Promise<void> {
  const db = await openDatabase(address, migrations)
  const numbers = createItemNumbers(db, { name, identify: async () => identity })
  const { signal } = new AbortController()
  const size = Math.ceil(count / steps)
  writeSync(1, 'open\n')
  for (let first = 1; first <= count; first += size) {
    const ids = Array.from({ length: Math.min(size, count - first + 1) }, (_, index) => first + index)
    const given = await numbers.allocateLocal(ids, signal)
    writeSync(1, `${[...given].map(([id, local]) => `given ${id} ${local}\n`).join('')}step\n`)
  }
  if (isKilled) setInterval(() => {}, 1_000)
  else await db.close()
}

await main(JSON.parse(process.argv[2]!))
