import { describe, expect, it } from 'vitest'
import { createItemNumbers } from '../../src/items/services/item-numbers'
import { StudioError } from '../../src/kernel'
import { openMemoryDatabase } from '../../src/storage'
import { migrations } from '../../src/studio'
import { type ItemPage, type Tracker, translateIds } from '../../src/tracker'
import { never as signal } from './azure-devops/fixtures'
import { openGitHub } from './github/fixtures'

const FIRST = 1_000_000_001

const ISSUES = [
  { number: 12, type: 'Feature', title: 'Gate check-in' },
  { number: 13, type: 'Story', parent: 12, title: 'Scan the code' },
  { number: 14, type: 'Task', parent: 13, blockedBy: [15], title: 'Choose a scanner' },
  { number: 15, type: 'Task', title: 'Order a scanner' },
]

/** A repository whose issues have local numbers, and the numbers of some of its issues. */
async function openNumbered() {
  const github = await openGitHub({ issues: ISSUES, types: ['Feature', 'Story', 'Task'] })
  const db = await openMemoryDatabase(migrations)
  const numbers = createItemNumbers(db, { name: 'gh', identify: (signal) => github.tracker.resolveIdentity(signal) })
  const tracker = translateIds(github.tracker, numbers)
  return { ...github, db, tracker, remote: github.tracker }
}

async function numbersOf(tracker: Tracker, ...keys: string[]): Promise<number[]> {
  const found = await tracker.resolveKeys(keys, signal)
  return keys.map((key) => found.get(key)!)
}

