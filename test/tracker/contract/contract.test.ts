import { describe, expect, it } from 'vitest'
import type { ItemProperty, LinkChanges, NewItem, Tracker } from '../../../src/tracker'
import { LINK_KINDS } from '../../../src/tracker/tracker'
import { errorOf, never } from '../azure-devops/fixtures'
import { adapters, type FaultKind, type OpenedAdapter } from './adapters'

const signal = never
const IDS = [101, 201, 202, 311]

/** The reference name of the field that has a property. */
async function fieldOf(tracker: Tracker, property: ItemProperty): Promise<string> {
  const fields = await tracker.listPropertyFields(await tracker.getItem(201, signal), signal)
  return fields.get(property)!.referenceName
}

async function rename(tracker: Tracker, id: number, title: string) {
  const [{ rev }, field] = [await tracker.getItem(id, signal), await fieldOf(tracker, 'title')]
  return (await tracker.updateItems([{ id, rev, fields: { [field]: title } }], { signal }))[0]!
}

async function createNewItem({ tracker, now }: Pick<OpenedAdapter, 'tracker' | 'now'>): Promise<NewItem> {
  const { types } = await tracker.describeProcess(signal, [])
  return {
    type: types.find(({ level }) => level === 0)!.name,
    parentId: 201,
    fields: { [await fieldOf(tracker, 'title')]: 'Order a scanner' },
    marker: '6f0f3fb0-0000-4000-8000-000000000002',
    startedAt: now(),
  }
}

