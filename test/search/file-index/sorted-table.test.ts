import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FrameFile, FrameWriter } from '../../../src/search/file-index/frame-file'
import { createMemoryDisk } from '../../../src/search/file-index/memory-disk'
import { SortedTable, SortedTableWriter, sortKeys } from '../../../src/search/file-index/sorted-table'

function tableOf(keys: readonly string[]): SortedTable {
  const disk = createMemoryDisk()
  const frames = new FrameWriter('table', disk)
  const writer = new SortedTableWriter(frames)
  for (const key of sortKeys([...keys])) writer.add(key, Buffer.from(`value of ${key}`))
  const root = writer.finish()
  frames.close()
  return new SortedTable(new FrameFile('table', disk), root)
}

/** Few letters, so that keys share beginnings; among them bytes that sort in another order than UTF-16 units. */
const key = fc
  .tuple(fc.string({ unit: fc.constantFrom('a', 'b', 'é', '字', '\uffee', '🚛', '🚚'), maxLength: 6 }), fc.nat(60))
  .map(([letters, length]) => letters + 'a'.repeat(length))
const keys = fc.uniqueArray(key, { maxLength: 400 })

describe('a sorted table', () => {
  it('finds the value of each key, and of no other', () => {
    fc.assert(
      fc.property(keys, key, (known, other) => {
        const table = tableOf(known)
        for (const one of known) expect(table.get(one)?.toString()).toBe(`value of ${one}`)
        if (!known.includes(other)) expect(table.get(other)).toBeNull()
      }),
      { numRuns: 60 },
    )
  })

  it('lists the entries whose keys begin with a prefix, in order', () => {
    fc.assert(
      fc.property(keys, key, (known, prefix) => {
        const listed = [...tableOf(known).entriesWithPrefix(prefix)]
        const wanted = sortKeys(known.filter((one) => one.startsWith(prefix)))
        expect(listed.map((entry) => entry.key)).toEqual(wanted)
        for (const entry of listed) expect(entry.value.toString()).toBe(`value of ${entry.key}`)
      }),
      { numRuns: 60 },
    )
  })
})
