import { describe, expect, it, vi } from 'vitest'
import { deleteDraft } from '../../../src/drafts/operations/delete-draft'
import { listDraftHistory } from '../../../src/drafts/operations/list-draft-history'
import { listDrafts } from '../../../src/drafts/operations/list-drafts'
import { saveDraft } from '../../../src/drafts/operations/save-draft'
import { undoDraft } from '../../../src/drafts/operations/undo-draft'
import { DRAFT_SORTS } from '../../../src/drafts/rules/draft-sort'
import { executePage } from '../../../src/kernel'
import { openTestWorkspace, type TestWorkspace } from '../../items/test-workspace'

const TEXT_BYTES = 700_000
const longText = (mark: number | string) => `${mark} `.padEnd(TEXT_BYTES, 'x')

/** Runs a call, and something else before its nth transaction that reads. */
async function interrupt<R>(
  { studio }: TestWorkspace,
  call: () => Promise<R>,
  nth: number,
  run: () => Promise<unknown>,
) {
  const { db } = studio
  const read = db.read.bind(db)
  let reads = 0
  const spy = vi.spyOn(db, 'read').mockImplementation(async (work) => {
    if (++reads === nth) await run()
    return read(work)
  })
  try {
    return await call()
  } finally {
    spy.mockRestore()
  }
}

/** The length of the versions that are read while a call runs. */
async function measureVersions(run: () => Promise<unknown>): Promise<number> {
  const spy = vi.spyOn(JSON, 'parse')
  try {
    await run()
    return spy.mock.calls.reduce((sum, [text]) => sum + String(text).length, 0)
  } finally {
    spy.mockRestore()
  }
}

describe('a draft with long versions', () => {
  const open = async () => {
    const workspace = await openTestWorkspace()
    const saved = []
    for (let i = 0; i < 7; i++)
      saved.push(await workspace.run(saveDraft, { ...(i > 0 && { id: 1 }), title: 'a', description: longText(i) }))
    return { ...workspace, saved }
  }

  it('is restored, and a stale save refused, by reading one version', async () => {
    const { run, saved } = await open()
    expect(await measureVersions(() => run(undoDraft, { id: 1, to: 3 }))).toBeLessThan(2 * TEXT_BYTES)
    expect(await measureVersions(() => run(undoDraft, { id: 1, to: 7 }))).toBeLessThan(2 * TEXT_BYTES)
    const stale = { id: 1, title: 'b', updatedAt: saved[4].updatedAt.replace('Z', '+00:00') }
    const refused = await measureVersions(async () => {
      await expect(run(saveDraft, stale)).rejects.toMatchObject({
        code: 'stale_revision',
        details: [{ path: 'updatedAt' }, { path: 'description', was: longText(4) }],
      })
    })
    expect(refused).toBeLessThan(2 * TEXT_BYTES)
    expect((await run(undoDraft, { id: 1 })).description.slice(0, 2)).toBe('5 ')
  })

  it('has a history that is whole, or none if it is deleted meanwhile', async () => {
    const workspace = await open()
    expect((await workspace.run(listDraftHistory, { id: 1 })).versions).toHaveLength(7)
    const read = () => workspace.run(listDraftHistory, { id: 1 })
    const deletion = () => workspace.run(deleteDraft, { id: 1 })
    await expect(interrupt(workspace, read, 3, deletion)).rejects.toMatchObject({ code: 'not_found' })
  })
})

describe('a page of long drafts', () => {
  const open = async () => {
    const workspace = await openTestWorkspace()
    for (let i = 0; i < 7; i++)
      await workspace.run(saveDraft, { title: `Draft ${i % 5}`, description: longText(i), storyPoints: i % 4 })
    const page = (input: object, limit: number, cursor: string | null = null) =>
      executePage(
        listDrafts,
        { input, source: 'a test' },
        workspace.studio.context({ actor: { kind: 'terminal', tenant: 'default' } }),
        { limit, cursor },
      )
    return { workspace, page }
  }
  const idsOf = (entries: readonly unknown[]) => entries.map((entry) => (entry as { id: number }).id)

  it('is a part of the whole list in every order, and none is skipped or repeated', async () => {
    const { workspace, page } = await open()
    for (const sort of DRAFT_SORTS)
      for (const input of sort === 'title' ? [{ sort }, { sort, search: 'draft 1' }] : [{ sort }]) {
        const whole = await workspace.run(listDrafts, input)
        const paged: unknown[] = []
        let cursor: string | null = null
        do {
          const { entries, nextCursor, total } = await page(input, 3, cursor)
          expect(total).toBe(whole.length)
          paged.push(...entries)
          cursor = nextCursor
        } while (cursor !== null)
        expect(paged).toEqual(whole)
      }
  })

  it('is full even if drafts are deleted or change their place while it is read', async () => {
    const { workspace, page } = await open()
    const readFirst = () => page({ sort: '-updated' }, 6)
    const first = await interrupt(workspace, readFirst, 2, async () => {
      await workspace.run(deleteDraft, { id: 2 })
      await workspace.run(saveDraft, { id: 3, title: 'Changed' })
    })
    expect([idsOf(first.entries), first.total]).toEqual([[1, 4, 5, 6, 7, 3], 7])
    expect(first.nextCursor).toBeNull()
    const second = await interrupt(
      workspace,
      () => page({ sort: '-updated' }, 2),
      2,
      () => workspace.run(deleteDraft, { id: 1 }),
    )
    expect(idsOf(second.entries)).toEqual([4, 5])
    expect(idsOf((await page({ sort: '-updated' }, 2, second.nextCursor)).entries)).toEqual([6, 7])
  })
})
