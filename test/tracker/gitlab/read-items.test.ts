import { describe, expect, it } from 'vitest'
import { createFakeTiming, errorOf, never } from '../azure-devops/fixtures'
import { openGitLab } from './fixtures'

const signal = never
const statuses = [
  { name: 'To do', category: 'TO_DO' },
  { name: 'In progress', category: 'IN_PROGRESS' },
  { name: 'Done', category: 'DONE' },
  { name: "Won't do", category: 'CANCELED' },
] as const
const customFields = [
  { id: 5, name: 'Customer', fieldType: 'TEXT' },
  { id: 6, name: 'Severity', fieldType: 'SINGLE_SELECT', options: ['Low', 'High'] },
  { id: 7, name: 'Browsers', fieldType: 'MULTI_SELECT', options: ['Firefox', 'Safari'] },
  { id: 8, name: 'Cost', fieldType: 'NUMBER' },
] as const
const iterations = [{ title: null, startDate: '2026-11-16', dueDate: '2026-11-29', cadence: 'Team' }]

describe('a work item', () => {
  it('has the values of its widgets', async () => {
    const { tracker } = await openGitLab({
      items: [
        { id: 1, type: 'Epic' },
        { id: 2, links: [{ type: 'blocks', to: 3 }] },
        {
          id: 3,
          iid: 12,
          title: 'Scan the code',
          description: 'First\r\nsecond',
          parent: 1,
          status: 'In progress',
          labels: ['gate', 'priority::high'],
          assignees: ['ines', 'robin'],
          milestone: '1.0',
          iteration: '2026-11-16',
          weight: 5,
          startDate: '2026-11-17',
          healthStatus: 'atRisk',
          links: [{ type: 'relates_to', to: 4 }],
          custom: { Customer: 'Harbor works', Severity: ['High'], Browsers: ['Firefox', 'Safari'], Cost: 2.5 },
        },
        { id: 4 },
      ],
      statuses,
      customFields,
      iterations,
    })
    expect(await tracker.getItem(3, signal)).toMatchObject({
      id: 3,
      key: 'works/harbor#12',
      type: 'Issue',
      level: 1,
      state: 'In progress',
      stateCategory: 'InProgress',
      assignedTo: { displayName: 'Ines Ortega', uniqueName: 'ines' },
      iterationPath: 'Team/2026-11-16 to 2026-11-29',
      tags: ['gate', 'priority::high'],
      storyPoints: 5,
      parentId: 1,
      predecessorIds: [2],
      successorIds: [],
      relatedIds: [4],
      description: { format: 'markdown', text: 'First\nsecond' },
      fields: {
        milestone: '1.0',
        startDate: '2026-11-17',
        healthStatus: 'atRisk',
        'customField/5': 'Harbor works',
        'customField/6': 'High',
        'customField/7': 'Firefox; Safari',
        'customField/8': 2.5,
      },
    })
    expect(await tracker.getItem(1, signal)).toMatchObject({ key: 'works&1', type: 'Epic', level: 2, state: 'Open' })
    expect((await tracker.getItem(2, signal)).successorIds).toEqual([3])
  })

  it('has the milestone as its iteration where it has none', async () => {
    const { tracker } = await openGitLab({ items: [{ id: 1, milestone: '1.0', state: 'CLOSED' }] })
    const item = await tracker.getItem(1, signal)
    expect(item).toMatchObject({ iterationPath: '1.0', state: 'Closed', stateCategory: 'Completed' })
  })

  it('is read from an older Community Edition without what that does not have', async () => {
    const items = Array.from({ length: 12 }, (_, i) => ({ id: i + 1, weight: 3, labels: ['gate'] }))
    const { tracker, requests } = await openGitLab({ items, version: 'older', labels: ['gate'] })
    const ids = items.map(({ id }) => id)
    const read = await tracker.getItems(ids, { signal })
    expect(read.items.map(({ id, storyPoints, tags }) => ({ id, storyPoints, tags }))).toEqual(
      ids.map((id) => ({ id, storyPoints: null, tags: ['gate'] })),
    )
    expect((await tracker.describeProcess(signal)).types.map(({ name }) => name)).toContain('Issue')
    requests.length = 0
    await tracker.getItems(ids, { signal })
    expect(requests).toHaveLength(3)
  })

  it('of another shape is missing, and does not hinder the others', async () => {
    const { tracker, gitlab } = await openGitLab(
      { items: Array.from({ length: 10 }, (_, i) => ({ id: i + 1 })) },
      {
        async answer(request) {
          const reply: any = await gitlab.answer(request)
          for (const node of reply.json?.data?.project?.list0?.nodes ?? [])
            if (node.id.endsWith('/3')) node.title = { hostile: true }
          if (reply.json?.data?.item0?.id.endsWith('/3')) reply.json.data.item0.updatedAt = 'never'
          return reply
        },
      },
    )
    const { items, missing } = await tracker.getItems([1, 2, 3, 4, 5, 6], { signal })
    expect(items.map(({ id }) => id)).toEqual([1, 2, 4, 5, 6])
    expect(missing).toMatchObject([{ id: 3, isMalformed: true, reason: expect.stringContaining('unexpected shape') }])
    const deletion = tracker.parts.deletion!.delete({ id: 3, rev: 1 }, signal)
    expect(await errorOf(deletion)).toMatchObject({ code: 'tracker_answer' })
  })

  it('changes its version when a link changes, although its time does not', async () => {
    const { tracker, gitlab } = await openGitLab({ items: [{ id: 1 }, { id: 2 }] })
    const before = await tracker.getShape(2, signal)
    gitlab.items.get(1)!.links.push({ type: 'blocks', to: 2 })
    const after = await tracker.getShape(2, signal)
    expect(after.rev).toBe(before.rev)
    expect(after.relationsFingerprint).not.toBe(before.relationsFingerprint)
  })
})

