import { expect, it, vi } from 'vitest'
import { getItem } from '../../../src/items/operations/get-item'
import { listItemHistory } from '../../../src/items/operations/list-item-history'
import { insertSnapshots } from '../../../src/items/queries'
import { MAX_PART_BYTES } from '../../../src/kernel/work/chunks'
import { openTestWorkspace } from '../test-workspace'

const TEXT_BYTES = 700_000
const FIRST_REV = 1_001
const REVISIONS = 12

it('the history of long texts is read in parts, and the same as in one', async () => {
  const workspace = await openTestWorkspace()
  const { db } = workspace.studio
  await workspace.run(getItem, { id: 204 })
  const items = Array.from({ length: REVISIONS }, (_, i) => ({
    id: 204,
    rev: FIRST_REV + i,
    relationsFingerprint: String(i >= 6),
    fields: { 'System.Description': 'x'.repeat(TEXT_BYTES), 'System.Title': `Title ${i}` },
  }))
  await db.write((tx) => insertSnapshots(tx, items as never, '2026-11-20T10:00:00.000Z'))
  const parse = vi.spyOn(JSON, 'parse')
  const read = db.read.bind(db)
  const parsedOf: number[] = []
  const spy = vi.spyOn(db, 'read').mockImplementation(async (work) => {
    parse.mockClear()
    const result = await read(work)
    parsedOf.push(parse.mock.calls.reduce((sum, [text]) => sum + String(text).length, 0))
    return result
  })
  try {
    const { snapshots } = await workspace.run(listItemHistory, { id: 204 })
    expect(snapshots.slice(0, REVISIONS - 1)).toEqual(
      Array.from({ length: REVISIONS - 1 }, (_, i) => REVISIONS - 1 - i).map((i) => ({
        rev: FIRST_REV + i,
        recordedAt: '2026-11-20T10:00:00.000Z',
        fromFile: null,
        changes: [{ field: 'System.Title', from: `Title ${i - 1}`, to: `Title ${i}` }],
        linksChanged: i === 6,
      })),
    )
    expect(Math.max(...parsedOf)).toBeLessThanOrEqual(MAX_PART_BYTES)
    parsedOf.length = 0
    const compared = await workspace.run(listItemHistory, { id: 204, from: FIRST_REV + 2, to: FIRST_REV + 9 })
    expect(compared.comparison).toEqual({
      from: FIRST_REV + 2,
      to: FIRST_REV + 9,
      changes: [{ field: 'System.Title', from: 'Title 2', to: 'Title 9' }],
      linksChanged: true,
    })
    expect(parsedOf.at(-1)).toBeLessThan(3 * TEXT_BYTES)
    await expect(workspace.run(listItemHistory, { id: 204, from: 7 })).rejects.toMatchObject({
      details: [{ path: 'from', message: expect.stringContaining('there is no snapshot of revision 7') }],
    })
  } finally {
    spy.mockRestore()
    parse.mockRestore()
  }
})
