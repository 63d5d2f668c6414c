import { describe, expect, it } from 'vitest'
import type { ItemChange, NewItem, Tracker } from '../../../src/tracker'
import { never } from '../azure-devops/fixtures'
import type { FakeJiraOptions } from './fake-jira'
import { DEPLOYMENTS, openJira } from './fixtures'

const issues = [
  { id: 101, type: 'Epic' },
  { id: 201, type: 'Story', parent: 'HAR-101', labels: ['gate'] },
  { id: 202, type: 'Story', parent: 'HAR-101' },
  { id: 311, type: 'Sub-task', parent: 'HAR-201' },
]

async function update(tracker: Tracker, change: Partial<ItemChange>) {
  const { rev } = await tracker.getItem(201, never)
  const [outcome] = await tracker.updateItems([{ id: 201, rev, fields: {}, ...change }], { signal: never })
  return outcome!
}

const changesOf = <Request extends { method: string; path: string }>(requests: readonly Request[]) =>
  requests.filter(({ method, path }) => method !== 'GET' && !/search|bulkfetch/.test(path))

describe.each(DEPLOYMENTS)('changing an issue on %s', (deployment) => {
  const open = (options: Partial<FakeJiraOptions> = {}) => openJira({ deployment, issues, ...options })

  it('sets fields by the names that people use', async () => {
    const { tracker, site } = await open()
    const fields = {
      summary: 'Scan',
      labels: 'gate; night',
      priority: 'low',
      assignee: '@ines@works.example',
      sprint: 'sprint 25',
      points: 3,
      description: 'At the **gate**.',
    }
    expect(await update(tracker, { fields })).toMatchObject({
      status: 'applied',
      item: { title: 'Scan', tags: ['gate', 'night'], priority: 4, iterationPath: 'Sprint 25', storyPoints: 3 },
    })
    expect(site.find(201)).toMatchObject({ priority: 'Low', assignee: 'ines', sprints: [25] })
    const cleared = { labels: null, assignee: null, sprint: null, points: null, description: null }
    expect(await update(tracker, { fields: cleared })).toMatchObject({
      status: 'applied',
      item: { tags: [], assignedTo: null, iterationPath: '', storyPoints: null, description: null },
    })
  })

  it.each([
    [{ labels: 'two words' }, 'A label of Jira has no spaces: "two words".'],
    [{ priority: 'Urgent' }, 'The site has no priority "Urgent". It has Highest, High, Medium, Low, Lowest.'],
    [{ assignee: 'nobody' }, 'Jira has no account "nobody" that issues can be assigned to.'],
    [{ sprint: 'Sprint 99' }, 'The boards of the project have no sprint "Sprint 99".'],
  ])('refuses %o before anything is sent', async (fields, message) => {
    const { tracker, requests } = await open()
    expect(await update(tracker, { fields })).toEqual({ id: 201, status: 'rejected', message })
    expect(changesOf(requests)).toEqual([])
  })

  it('moves it to a state with a transition, which may also be named itself', async () => {
    const workflow = [
      { from: 'To Do', to: 'In Progress', name: 'Start work' },
      { from: 'In Progress', to: 'Done' },
    ]
    const { tracker } = await open({ workflow })
    expect(await update(tracker, { fields: { status: 'start work' } })).toMatchObject({
      status: 'applied',
      item: { state: 'In Progress' },
    })
    expect(await update(tracker, { fields: { status: 'done' } })).toMatchObject({ item: { state: 'Done' } })
  })

  it('refuses a state that no transition leads to, and names those that can be reached', async () => {
    const { tracker, requests } = await open({ workflow: [{ from: 'To Do', to: 'In Progress' }] })
    expect(await update(tracker, { fields: { status: 'Done', summary: 'Scan' } })).toMatchObject({
      status: 'rejected',
      message: 'The workflow of HAR-201 has no transition from "To Do" to "Done". It allows: In Progress.',
    })
    const none = await open({ workflow: [] })
    expect(await update(none.tracker, { fields: { status: 'Done' } })).toMatchObject({
      message: 'The workflow of HAR-201 has no transition from "To Do" to "Done". It allows: no other state.',
    })
    expect(changesOf(requests)).toEqual([])
  })

  it('refuses a transition whose screen asks for a value that the issue does not have', async () => {
    const { tracker, requests } = await open({ workflow: [{ from: 'To Do', to: 'Done', needsResolution: true }] })
    expect(await update(tracker, { fields: { status: 'Done', summary: 'Scan' } })).toMatchObject({
      status: 'rejected',
      message: expect.stringMatching(/transition "Done" of HAR-201 requires Resolution \(Done\)\. Set it together/),
      fields: [{ referenceName: 'resolution' }],
    })
    expect(changesOf(requests)).toEqual([])
    const given = { status: 'Done', resolution: 'Done', summary: 'Scan' }
    expect(await update(tracker, { fields: given })).toMatchObject({ status: 'applied', item: { state: 'Done' } })
    expect(changesOf(requests).map(({ body }) => Object.keys(body.fields))).toEqual([['summary'], ['resolution']])
  })

  it('adds and removes links in both directions', async () => {
    const { tracker, site } = await open()
    const links = { add: [{ kind: 'predecessor', id: 202 }] as const, remove: [] }
    expect(await update(tracker, { links })).toMatchObject({ item: { predecessorIds: [202] } })
    expect(site.links).toMatchObject([{ type: 'Blocks', from: 'HAR-202', to: 'HAR-201' }])
    const swapped = {
      add: [{ kind: 'successor', id: 202 }] as const,
      remove: [{ kind: 'predecessor', id: 202 }] as const,
    }
    expect(await update(tracker, { links: swapped })).toMatchObject({
      item: { predecessorIds: [], successorIds: [202] },
    })
    expect(site.links).toMatchObject([{ type: 'Blocks', from: 'HAR-201', to: 'HAR-202' }])
  })

  it('removes it from its epic', async () => {
    const { tracker, site } = await open()
    const links = { add: [], remove: [{ kind: 'parent', id: 101 }] as const }
    expect(await update(tracker, { links })).toMatchObject({ status: 'applied', item: { parentId: null } })
    expect(site.find(201)!.parent).toBeNull()
  })

  it('says that only a part was applied if the second request fails', async () => {
    const { tracker } = await open({
      answer: ({ method, path }) =>
        method === 'POST' && /transitions/.test(path) ? { status: 400, json: { errorMessages: ['Locked.'] } } : null,
    })
    expect(await update(tracker, { fields: { summary: 'Scan', status: 'Done' } })).toMatchObject({
      status: 'unknown',
      message: expect.stringMatching(/only a part of the change: .*Locked/),
    })
  })

  it('notices a change of another user within the same second', async () => {
    const { tracker, site } = await open()
    const { rev } = await tracker.getItem(201, never)
    site.find(201)!.updated += 1
    const outcomes = await tracker.updateItems([{ id: 201, rev, fields: { summary: 'Mine' } }], { signal: never })
    expect(outcomes).toMatchObject([{ status: 'conflict' }])
  })
})

