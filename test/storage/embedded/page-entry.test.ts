import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeCommit, encodeCommit, MAGIC, MIN_HOLE_BYTES } from '../../../src/storage/embedded/log/log-record'
import { applyEntry, decodeEntry, encodePage, type PageImage } from '../../../src/storage/embedded/log/page-entry'

const PAGE_BYTES = 512

/** Changes of a few ranges of a page. */
const edit = fc.record({
  at: fc.nat({ max: PAGE_BYTES - 1 }),
  bytes: fc.uint8Array({ minLength: 1, maxLength: 60 }),
})

function applyEdits(bytes: Uint8Array, edits: readonly { at: number; bytes: Uint8Array }[]): Uint8Array {
  const after = new Uint8Array(bytes)
  for (const { at, bytes } of edits) after.set(bytes.subarray(0, PAGE_BYTES - at), at)
  return after
}

describe('the entries of a page', () => {
  it('give each of its images back, from the last one that needs no earlier one', () => {
    fc.assert(
      fc.property(fc.array(fc.array(edit, { maxLength: 4 }), { minLength: 1, maxLength: 40 }), (commits) => {
        let image: PageImage | null = null
        let chain: Buffer[] = []
        for (const edits of commits) {
          const bytes = applyEdits(image?.bytes ?? new Uint8Array(PAGE_BYTES), edits)
          const encoded = encodePage(7, bytes, image)
          if (encoded === null) {
            expect(bytes).toEqual(image!.bytes)
            continue
          }
          chain = encoded.depth === 0 ? [encoded.entry] : [...chain, encoded.entry]
          image = { bytes, depth: encoded.depth }
          const read = new Uint8Array(PAGE_BYTES)
          for (const entry of chain) expect(applyEntry(read, decodeEntry(entry, 0)!)).toBe(true)
          expect(read).toEqual(bytes)
          expect(decodeEntry(chain.at(-1)!, 0)).toMatchObject({ page: 7, checksum: crc32(bytes), depth: encoded.depth })
          expect(chain.length).toBeLessThanOrEqual(13)
        }
      }),
    )
  })

  it('are as long as the change, not as the page', () => {
    const before = { bytes: new Uint8Array(4_096).fill(3), depth: 0 }
    const bytes = new Uint8Array(before.bytes)
    bytes[2_000] = 9
    expect(encodePage(1, bytes, before)!.entry.length).toBeLessThan(32)
  })

  it('contain no run of zeros and no magic of a record, whatever is on the page', () => {
    const zeros = new Uint8Array(4_096).fill(1)
    const magic = Buffer.alloc(4_096, MAGIC)
    for (const bytes of [new Uint8Array(4_096), zeros, magic]) {
      const { entry } = encodePage(1, bytes, { bytes: new Uint8Array(4_096).fill(0xaa), depth: 0 })!
      expect(entry.includes(Buffer.alloc(MIN_HOLE_BYTES))).toBe(false)
      expect(entry.includes(MAGIC)).toBe(false)
    }
  })
})

describe('a commit in the log', () => {
  it('gives its names and entries back, also with padding after them', () => {
    const entries = [1, 2, 3].map((page) => encodePage(page, new Uint8Array(PAGE_BYTES).fill(page), null)!.entry)
    const payload = Buffer.concat([encodeCommit(entries, ['draft', 'workspace_version']), Buffer.alloc(9, ' ')])
    const commit = decodeCommit(payload)!
    expect(commit.names).toEqual(['draft', 'workspace_version'])
    expect(commit.entries.map(({ page }) => page)).toEqual([1, 2, 3])
    for (const { at, page } of commit.entries) expect(decodeEntry(payload, at)!.page).toBe(page)
  })
})