describe('keys', () => {
  it('of the project and of its groups are resolved with a request each', async () => {
    const { tracker, requests } = await openGitLab({
      items: [
        { id: 101, iid: 5, type: 'Epic' },
        { id: 102, iid: 5 },
        { id: 103, iid: 6, namespace: 'works/other' },
      ],
    })
    const keys = ['works&5', 'works/harbor#5', '#5', 'works/other#6', 'works/harbor#77', 'strange/harbor#5', '102']
    expect(Object.fromEntries(await tracker.resolveKeys(keys, signal))).toEqual({
      'works&5': 101,
      'works/harbor#5': 102,
      '#5': 102,
      'works/other#6': 103,
      '102': 102,
    })
    expect(requests).toHaveLength(2)
  })
})

describe('trees', () => {
  it('have all children, also after the first hundred, and of other projects', async () => {
    const { tracker } = await openGitLab({
      items: [
        { id: 1, type: 'Epic' },
        { id: 2, type: 'Epic', parent: 1 },
        ...Array.from({ length: 130 }, (_, i) => ({ id: i + 10, parent: 2 })),
        { id: 500, parent: 12, type: 'Task' },
        { id: 501, parent: 139, type: 'Task' },
        { id: 502, parent: 1, namespace: 'works/other' },
      ],
    })
    const links = await tracker.getTree(1, signal)
    expect(links).toHaveLength(134)
    expect(links).toEqual(
      expect.arrayContaining([
        { parentId: 1, childId: 502 },
        { parentId: 2, childId: 139 },
        { parentId: 12, childId: 500 },
        { parentId: 139, childId: 501 },
      ]),
    )
  })

  it('are read level by level where the server cannot answer for two levels', async () => {
    const items = [{ id: 1 }, { id: 2, parent: 1 }, { id: 3, parent: 2 }, { id: 4, parent: 3 }]
    const { tracker } = await openGitLab({ items, maxComplexity: 40 })
    expect(await tracker.getTree(1, signal)).toEqual([
      { parentId: 1, childId: 2 },
      { parentId: 2, childId: 3 },
      { parentId: 3, childId: 4 },
    ])
  })

  it('end where the tracker has a cycle', async () => {
    const { tracker } = await openGitLab({
      items: [
        { id: 1, parent: 3 },
        { id: 2, parent: 1 },
        { id: 3, parent: 2 },
      ],
    })
    expect(await tracker.getTree(1, signal)).toEqual([
      { parentId: 1, childId: 2 },
      { parentId: 2, childId: 3 },
    ])
  })
})