describe.each(adapters)('the adapter of $name', ({ open, marksById = false }) => {
  describe('declares', () => {
    it('the format of long texts', async () => {
      const { tracker } = await open()
      const { textFormat } = tracker.capabilities
      const { fields } = await tracker.describeProcess(signal, [])
      expect(fields.find(({ property }) => property === 'description')?.isMarkdown ?? false).toBe(
        textFormat === 'markdown',
      )
    })

    it('the properties that can be set', async () => {
      const { tracker } = await open()
      const item = await tracker.getItem(201, signal)
      const fields = [...(await tracker.listPropertyFields(item, signal)).values()]
      const settable = fields.filter(({ readOnly }) => !readOnly).map(({ property }) => property)
      expect(settable.sort()).toEqual([...tracker.capabilities.properties].sort())
    })

    it('the parts that it has', async () => {
      const { tracker } = await open()
      expect(Object.keys(tracker.parts).sort()).toEqual([...tracker.capabilities.parts].sort())
    })

    it('whether it lists changes', async () => {
      const { tracker, now } = await open()
      const changes = await tracker.readChanges({ since: now() - 60_000 }, { signal, maxPages: 10 })
      expect(changes !== null).toBe(tracker.capabilities.listsChanges)
    })

    it.each(LINK_KINDS)(
      'links of the kind %s: can be added and removed, or are rejected without a request',
      async (kind) => {
        const { tracker, countRequests } = await open()
        const isOfTree = kind === 'parent' || kind === 'child'
        const [id, otherId] = { parent: [311, 201], child: [201, 311] }[kind as string] ?? [202, 201]
        const link = { kind, id: otherId! }
        const change = async (links: LinkChanges) => {
          const { rev } = await tracker.getItem(id!, signal)
          const before = countRequests()
          const [outcome] = await tracker.updateItems([{ id: id!, rev, fields: {}, links }], { signal })
          return { outcome, requests: countRequests() - before }
        }
        if (!tracker.capabilities.linkKinds.includes(kind)) {
          const { outcome, requests } = await change({ add: [link], remove: [] })
          expect(outcome).toMatchObject({ id, status: 'rejected', message: expect.stringContaining(kind) })
          expect(requests).toBe(0)
          return
        }
        const readEnds = async () => {
          const { parentId, predecessorIds, successorIds, relatedIds } = await tracker.getItem(
            isOfTree ? 311 : 202,
            signal,
          )
          const ids = { predecessor: predecessorIds, successor: successorIds, related: relatedIds }
          return isOfTree ? [parentId].filter((parent) => parent !== null) : ids[kind]
        }
        const steps = [
          { links: { add: [link], remove: [] }, ends: [201] },
          { links: { add: [], remove: [link] }, ends: [] },
        ]
        for (const { links, ends } of isOfTree ? steps.reverse() : steps) {
          expect((await change(links)).outcome).toMatchObject({ status: 'applied' })
          expect(await readEnds()).toEqual(ends)
        }
      },
    )
  })

  describe('reads', () => {
    it('items in the order of their IDs, each once, and reports the missing ones', async () => {
      const { tracker } = await open()
      const progress: number[] = []
      const { items, missing } = await tracker.getItems([311, 999_999, 101, 311], {
        signal,
        onProgress: (done) => progress.push(done),
      })
      expect(items.map(({ id, level }) => ({ id, level }))).toEqual([
        { id: 311, level: 0 },
        { id: 101, level: 2 },
      ])
      expect(missing).toMatchObject([{ id: 999_999 }])
      expect(progress.at(-1)).toBe(3)
      await expect(tracker.getItem(999_999, signal)).rejects.toMatchObject({ code: 'not_found' })
      await expect(tracker.getShape(-1, signal)).rejects.toMatchObject({ code: 'not_found' })
      await expect(tracker.getTree(999_999, signal)).rejects.toMatchObject({ code: 'not_found' })
    })

    it('items whose states have categories and whose times are ISO 8601', async () => {
      const { tracker } = await open()
      const { items } = await tracker.getItems(IDS, { signal })
      for (const item of items) {
        expect(item.stateCategory).not.toBeNull()
        expect(item.changedAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
        expect(Number.isSafeInteger(item.rev) && item.rev > 0).toBe(true)
        expect(item.url).toMatch(new RegExp(`[/-]${item.id}$`))
        expect(await tracker.getShape(item.id, signal)).toEqual({
          rev: item.rev,
          relationsFingerprint: item.relationsFingerprint,
        })
      }
    })

    it('the IDs of items by their keys, whatever their letter case', async () => {
      const { tracker } = await open()
      const { items } = await tracker.getItems(IDS, { signal })
      const keys = items.flatMap(({ key }) => [key, key.toUpperCase(), key.toLowerCase()])
      const found = await tracker.resolveKeys([...keys, '201', 'no key', 'other/place#201', ''], signal)
      expect(items.map(({ key }) => found.get(key))).toEqual(IDS)
      expect([...found.keys()].sort()).toEqual([...new Set([...keys, '201'])].sort())
    })

    it('the tree below an item, parents before children', async () => {
      const { tracker } = await open()
      const links = await tracker.getTree(101, signal)
      expect(links).toEqual(
        expect.arrayContaining([
          { parentId: 101, childId: 201 },
          { parentId: 201, childId: 311 },
        ]),
      )
      const seen = new Set([101])
      for (const { parentId, childId } of links) {
        expect(seen.has(parentId)).toBe(true)
        expect(seen.has(childId)).toBe(false)
        seen.add(childId)
      }
      const { items } = await tracker.getItems([201, 311], { signal })
      expect(items.map(({ parentId }) => parentId)).toEqual([101, 201])
    })

    it('only items that differ from the known ones', async () => {
      const { tracker, renameRemotely } = await open()
      const { items } = await tracker.getItems(IDS, { signal })
      const known = new Map(items.map((item) => [item.id, item]))
      await renameRemotely(202, 'Print the gate pass')
      const read = { changed: [] as number[], unchanged: [] as number[] }
      for await (const page of tracker.readItems(IDS, { signal, known })) {
        read.changed.push(...page.items.map(({ id }) => id))
        read.unchanged.push(...page.unchanged)
      }
      expect(read.changed).toEqual([202])
      expect(read.unchanged.sort()).toEqual([101, 201, 311])
    })

    it('items by type and by words', async () => {
      const { tracker } = await open()
      const { types } = await tracker.describeProcess(signal, [])
      const feature = types.find(({ level }) => level === 2)!.name
      expect((await tracker.findByType({ types: [feature], title: null, limit: 10 }, signal)).ids).toContain(101)
      const [word] = (await tracker.getItem(101, signal)).title.split(' ')
      expect((await tracker.search({ text: word!, itemType: feature, limit: 10 }, signal)).ids).toContain(101)
    })
  })

  describe('changes', () => {
    it('an item, and returns it as it then is', async () => {
      const { tracker } = await open()
      expect(await rename(tracker, 202, 'Print a pass')).toMatchObject({
        status: 'applied',
        item: { title: 'Print a pass' },
      })
      expect(await tracker.getItem(202, signal)).toMatchObject({ title: 'Print a pass' })
    })

    it('nothing if another user has changed the item', async () => {
      const { tracker, renameRemotely } = await open()
      const { rev } = await tracker.getItem(202, signal)
      const title = await fieldOf(tracker, 'title')
      await renameRemotely(202, 'Print the gate pass')
      const outcomes = await tracker.updateItems([{ id: 202, rev, fields: { [title]: 'Mine' } }], { signal })
      expect(outcomes).toMatchObject([{ id: 202, status: 'conflict' }])
      expect(await tracker.getItem(202, signal)).toMatchObject({ title: 'Print the gate pass' })
    })

    it('the parent of an item', async () => {
      const { tracker } = await open()
      const { rev, parentId } = await tracker.getItem(311, signal)
      const links = { add: [{ kind: 'parent', id: 202 }], remove: [{ kind: 'parent', id: parentId! }] } as const
      const outcomes = await tracker.updateItems([{ id: 311, rev, fields: {}, links }], { signal })
      expect(outcomes).toMatchObject([{ status: 'applied', item: { parentId: 202 } }])
    })

    it('one outcome for each change, in their order', async () => {
      const { tracker } = await open()
      const title = await fieldOf(tracker, 'title')
      const { items } = await tracker.getItems([201, 202], { signal })
      const changes = [
        ...items.map(({ id, rev }) => ({ id, rev, fields: { [title]: `Renamed ${id}` } })),
        { id: 999_999, rev: 1, fields: { [title]: 'x' } },
      ]
      const outcomes = await tracker.updateItems(changes, { signal })
      expect(outcomes).toMatchObject([
        { id: 201, status: 'applied' },
        { id: 202, status: 'applied' },
        { id: 999_999, status: 'rejected', code: 'not_found' },
      ])
    })

    it('nothing after its caller has left', async () => {
      const { tracker, countChanges } = await open()
      const [{ rev }, title] = [await tracker.getItem(202, signal), await fieldOf(tracker, 'title')]
      const before = countChanges()
      const sent = tracker.updateItems([{ id: 202, rev, fields: { [title]: 'x' } }], { signal: AbortSignal.abort() })
      const outcome = await sent.then(
        ([first]) => first!.status,
        (error) => error.code,
      )
      expect(['notAttempted', 'interrupted']).toContain(outcome)
      expect(countChanges()).toBe(before)
    })

    it('a new item, which is found by its marker until that is removed', async () => {
      const { tracker, now } = await open()
      const item = await createNewItem({ tracker, now })
      expect(await tracker.createItem(item, { signal, validateOnly: true })).toMatchObject({
        status: 'created',
        id: null,
      })
      expect(await tracker.findCreatedItem(item, signal)).toBeNull()
      const created = await tracker.createItem(item, { signal })
      expect(created).toMatchObject({ status: 'created', item: { title: 'Order a scanner', parentId: 201 } })
      const { id } = created as { id: number }
      expect(await tracker.findCreatedItem(item, signal)).toMatchObject({ id })
      if (!marksById) {
        expect(await tracker.removeMarker(id, item.marker, signal)).toMatchObject({ isGone: true, item: { id } })
        expect(await tracker.findCreatedItem(item, signal)).toBeNull()
      }
      expect(await tracker.removeMarker(id, item.marker, signal)).toEqual({ isGone: true, item: null })
    })

    it('comments, which are listed the newest first', async () => {
      const { tracker } = await open()
      for (const text of ['First', 'Second']) {
        const [newest] = (await tracker.listComments(202, { limit: 1, signal })).comments
        const added = await tracker.addComment({ itemId: 202, text, after: newest?.id ?? 0 }, signal)
        expect(added).toMatchObject({ status: 'added' })
      }
      const { total, comments } = await tracker.listComments(202, { limit: 2, signal })
      expect(total).toBeGreaterThanOrEqual(2)
      expect(comments.map(({ text }) => text.text)).toEqual([
        expect.stringContaining('Second'),
        expect.stringContaining('First'),
      ])
    })
  })

  describe('with a faulty server', () => {
    it.each(['cut', 'reset', 'unavailable', 'lost'] as const)('repeats a read once it has failed: %s', async (kind) => {
      const { tracker } = await open({ kind, to: 'reads', times: 2 })
      expect((await tracker.getItems(IDS, { signal })).items).toHaveLength(4)
    })

    it('waits as long as the server asks for, and reads then', async () => {
      const { tracker, slept } = await open({ kind: 'throttled', to: 'reads' })
      expect((await tracker.getItems(IDS, { signal })).items).toHaveLength(4)
      expect(Math.max(...slept)).toBeCloseTo(7_000, -2)
    })

    it.each([
      ['signInPage', 'tracker_token'],
      ['badToken', 'tracker_token'],
      ['forbidden', 'tracker_forbidden'],
      ['unavailable', 'tracker_unavailable'],
      ['throttled', 'tracker_throttled'],
    ] as [FaultKind, string][])('reports why reading fails: %s', async (kind, code) => {
      const { tracker } = await open({ kind, to: 'reads', times: 1_000 })
      const error = await errorOf(tracker.getItems(IDS, { signal }))
      expect(error).toMatchObject({ code })
      expect(JSON.stringify(error)).not.toContain('secret-token')
    })

    it('finds out that a change was applied although its response is lost, and does not send it again', async () => {
      const { tracker, countChanges } = await open({ kind: 'lost', to: 'changes' })
      expect(await rename(tracker, 202, 'Print a pass')).toMatchObject({ status: 'applied' })
      expect(countChanges()).toBe(1)
    })

    it('leaves a change unknown whose effect it cannot see, and does not send it again', async () => {
      const { tracker, countChanges } = await open({ kind: 'reset', to: 'changes' })
      expect(await rename(tracker, 202, 'Print a pass')).toMatchObject({ status: 'unknown' })
      expect(countChanges()).toBe(1)
    })

    it('sends a change again that was refused because of a rate limit', async () => {
      const { tracker, slept } = await open({ kind: 'throttled', to: 'changes' })
      expect(await rename(tracker, 202, 'Print a pass')).toMatchObject({ status: 'applied' })
      expect(Math.max(...slept)).toBeCloseTo(7_000, -2)
    })

    it.each(['badToken', 'signInPage'] as const)('sends no change if the token is not accepted: %s', async (kind) => {
      const { tracker } = await open({ kind, to: 'changes', times: 1_000 })
      await expect(rename(tracker, 202, 'Print a pass')).rejects.toMatchObject({ code: 'tracker_token' })
    })

    it('never creates an item twice', async () => {
      const { tracker, now, countChanges } = await open({ kind: 'lost', to: 'changes' })
      const item = await createNewItem({ tracker, now })
      const created = await tracker.createItem(item, { signal })
      expect(created).toMatchObject({ status: 'created' })
      expect(countChanges()).toBe(1)
      const links = await tracker.getTree(201, signal)
      const { items } = await tracker.getItems(
        links.map(({ childId }) => childId),
        { signal },
      )
      expect(items.filter(({ title }) => title === 'Order a scanner')).toHaveLength(1)
    })

    it('never adds a comment twice', async () => {
      const { tracker } = await open({ kind: 'lost', to: 'changes' })
      const { total, comments } = await tracker.listComments(202, { limit: 1, signal })
      const added = await tracker.addComment({ itemId: 202, text: 'Done', after: comments[0]?.id ?? 0 }, signal)
      expect(added).toMatchObject({ status: 'added' })
      expect((await tracker.listComments(202, { limit: 1, signal })).total).toBe(total + 1)
    })
  })
})
