import { describe, expect, it } from 'vitest'
import type { NewAttachment, Tracker, TrackerComment, TrackerPart } from '../../../src/tracker'
import { errorOf, never } from '../azure-devops/fixtures'
import { adapters, type PlannedFault } from './adapters'

const signal = never
const BEGINNING = { from: 0, version: null }

/** What the fixtures of an adapter have besides: the labels `gate` and `lamp`, and a user who writes the comments. */
describe.each(adapters)('the adapter of $name', ({ open }) => {
  /** Opens the tracker, or skips the test if it does not have the part. */
  async function openWith<Part extends TrackerPart>(
    { skip }: { skip(note?: string): never },
    name: Part,
    fault?: PlannedFault,
  ) {
    const opened = await open(fault)
    const part = opened.tracker.parts[name]
    if (part === undefined) return skip(`it does not have ${name}`)
    return { ...opened, part }
  }

  describe('changes single tags', () => {
    async function change(tracker: Tracker, tags: { add?: string[]; remove?: string[] }) {
      const { rev } = await tracker.getItem(202, signal)
      const changes = [{ id: 202, rev, fields: {}, tags: { add: tags.add ?? [], remove: tags.remove ?? [] } }]
      return (await tracker.updateItems(changes, { signal }))[0]!
    }

    it('and keeps the others', async () => {
      const { tracker } = await open()
      const before = (await tracker.getItem(202, signal)).tags
      expect(await change(tracker, { add: ['gate', 'lamp'] })).toMatchObject({ status: 'applied' })
      expect((await tracker.getItem(202, signal)).tags.sort()).toEqual([...new Set([...before, 'gate', 'lamp'])].sort())
      expect(await change(tracker, { add: ['lamp'], remove: ['gate'] })).toMatchObject({ status: 'applied' })
      const { tags } = await tracker.getItem(202, signal)
      expect(tags.sort()).toEqual([...new Set([...before.filter((tag) => tag !== 'gate'), 'lamp'])].sort())
    })

    it('beside a value of a field', async () => {
      const { tracker } = await open()
      const item = await tracker.getItem(202, signal)
      const title = (await tracker.listPropertyFields(item, signal)).get('title')!.referenceName
      const changed = { id: 202, rev: item.rev, fields: { [title]: 'Print it' }, tags: { add: ['gate'], remove: [] } }
      expect(await tracker.updateItems([changed], { signal })).toMatchObject([{ status: 'applied' }])
      expect(await tracker.getItem(202, signal)).toMatchObject({
        title: 'Print it',
        tags: expect.arrayContaining(['gate']),
      })
    })

    it('once, also if the response is lost', async () => {
      const { tracker, countChanges } = await open({ kind: 'lost', to: 'changes' })
      expect(await change(tracker, { add: ['gate'] })).toMatchObject({ status: 'applied' })
      expect(countChanges()).toBe(1)
    })
  })

  describe('knows the workflow', () => {
    it('and moves an item where it may go', async (test) => {
      const { tracker, part } = await openWith(test, 'transitions')
      const item = await tracker.getItem(202, signal)
      const { types } = await tracker.describeProcess(signal, [])
      const states = types.find(({ name }) => name === item.type)!.states.map(({ name }) => name)
      const transitions = await part.list(202, signal)
      expect(transitions.length).toBeGreaterThan(0)
      expect(transitions.map(({ state }) => state)).not.toContain(item.state)
      for (const { state } of transitions) expect(states).toContain(state)
      const { state } = transitions.find(({ required }) => required.length === 0)!
      const field = (await tracker.listPropertyFields(item, signal)).get('state')!.referenceName
      const outcomes = await tracker.updateItems([{ id: 202, rev: item.rev, fields: { [field]: state } }], { signal })
      expect(outcomes).toMatchObject([{ status: 'applied', item: { state } }])
    })

    it('of items that exist', async (test) => {
      const { part } = await openWith(test, 'transitions')
      expect(await errorOf(part.list(987_654, signal))).toMatchObject({ code: 'not_found' })
    })
  })

  describe('deletes an item', () => {
    it('that has not changed since, and says so of one that is gone', async (test) => {
      const { tracker, part, renameRemotely } = await openWith(test, 'deletion')
      const { rev } = await tracker.getItem(311, signal)
      await renameRemotely(311, 'Choose the scanner')
      expect(await part.delete({ id: 311, rev }, signal)).toMatchObject({ status: 'conflict' })
      const { rev: present } = await tracker.getItem(311, signal)
      expect(await part.delete({ id: 311, rev: present }, signal)).toMatchObject({ status: 'deleted' })
      expect(await errorOf(tracker.getItem(311, signal))).toMatchObject({ code: 'not_found' })
      expect(await part.delete({ id: 311, rev: present }, signal)).toMatchObject({ status: 'deleted' })
    })

    it('once, also if the response is lost', async (test) => {
      const { tracker, part, countChanges } = await openWith(test, 'deletion', { kind: 'lost', to: 'changes' })
      const { rev } = await tracker.getItem(311, signal)
      expect(await part.delete({ id: 311, rev }, signal)).toMatchObject({ status: 'deleted' })
      expect(countChanges()).toBe(1)
    })

    it('and brings it back where it can', async (test) => {
      const { tracker, part } = await openWith(test, 'restoring')
      const { rev, title } = await tracker.getItem(311, signal)
      await tracker.parts.deletion!.delete({ id: 311, rev }, signal)
      expect(await part.restore(311, signal)).toMatchObject({ status: 'applied', item: { id: 311, title } })
      expect(await tracker.getItem(311, signal)).toMatchObject({ title })
      expect(await part.restore(311, signal)).toMatchObject({ status: 'applied' })
    })
  })

  describe('changes a comment of the user', () => {
    async function comment(tracker: Tracker): Promise<TrackerComment> {
      const outcome = await tracker.addComment({ itemId: 202, text: 'One', after: 0 }, signal)
      if (outcome.status !== 'added') throw new Error(outcome.message)
      return outcome.comment
    }
    const texts = async (tracker: Tracker) =>
      (await tracker.listComments(202, { limit: 10, signal })).comments.map(({ text }) => text.text)

    it('unless its text is another one now', async (test) => {
      const { tracker, part } = await openWith(test, 'commentEditing')
      const { id, text } = await comment(tracker)
      const change = { itemId: 202, commentId: id, was: text.text, text: 'Two' }
      expect(await part.edit(change, signal)).toMatchObject({ status: 'added', comment: { id } })
      expect(await texts(tracker)).toEqual([expect.stringContaining('Two')])
      expect(await part.edit({ ...change, text: 'Three' }, signal)).toMatchObject({ status: 'rejected' })
      expect(await part.delete(change, signal)).toMatchObject({ status: 'rejected' })
      expect(await texts(tracker)).toEqual([expect.stringContaining('Two')])
    })

    it('deletes it, and says so of one that is gone', async (test) => {
      const { tracker, part } = await openWith(test, 'commentEditing')
      const { id, text } = await comment(tracker)
      const change = { itemId: 202, commentId: id, was: text.text }
      expect(await part.delete(change, signal)).toMatchObject({ status: 'deleted' })
      expect(await texts(tracker)).toEqual([])
      expect(await part.delete(change, signal)).toMatchObject({ status: 'deleted' })
    })

    it('once, also if the response is lost', async (test) => {
      const fault = { kind: 'lost', to: 'changes', after: 1 } as const
      const { tracker, part, countChanges } = await openWith(test, 'commentEditing', fault)
      const { id, text } = await comment(tracker)
      const change = { itemId: 202, commentId: id, was: text.text, text: 'Two' }
      expect(await part.edit(change, signal)).toMatchObject({ status: 'added', comment: { id } })
      expect(countChanges()).toBe(2)
    })
  })

  describe('has links to pages and code', () => {
    const url = 'https://example.com/plan'
    const urls = async (tracker: Tracker) => (await tracker.parts.webLinks!.list(202, signal)).map((link) => link.url)

    it('that are added once and removed', async (test) => {
      const { tracker, part } = await openWith(test, 'webLinkEditing')
      const before = await urls(tracker)
      const added = await part.add({ itemId: 202, url, title: 'The plan' }, signal)
      expect(added).toMatchObject({ status: 'added', link: { kind: 'page', url } })
      expect(await part.add({ itemId: 202, url, title: 'The plan' }, signal)).toMatchObject({ status: 'added' })
      expect((await urls(tracker)).sort()).toEqual([...before, url].sort())
      const { id } = (await tracker.parts.webLinks!.list(202, signal)).find((link) => link.url === url)!
      expect(await part.remove({ itemId: 202, linkId: id }, signal)).toMatchObject({ status: 'deleted' })
      expect((await urls(tracker)).sort()).toEqual([...before].sort())
      expect(await part.remove({ itemId: 202, linkId: id }, signal)).toMatchObject({ status: 'deleted' })
    })

    it('once, also if the response is lost', async (test) => {
      const { tracker, part } = await openWith(test, 'webLinkEditing', { kind: 'lost', to: 'changes' })
      expect(await part.add({ itemId: 202, url, title: null }, signal)).toMatchObject({ status: 'added' })
      expect((await urls(tracker)).filter((one) => one === url)).toHaveLength(1)
    })
  })

  describe('records spent time', () => {
    const entry = { itemId: 202, seconds: 5_400, text: 'Wired the scanner', startedAt: '2026-11-20T08:00:00.000Z' }

    it('which is listed the newest first', async (test) => {
      const { part } = await openWith(test, 'worklogs')
      expect(await part.add(entry, signal)).toMatchObject({ status: 'added', worklog: { seconds: 5_400 } })
      await part.add({ ...entry, seconds: 60, startedAt: '2026-11-21T08:00:00.000Z' }, signal)
      const { total, worklogs } = await part.list(202, { limit: 10, signal })
      expect(total).toBe(2)
      expect(worklogs.map(({ seconds }) => seconds)).toEqual([60, 5_400])
      expect(worklogs[1]).toMatchObject({ startedAt: entry.startedAt, text: expect.stringContaining('Wired') })
    })

    it('once, also if the response is lost', async (test) => {
      const { part } = await openWith(test, 'worklogs', { kind: 'lost', to: 'changes' })
      expect(await part.add(entry, signal)).toMatchObject({ status: 'added' })
      expect((await part.list(202, { limit: 10, signal })).total).toBe(1)
    })
  })

  describe('runs queries of the tracker', () => {
    it('that people have saved', async (test) => {
      const { tracker, part } = await openWith(test, 'queries')
      for (const { id } of await part.list(signal)) {
        const { ids } = await part.run({ saved: id }, 10, signal)
        expect(ids.length).toBeLessThanOrEqual(10)
        expect((await tracker.getItems(ids, { signal })).missing).toEqual([])
      }
    })

    it('and says what is wrong with one', async (test) => {
      const { part } = await openWith(test, 'queries')
      const error = await errorOf(part.run({ saved: 'no-such-query' }, 10, signal))
      expect(['not_found', 'invalid', 'tracker_answer']).toContain(error.code)
    })
  })

  describe('takes files', () => {
    const bytes = Buffer.from('%PDF-1.4 a plan')
    const file = (name: string): NewAttachment => ({
      itemId: 202,
      name,
      mediaType: 'application/pdf',
      content: {
        size: bytes.length,
        async *open() {
          yield bytes.subarray(0, 4)
          yield bytes.subarray(4)
        },
      },
    })
    const named = async (tracker: Tracker, name: string) =>
      (await tracker.parts.attachments!.list(202, signal)).filter((one) => one.name === name)

    it('and gives them back as they were', async (test) => {
      const { tracker, part } = await openWith(test, 'uploads')
      expect(await part.add(file('plan.pdf'), signal)).toMatchObject({
        status: 'added',
        attachment: { name: 'plan.pdf' },
      })
      const [found] = await named(tracker, 'plan.pdf')
      const { chunks } = await tracker.parts.attachments!.open(found!, BEGINNING, signal)
      const read: Uint8Array[] = []
      for await (const chunk of chunks) read.push(chunk)
      expect(Buffer.concat(read).equals(bytes)).toBe(true)
    })

    it('once, whichever response is lost', async (test) => {
      for (const after of [0, 1]) {
        const { tracker, part } = await openWith(test, 'uploads', { kind: 'lost', to: 'changes', after })
        const outcome = await part.add(file('plan.pdf'), signal)
        expect(['added', 'unknown']).toContain(outcome.status)
        const found = await named(tracker, 'plan.pdf')
        if (outcome.status === 'added') expect(found).toHaveLength(1)
        expect(found.length).toBeLessThanOrEqual(1)
      }
    })

    it('of items that exist', async (test) => {
      const { tracker } = await openWith(test, 'attachments')
      expect(await errorOf(tracker.parts.attachments!.list(987_654, signal))).toMatchObject({ code: 'not_found' })
    })
  })
})
