import { expect, it, vi } from 'vitest'
import { IndexFolder } from '../../../src/search/file-index/index-folder'
import { openDesk, saveDraft } from '../desk'

it('an index in memory holds no segment of a read that runs again because others overtook it', async () => {
  const desk = await openDesk(null)
  await saveDraft(desk.db, 'Dock door')
  const made: string[] = []
  const create = IndexFolder.prototype.newSegment
  const newSegment = vi.spyOn(IndexFolder.prototype, 'newSegment').mockImplementation(function (
    this: IndexFolder,
    stemToken,
  ) {
    const segment = create.call(this, stemToken)
    made.push(segment.name)
    return segment
  })
  const discard = vi.spyOn(IndexFolder.prototype, 'discard')
  const { read } = desk.db
  const readTwice = vi.spyOn(desk.db, 'read').mockImplementation(async (work) => {
    await read.call(desk.db, work)
    return read.call(desk.db, work) as never
  })
  try {
    expect((await desk.find('dock')).total).toBe(1)
    expect(discard.mock.calls.flat()).toEqual(made.slice(0, -1))
    expect(made).toHaveLength(2)
  } finally {
    for (const spy of [newSegment, discard, readTwice]) spy.mockRestore()
  }
})