describe('a tracker with local numbers', () => {
  it('numbers items from 1,000,000,001 up, and each one always the same', async () => {
    const { tracker, db, remote } = await openNumbered()
    expect(await numbersOf(tracker, 'works/harbor#14', '#12', '12')).toEqual([FIRST, FIRST + 1, FIRST + 1])
    const opened = translateIds(
      remote,
      createItemNumbers(db, { name: 'gh', identify: (signal) => remote.resolveIdentity(signal) }),
    )
    expect(await numbersOf(opened, '12', '13', '14')).toEqual([FIRST + 1, FIRST + 2, FIRST])
  })

  it('translates items with all their links, and names the items by their keys', async () => {
    const { tracker } = await openNumbered()
    const [feature, story, task, blocker] = await numbersOf(tracker, '12', '13', '14', '15')
    const { items, missing } = await tracker.getItems([task!, feature!, 12], { signal })
    expect(items.map(({ id, key, parentId, predecessorIds }) => ({ id, key, parentId, predecessorIds }))).toEqual([
      { id: task, key: 'works/harbor#14', parentId: story, predecessorIds: [blocker] },
      { id: feature, key: 'works/harbor#12', parentId: null, predecessorIds: [] },
    ])
    expect(missing).toEqual([{ id: 12, reason: 'It is no work item of this tracker.' }])
    expect(await tracker.getTree(feature!, signal)).toEqual([
      { parentId: feature, childId: story },
      { parentId: story, childId: task },
    ])
    expect([...(await tracker.getTrees([story!, 12], signal))]).toEqual([
      [story, [{ parentId: story, childId: task }]],
      [12, []],
    ])
  })

  it('reads only what differs from the known versions', async () => {
    const { tracker, github } = await openNumbered()
    const ids = await numbersOf(tracker, '12', '13')
    const known = new Map((await tracker.getItems(ids, { signal })).items.map((item) => [item.id, item]))
    github.change(13, { title: 'Scan the new code' })
    const pages: ItemPage[] = []
    for await (const page of tracker.readItems([...ids, 7], { signal, known })) pages.push(page)
    expect(pages.flatMap(({ items }) => items.map(({ id }) => id))).toEqual([ids[1]])
    expect(pages.flatMap(({ unchanged }) => unchanged)).toEqual([ids[0]])
    expect(pages.flatMap(({ missing }) => missing.map(({ id }) => id))).toEqual([7])
  })

  it('reports items that are missing in the tracker by their local numbers', async () => {
    const { tracker } = await openNumbered()
    const [gone] = await numbersOf(tracker, '99')
    expect((await tracker.getItems([gone!], { signal })).missing).toMatchObject([{ id: gone }])
    await expect(tracker.getItem(gone!, signal)).rejects.toMatchObject({ code: 'not_found' })
  })

  it('finds items by type', async () => {
    const { tracker } = await openNumbered()
    const { ids } = await tracker.findByType({ types: ['Feature'], title: null, limit: 5 }, signal)
    expect(ids).toEqual(await numbersOf(tracker, '12'))
  })

  it('changes items and their links, and refuses the items of other trackers in the order of the changes', async () => {
    const { tracker, github } = await openNumbered()
    const [story, task, blocker] = await numbersOf(tracker, '13', '14', '15')
    const { rev } = await tracker.getItem(task!, signal)
    const outcomes = await tracker.updateItems(
      [
        { id: 14, rev, fields: { title: 'Never sent' } },
        { id: task!, rev, fields: {}, links: { add: [], remove: [{ kind: 'predecessor', id: blocker! }] } },
        { id: story!, rev: 1, fields: {}, links: { add: [{ kind: 'predecessor', id: 15 }], remove: [] } },
      ],
      { signal },
    )
    expect(outcomes).toMatchObject([
      { id: 14, status: 'rejected', message: 'It is no work item of this tracker.' },
      { id: task, status: 'applied', item: { id: task, parentId: story, predecessorIds: [] } },
      { id: story, status: 'rejected', message: 'A link leads to a work item of another tracker.' },
    ])
    expect(github.issues.get(14)).toMatchObject({ title: 'Choose a scanner', blockedBy: [] })
    expect(github.issues.get(13)?.blockedBy).toEqual([])
  })

  it('creates items below a local number, and comments on them', async () => {
    const { tracker, github } = await openNumbered()
    const [story] = await numbersOf(tracker, '13')
    const item = {
      type: 'Task',
      parentId: story!,
      fields: { title: 'Mount the scanner' },
      marker: '6f0f3fb0-0000-4000-8000-000000000003',
      startedAt: Date.now(),
    }
    const outcome = await tracker.createItem(item, { signal })
    expect(outcome).toMatchObject({ status: 'created', item: { parentId: story, title: 'Mount the scanner' } })
    const { id } = outcome as { id: number }
    const { key } = await tracker.getItem(id, signal)
    const number = Number(key.split('#')[1])
    expect(github.issues.get(number)?.parent).toBe(13)
    await tracker.addComment({ itemId: id, text: 'Done.', after: 0 }, signal)
    expect((await tracker.listComments(id, { limit: 5, signal })).comments).toMatchObject([{ text: { text: 'Done.' } }])
    await expect(tracker.createItem({ ...item, parentId: 13 }, { signal })).rejects.toMatchObject({ code: 'not_found' })
  })

  it('does not hide what the tracker has done if the local numbers cannot be stored', async () => {
    const { tracker: numbered, remote, db, github } = await openNumbered()
    const [task] = await numbersOf(numbered, '14')
    const { rev } = await numbered.getItem(task!, signal)
    const numbers = createItemNumbers(db, { name: 'gh', identify: (signal) => remote.resolveIdentity(signal) })
    const full = async () => {
      throw new StudioError('disk_full', 'The disk is full.')
    }
    const tracker = translateIds(remote, { ...numbers, allocateLocal: full })
    const stored = { status: 'unknown', message: expect.stringMatching(/did what was requested.*The disk is full/) }
    const changes = [{ id: task!, rev, fields: { title: 'Buy a scanner' } }]
    expect(await tracker.updateItems(changes, { signal })).toEqual([{ id: task, ...stored }])
    expect(github.issues.get(14)?.title).toBe('Buy a scanner')
    const marker = '6f0f3fb0-0000-4000-8000-000000000004'
    const item = { type: 'Task', parentId: null, fields: { title: 'Lamp' }, marker, startedAt: Date.now() }
    expect(await tracker.createItem(item, { signal })).toEqual(stored)
    expect([...github.issues.values()].filter(({ title }) => title === 'Lamp')).toHaveLength(1)
  })

  it('reports no number for a change of an item that has none', async () => {
    const { remote, db } = await openNumbered()
    const feed: Tracker = {
      ...remote,
      readChanges: async () => ({
        position: 'p1',
        changed: new Map([
          [12, 5],
          [13, null],
        ]),
      }),
      findReadableItems: async (ids) => new Set(ids.filter((id) => id !== 13)),
    }
    const tracker = translateIds(
      feed,
      createItemNumbers(db, { name: 'gh', identify: (signal) => remote.resolveIdentity(signal) }),
    )
    const [story, task] = await numbersOf(tracker, '13', '14')
    const changes = await tracker.readChanges({ since: 0 }, { signal, maxPages: 1 })
    expect(changes).toEqual({ position: 'p1', changed: new Map([[story, null]]) })
    expect(await tracker.findReadableItems([story!, task!, 5], signal)).toEqual(new Set([task]))
  })
})
