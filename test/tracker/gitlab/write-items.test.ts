import { describe, expect, it } from 'vitest'
import type { ItemChange, NewItem, Tracker } from '../../../src/tracker'
import { never } from '../azure-devops/fixtures'
import { isChange, losing, openGitLab, ways } from './fixtures'

const signal = never
const statuses = [
  { name: 'To do', category: 'TO_DO' },
  { name: 'Done', category: 'DONE' },
] as const
const customFields = [
  { id: 6, name: 'Severity', fieldType: 'SINGLE_SELECT', options: ['Low', 'High'] },
  { id: 7, name: 'Browsers', fieldType: 'MULTI_SELECT', options: ['Firefox', 'Safari'] },
  { id: 8, name: 'Cost', fieldType: 'NUMBER' },
] as const
const iterations = [{ title: 'Sprint 4', startDate: '2026-11-16', dueDate: '2026-11-29', cadence: 'Team' }]
const milestones = [{ title: '1.0', startDate: null, dueDate: '2026-12-24' }]
const options = { labels: ['gate', 'lamp', 'x'], statuses, customFields, iterations, milestones }

async function change(tracker: Tracker, id: number, values: Partial<ItemChange>) {
  const { rev } = await tracker.getItem(id, signal)
  return (await tracker.updateItems([{ id, rev, fields: {}, ...values }], { signal }))[0]!
}

const newItem: NewItem = {
  type: 'Task',
  parentId: 1,
  fields: { title: 'Order a scanner', description: 'One.' },
  marker: '6f0f3fb0-0000-4000-8000-000000000002',
  startedAt: Date.now(),
}

describe('a change', () => {
  it('sets all fields with one request', async () => {
    const { tracker, requests } = await openGitLab({ ...options, items: [{ id: 1, type: 'Issue', labels: ['x'] }] })
    const fields = {
      title: 'Scan',
      description: 'Text',
      assignee: '@Ines',
      weight: 3,
      labels: 'Gate; x',
      iteration: 'team/sprint 4',
      milestone: '1.0',
      startDate: '2026-11-17',
      dueDate: '2026-11-20',
      healthStatus: 'onTrack',
      state: 'Done',
      'customField/6': 'high',
      'customField/7': 'Firefox; Safari',
      'customField/8': 2.5,
    }
    expect(await change(tracker, 1, { fields })).toMatchObject({
      status: 'applied',
      item: {
        title: 'Scan',
        assignedTo: { uniqueName: 'ines' },
        storyPoints: 3,
        tags: ['x', 'gate'],
        iterationPath: 'Team/Sprint 4',
        state: 'Done',
        stateCategory: 'Completed',
        fields: { dueDate: '2026-11-20', 'customField/6': 'High', 'customField/7': 'Firefox; Safari' },
      },
    })
    expect(requests.filter(isChange)).toHaveLength(1)
    const cleared = { assignee: null, weight: null, labels: null, iteration: null, milestone: null, dueDate: null }
    expect(
      await change(tracker, 1, { fields: { ...cleared, 'customField/6': null, 'customField/8': null } }),
    ).toMatchObject({
      status: 'applied',
      item: { assignedTo: null, storyPoints: null, tags: [], iterationPath: '' },
    })
  })

  it('adds and removes single labels, and keeps those that somebody else has added meanwhile', async () => {
    const { tracker, gitlab } = await openGitLab(
      { ...options, items: [{ id: 1, labels: ['gate'] }] },
      {
        answer(request, fake) {
          if (isChange(request)) fake.items.get(1)!.labels.push('x')
          return null
        },
      },
    )
    const tags = { add: ['LAMP'], remove: ['gate', 'unknown'] }
    expect(await change(tracker, 1, { tags })).toMatchObject({ status: 'applied', item: { tags: ['x', 'lamp'] } })
    expect(gitlab.items.get(1)!.labels).toEqual(['x', 'lamp'])
  })

  it('opens and closes an item where its type has no statuses', async () => {
    const { tracker } = await openGitLab({ items: [{ id: 1 }] })
    expect(await change(tracker, 1, { fields: { state: 'Closed' } })).toMatchObject({ item: { state: 'Closed' } })
    expect(await change(tracker, 1, { fields: { state: 'Open' } })).toMatchObject({ item: { state: 'Open' } })
  })

  it.each([
    [{ state: 'Nowhere' }, 'no state'],
    [{ labels: 'nowhere' }, 'no label "nowhere"'],
    [{ milestone: '9.9' }, 'no milestone "9.9"'],
    [{ assignee: 'nobody' }, 'no account "nobody"'],
    [{ 'customField/6': 'Middle' }, 'no option "Middle"'],
    [{ strange: 1 }, 'no field "strange"'],
    [{ title: ' ' }, "can't be blank"],
  ])('is rejected for %j', async (fields, reason) => {
    const { tracker } = await openGitLab({ ...options, items: [{ id: 1 }] })
    const rejected = { status: 'rejected', message: expect.stringContaining(reason) }
    expect(await change(tracker, 1, { fields: fields as ItemChange['fields'] })).toMatchObject(rejected)
  })

  it('of links leaves those that are as requested', async () => {
    const { tracker, requests } = await openGitLab({
      items: [{ id: 1, links: [{ type: 'blocks', to: 2 }] }, { id: 2 }, { id: 3, parent: 1 }],
    })
    const links = {
      add: [
        { kind: 'successor', id: 2 },
        { kind: 'related', id: 3 },
      ],
      remove: [
        { kind: 'related', id: 2 },
        { kind: 'child', id: 2 },
      ],
    } as const
    // A link of two items has one type, so that removing another one must not remove it.
    expect(await change(tracker, 1, { links: { ...links, remove: [links.remove[1]] } })).toMatchObject({
      status: 'applied',
      item: { successorIds: [2], relatedIds: [3] },
    })
    expect(requests.filter(isChange)).toHaveLength(1)
    expect(requests.filter(isChange)[0]!.body.query.match(/step\d/g)).toHaveLength(1)
  })

  it.each(ways)('is not sent twice after %s, whether or not it was applied', async (_, how) => {
    for (const isExecuted of [true, false]) {
      const { tracker, requests } = await openGitLab({ items: [{ id: 1 }] }, { answer: losing(how, isExecuted) })
      const outcome = await change(tracker, 1, { fields: { title: 'New' } })
      expect(outcome.status).toBe(isExecuted ? 'applied' : 'unknown')
      expect(requests.filter(isChange)).toHaveLength(1)
    }
  })
})