describe('searches', () => {
  const items = [
    { id: 1, type: 'Epic', title: 'Gate' },
    { id: 2, title: 'Gate lamp' },
    { id: 3, type: 'Task', title: 'Other' },
  ]

  it('find the last changed items of a type first, epics in the group', async () => {
    const { tracker, gitlab } = await openGitLab({ items })
    gitlab.change(2, { title: 'Gate light' })
    const query = { types: ['Issue', 'Epic'], title: 'gate', limit: 10 }
    expect(await tracker.findByType(query, signal)).toEqual({ ids: [2, 1], total: 2 })
    expect((await tracker.findByType({ ...query, limit: 1 }, signal)).ids).toEqual([2])
  })

  it('run a filter of a list, and name a parameter that studio cannot use', async () => {
    const { tracker } = await openGitLab({ items: [...items, { id: 4, labels: ['gate', 'x y'], state: 'CLOSED' }] })
    const run = (text: string) => tracker.parts.queries!.run({ text }, 10, signal)
    expect(await run('?label_name[]=gate&label_name[]=x%20y&state=closed&sort=updated_desc')).toEqual({
      ids: [4],
      total: 1,
    })
    expect((await run('state=opened&search=lamp')).ids).toEqual([2])
    expect(await errorOf(run('__proto__=1'))).toMatchObject({ code: 'invalid' })
    expect(await errorOf(run('weight=3'))).toMatchObject({
      code: 'invalid',
      message: expect.stringContaining('"weight"'),
    })
    const saved = tracker.parts.queries!.run({ saved: '1' }, 10, signal)
    expect(await errorOf(saved)).toMatchObject({ code: 'not_found' })
  })
})

describe('errors', () => {
  it.each([
    [{ status: 302, headers: { location: 'https://gitlab.example/users/sign_in' }, text: '' }, 'tracker_token'],
    [{ status: 401, json: { error: 'invalid_token' } }, 'tracker_token'],
    [{ status: 403, json: { error: 'insufficient_scope', scope: 'api' } }, 'tracker_forbidden'],
    [{ status: 404, text: '<html>Not found</html>' }, 'tracker_answer'],
    [{ status: 200, json: { errors: [{ message: 'Internal server error' }] } }, 'tracker_answer'],
  ] as const)('%j', async (reply, code) => {
    const { tracker } = await openGitLab({ items: [] }, { answer: () => reply as never })
    expect(await errorOf(tracker.getItem(1, signal))).toMatchObject({ code })
  })

  it('a project that the token cannot read', async () => {
    const { tracker } = await openGitLab({ items: [] }, { project: 'secret' })
    expect(await errorOf(tracker.probe(signal))).toMatchObject({ code: 'invalid' })
  })

  it('waits until the limit of the server ends', async () => {
    let isRefused = false
    const timing = createFakeTiming()
    const reset = String(timing.now() / 1000 + 9)
    const { tracker } = await openGitLab(
      { items: [{ id: 1 }] },
      {
        timing,
        answer() {
          if (isRefused) return null
          isRefused = true
          return { status: 429, headers: { 'ratelimit-remaining': '0', 'ratelimit-reset': reset }, text: 'Retry later' }
        },
      },
    )
    expect(await tracker.getItem(1, signal)).toMatchObject({ id: 1 })
    expect(Math.max(...timing.slept)).toBeCloseTo(9_000, -2)
  })
})