describe.each(DEPLOYMENTS)('creating an issue on %s', (deployment) => {
  const addLater = (tracker: Tracker) =>
    tracker.createItem(
      { type: 'Task', parentId: null, fields: { summary: 'Later' }, marker: 'm2', startedAt: Date.now() },
      { signal: never },
    )

  const create = async (values: Record<string, unknown>, type = 'Story', parentId: number | null = 101) => {
    const jira = await openJira({ deployment, issues })
    const item = { type, parentId, fields: { summary: 'Lamp', ...values } as NewItem['fields'], marker: 'm1' }
    const outcome = await jira.tracker.createItem({ ...item, startedAt: Date.now() }, { signal: never })
    return { ...jira, outcome }
  }

  it('gives it a parent, fields and a marker', async () => {
    const { outcome, site } = await create({ priority: 2, labels: 'gate', points: 8 })
    expect(outcome).toMatchObject({ status: 'created', item: { title: 'Lamp', parentId: 101, storyPoints: 8 } })
    const { id } = outcome as { id: number }
    expect(site.find(id)).toMatchObject({ parent: 'HAR-101', priority: 'High', labels: ['gate'] })
    expect(site.find(id)!.properties).toHaveProperty('studio-m1')
  })

  it('is found by its marker among any number of later ones', async () => {
    const { outcome, site, tracker } = await create({})
    const { id } = outcome as { id: number }
    const { created } = site.find(id)!
    for (let i = 1; i <= 250; i++) await addLater(tracker)
    const item = { type: 'Story', parentId: null, fields: {}, marker: 'm1', startedAt: created }
    expect(await tracker.findCreatedItem(item, never)).toMatchObject({ id })
  })

  it('can be an epic, a task without a parent, or a subtask', async () => {
    expect((await create({}, 'Epic', null)).outcome).toMatchObject({ item: { level: 2, parentId: null } })
    expect((await create({}, 'task', null)).outcome).toMatchObject({ item: { type: 'Task' } })
    expect((await create({}, 'Sub-task', 201)).outcome).toMatchObject({ item: { level: 0, parentId: 201 } })
  })

  it.each([
    [{ status: 'Done' }, 'Story', /first state/],
    [{}, 'Feature', /no type "Feature". It has Epic, Story, Task, Bug, Sub-task/],
  ])('refuses %o as %s', async (values, type, message) => {
    const { outcome, requests } = await create(values, type)
    expect(outcome).toMatchObject({ status: 'rejected', message: expect.stringMatching(message) })
    expect(changesOf(requests)).toEqual([])
  })
})