describe('a new item', () => {
  it.each(ways)('is created once after %s', async (_, how) => {
    for (const isExecuted of [true, false]) {
      const { tracker, requests, gitlab } = await openGitLab(
        { items: [{ id: 1 }] },
        { answer: losing(how, isExecuted) },
      )
      const created = await tracker.createItem(newItem, { signal })
      expect(created.status).toBe(isExecuted ? 'created' : 'unknown')
      expect(requests.filter(isChange)).toHaveLength(1)
      expect([...gitlab.items.values()].filter(({ parent }) => parent === 1)).toHaveLength(isExecuted ? 1 : 0)
    }
  })

  it('that is an epic is created in the group, and found there', async () => {
    const { tracker, gitlab } = await openGitLab({ items: [{ id: 1, type: 'Epic' }] })
    const epic = { ...newItem, type: 'epic', parentId: 1 }
    expect(await tracker.createItem(epic, { signal })).toMatchObject({
      status: 'created',
      id: 2,
      item: { key: 'works&2' },
    })
    expect(gitlab.items.get(2)).toMatchObject({ type: 'Epic', namespace: 'works', parent: 1 })
    expect(await tracker.findCreatedItem(epic, signal)).toMatchObject({ id: 2 })
    expect(await tracker.removeMarker(2, epic.marker, signal)).toMatchObject({ isGone: true })
    expect(gitlab.items.get(2)!.description).toBe('One.')
  })

  it('is rejected without a known type, and closed', async () => {
    const { tracker } = await openGitLab({ items: [{ id: 1 }] })
    const create = (values: Partial<NewItem>) => tracker.createItem({ ...newItem, ...values }, { signal })
    expect(await create({ type: 'Story' })).toMatchObject({ status: 'rejected' })
    expect(await create({ fields: { title: 'x', state: 'Closed' } })).toMatchObject({ status: 'rejected' })
    await expect(create({ parentId: 99 })).rejects.toMatchObject({ code: 'not_found' })
  })
})
