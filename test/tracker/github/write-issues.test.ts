import { describe, expect, it } from 'vitest'
import type { Tracker } from '../../../src/tracker'
import { never, quick } from '../azure-devops/fixtures'
import { isMutation, losing, openGitHub, ways } from './fixtures'

const issues = [
  { number: 1, type: 'Feature', title: 'Gate' },
  { number: 2, title: 'Lamp', labels: ['story', 'points:3', 'urgent'] },
  { number: 3, title: 'Bell' },
]
const labels = ['story', 'points:3', 'points:5', 'urgent', 'later']
const milestones = [{ title: 'Sprint 24', dueOn: null }]
const options = { issues, labels, milestones, types: ['Feature'] }

const limits = { ...quick, headersTimeoutMs: 200 }

describe('a change of an issue', () => {
  it('sets every field, and keeps the labels of type and points', async () => {
    const { tracker, github } = await openGitHub(options)
    const { rev } = await tracker.getItem(2, never)
    const fields = {
      title: 'Lantern',
      body: 'Line 1\nLine 2',
      state: 'Closed as not planned',
      assignee: '@ines',
      labels: 'later',
      milestone: 'Sprint 24',
      points: 5,
    }
    const [outcome] = await tracker.updateItems([{ id: 2, rev, fields }], { signal: never })
    expect(outcome).toMatchObject({
      status: 'applied',
      item: { title: 'Lantern', type: 'Story', tags: ['later'], storyPoints: 5, stateCategory: 'Removed' },
    })
    expect(github.issues.get(2)).toMatchObject({
      labels: ['story', 'points:5', 'later'],
      assignees: ['ines'],
      milestone: 'Sprint 24',
      state: 'CLOSED',
      stateReason: 'NOT_PLANNED',
    })
  })

  it('clears fields, and opens the issue again', async () => {
    const { tracker, github } = await openGitHub(options)
    github.change(2, { state: 'CLOSED', stateReason: 'COMPLETED', milestone: 'Sprint 24', assignees: ['ines'] })
    const { rev } = await tracker.getItem(2, never)
    const fields = { state: 'Open', assignee: null, labels: null, milestone: null, points: null, body: null }
    expect(await tracker.updateItems([{ id: 2, rev, fields }], { signal: never })).toMatchObject([
      { status: 'applied' },
    ])
    expect(github.issues.get(2)).toMatchObject({ labels: ['story'], assignees: [], milestone: null, state: 'OPEN' })
  })

  it('sets points with the label that the repository has for them', async () => {
    const { tracker, github } = await openGitHub({
      ...options,
      labels: ['story', 'points:3', 'Story points: 8', 'urgent'],
    })
    const { rev } = await tracker.getItem(2, never)
    expect(await tracker.updateItems([{ id: 2, rev, fields: { points: 8 } }], { signal: never })).toMatchObject([
      { status: 'applied', item: { storyPoints: 8 } },
    ])
    expect(github.issues.get(2)!.labels).toEqual(['story', 'Story points: 8', 'urgent'])
  })

  it('adds and removes single tags, and keeps those that others add meanwhile', async () => {
    const { tracker, github, requests } = await openGitHub(options, {
      async answer(request, fake) {
        if (isMutation(request)) fake.issues.get(2)!.labels.push('story')
        return null
      },
    })
    const { rev } = await tracker.getItem(2, never)
    github.issues.get(2)!.labels.push('points:5')
    const tags = { add: ['LATER', 'urgent'], remove: ['Urgent', 'gone'] }
    expect(await tracker.updateItems([{ id: 2, rev, fields: {}, tags }], { signal: never })).toMatchObject([
      { status: 'applied', item: { tags: ['later'] } },
    ])
    expect(github.issues.get(2)!.labels).toEqual(expect.arrayContaining(['story', 'points:3', 'points:5', 'later']))
    expect(requests.filter(isMutation)).toHaveLength(1)
    const again = await tracker.getItem(2, never)
    const unknown = { id: 2, rev: again.rev, fields: {}, tags: { add: ['nothing'], remove: [] } }
    expect(await tracker.updateItems([unknown], { signal: never })).toMatchObject([
      { status: 'rejected', message: 'The repository has no label "nothing". Create it there first.' },
    ])
  })

  it.each(ways)('adds and removes tags once, also if the response is lost: %s', async (_, how) => {
    const { tracker, requests } = await openGitHub(options, { answer: losing(how, true), limits })
    const { rev } = await tracker.getItem(2, never)
    const tags = { add: ['later'], remove: ['urgent'] }
    expect(await tracker.updateItems([{ id: 2, rev, fields: {}, tags }], { signal: never })).toMatchObject([
      { status: 'applied' },
    ])
    expect(requests.filter(isMutation)).toHaveLength(1)
  })

  it('sets a milestone, a label and a type that are not on the first page of a list', async () => {
    const named = (prefix: string) => Array.from({ length: 250 }, (_, i) => `${prefix} ${i}`)
    const many = {
      issues,
      labels: named('label'),
      types: named('Type'),
      milestones: named('Release').map((title) => ({ title, dueOn: null })),
    }
    const { tracker, github } = await openGitHub(many)
    const fields = { title: 'Crane', milestone: 'Release 240', labels: 'label 240' }
    const marker = '5f0f3fb0-0000-4000-8000-000000000001'
    const item = { type: 'Type 240', parentId: 1, fields, marker, startedAt: Date.UTC(2026, 10, 2, 9) }
    expect(await tracker.createItem(item, { signal: never })).toMatchObject({ status: 'created' })
    expect(github.issues.get(4)).toMatchObject({ milestone: 'Release 240', type: 'Type 240', labels: ['label 240'] })
    expect(await tracker.listIterations(never)).toHaveLength(250)
  })

  it('adds and removes links', async () => {
    const { tracker, github } = await openGitHub(options)
    const { rev } = await tracker.getItem(2, never)
    const add = [
      { kind: 'parent', id: 1 },
      { kind: 'predecessor', id: 3 },
    ] as const
    const [added] = await tracker.updateItems([{ id: 2, rev, fields: {}, links: { add, remove: [] } }], {
      signal: never,
    })
    expect(added).toMatchObject({ status: 'applied', item: { parentId: 1, predecessorIds: [3] } })
    const again = await tracker.getItem(2, never)
    const [removed] = await tracker.updateItems(
      [{ id: 2, rev: again.rev, fields: {}, links: { add: [], remove: add } }],
      { signal: never },
    )
    expect(removed).toMatchObject({ status: 'applied', item: { parentId: null, predecessorIds: [] } })
    expect(github.issues.get(2)).toMatchObject({ parent: null, blockedBy: [] })
  })

  it.each([
    [{ labels: 'unknown' }, 'no label "unknown"'],
    [{ milestone: 'Sprint 99' }, 'no milestone "Sprint 99"'],
    [{ assignee: 'nobody' }, 'no account "nobody"'],
    [{ state: 'Doing' }, '"Doing" is no state'],
    [{ title: '' }, "Title can't be blank"],
  ])('is rejected with the reason: %o', async (fields, message) => {
    const { tracker, github } = await openGitHub(options)
    const before = structuredClone(github.issues.get(2))
    const { rev } = await tracker.getItem(2, never)
    const outcomes = await tracker.updateItems([{ id: 2, rev, fields }], { signal: never })
    expect(outcomes).toMatchObject([{ status: 'rejected', message: expect.stringContaining(message) }])
    expect(github.issues.get(2)).toEqual(before)
  })

  it('is applied without a request if the issue has the values already', async () => {
    const { tracker, requests } = await openGitHub(options)
    const { rev } = await tracker.getItem(2, never)
    const outcomes = await tracker.updateItems([{ id: 2, rev, fields: { state: 'Open' } }], { signal: never })
    expect(outcomes).toMatchObject([{ status: 'applied', item: { state: 'Open' } }])
    expect(requests.filter(isMutation)).toHaveLength(0)
  })

  it('is a conflict if the issue has a newer version, and nothing is sent', async () => {
    const { tracker, github, requests } = await openGitHub(options)
    const { rev } = await tracker.getItem(2, never)
    github.change(2, { title: 'Torch' })
    const outcomes = await tracker.updateItems([{ id: 2, rev, fields: { title: 'Lantern' } }], { signal: never })
    expect(outcomes).toMatchObject([{ status: 'conflict' }])
    expect(requests.filter(isMutation)).toHaveLength(0)
  })

  it.each(ways)('was applied if the issue has the new values after a lost response: %s', async (_, how) => {
    const { tracker, requests } = await openGitHub(options, { answer: losing(how, true), limits })
    const { rev } = await tracker.getItem(2, never)
    const outcomes = await tracker.updateItems([{ id: 2, rev, fields: { title: 'Lantern' } }], { signal: never })
    expect(outcomes).toMatchObject([{ status: 'applied', item: { title: 'Lantern' } }])
    expect(requests.filter(isMutation)).toHaveLength(1)
  })

  it.each(ways)('is unknown if the issue has the old values, and nothing more is sent: %s', async (_, how) => {
    const many = Array.from({ length: 11 }, (_, i) => ({ number: i + 1 }))
    const { tracker, requests } = await openGitHub({ issues: many }, { answer: losing(how, false), limits })
    const ids = many.map(({ number }) => number)
    const { items } = await tracker.getItems(ids, { signal: never })
    const changes = items.map(({ id, rev }) => ({ id, rev, fields: { title: 'Lantern' } }))
    const outcomes = await tracker.updateItems(changes, { signal: never })
    expect(outcomes.map(({ status }) => status)).toEqual([...Array(10).fill('unknown'), 'notAttempted'])
    expect(requests.filter(isMutation)).toHaveLength(1)
  })

  it('is sent again after a rate limit, because GitHub has not processed it', async () => {
    const limited = {
      status: 403,
      headers: { 'retry-after': '0' },
      json: { message: 'You have exceeded a secondary rate limit.' },
    }
    const { tracker, requests } = await openGitHub(options, { answer: losing(limited, false) })
    const { rev } = await tracker.getItem(2, never)
    const outcomes = await tracker.updateItems([{ id: 2, rev, fields: { title: 'Lantern' } }], { signal: never })
    expect(outcomes).toMatchObject([{ status: 'applied' }])
    expect(requests.filter(isMutation)).toHaveLength(2)
  })

  const error = { type: 'RATE_LIMITED', message: 'API rate limit exceeded.' }
  const headers = { 'retry-after': '0' }
  const changeAll = (tracker: Tracker) =>
    tracker.getItems([1, 2, 3], { signal: never }).then(({ items }) =>
      tracker.updateItems(
        items.map(({ id, rev }) => ({ id, rev, fields: { title: `New ${id}` } })),
        { signal: never },
      ),
    )

  it('is sent again after a rate limit under the status 200 if GitHub has applied nothing', async () => {
    const limited = { headers, json: { data: { step0: null, step1: null, step2: null }, errors: [error] } }
    const { tracker, requests } = await openGitHub(options, { answer: losing(limited, false) })
    expect((await changeAll(tracker)).map(({ status }) => status)).toEqual(['applied', 'applied', 'applied'])
    expect(requests.filter(isMutation)).toHaveLength(2)
  })

  it.each([
    [
      'names the steps',
      [
        { ...error, path: ['step1'] },
        { ...error, path: ['step2'] },
      ],
    ],
    ['names no step', [error]],
  ])('is not sent again if a rate limit ends it after one of its steps: the answer %s', async (_, errors) => {
    const data = { step0: { clientMutationId: null }, step1: null, step2: null }
    const { tracker, requests } = await openGitHub(options, {
      answer(request, github) {
        if (!isMutation(request)) return null
        github.change(1, { title: 'New 1' })
        return { headers, json: { data, errors } }
      },
    })
    const notSent = { status: 'notAttempted', message: expect.stringMatching(/limits the rate|rate limit/) }
    expect(await changeAll(tracker)).toMatchObject([
      { status: 'applied', item: { title: 'New 1' } },
      { id: 2, ...notSent },
      { id: 3, ...notSent },
    ])
    expect(requests.filter(isMutation)).toHaveLength(1)
  })
})

describe('a new issue', () => {
  const item = {
    type: 'Feature',
    parentId: 3,
    fields: { title: 'Crane', body: 'Lifts.', labels: 'later', points: 5 },
    marker: '5f0f3fb0-0000-4000-8000-000000000001',
    startedAt: Date.UTC(2026, 10, 2, 9),
  }

  it('has its values, its type and its parent, and loses its marker', async () => {
    const { tracker, github } = await openGitHub(options)
    const created = await tracker.createItem(item, { signal: never })
    expect(created).toMatchObject({ status: 'created', id: 4, item: { type: 'Feature', parentId: 3, storyPoints: 5 } })
    expect(await tracker.findCreatedItem(item, never)).toMatchObject({ id: 4 })
    expect(await tracker.removeMarker(4, item.marker, never)).toMatchObject({
      isGone: true,
      item: { description: { text: 'Lifts.' } },
    })
    expect(github.issues.get(4)!.body).toBe('Lifts.')
    expect(await tracker.findCreatedItem(item, never)).toBeNull()
  })

  it('has a label for a type that its organization does not have', async () => {
    const { tracker, github } = await openGitHub(options)
    const created = await tracker.createItem({ ...item, type: 'Story' }, { signal: never })
    expect(created).toMatchObject({ status: 'created', item: { type: 'Story' } })
    expect(github.issues.get(4)!.labels).toEqual(['points:5', 'later', 'story'])
  })

  it('is only checked if that is requested', async () => {
    const { tracker, github } = await openGitHub(options)
    const check = (values: Partial<typeof item>) =>
      tracker.createItem({ ...item, ...values }, { signal: never, validateOnly: true })
    expect(await check({})).toEqual({ status: 'created', id: null, item: null })
    expect(await check({ type: 'Epic' })).toMatchObject({
      status: 'rejected',
      message: expect.stringContaining('"Epic"'),
    })
    expect(github.issues.size).toBe(3)
  })

  it.each(ways)('is found by its marker after a lost response: %s', async (_, how) => {
    const { tracker, github } = await openGitHub(options, { answer: losing(how, true), limits })
    expect(await tracker.createItem(item, { signal: never })).toMatchObject({ status: 'created', id: 4 })
    expect(github.issues.size).toBe(4)
  })

  it('is found by its marker among any number of later ones', async () => {
    const body = `Lifts.\n\n<!-- studio: ${item.marker} -->`
    const at = (minutes: number) => new Date(item.startedAt + minutes * 60_000).toISOString()
    const later = Array.from({ length: 450 }, (_, i) => ({ number: i + 2, createdAt: at(i + 2) }))
    const { tracker } = await openGitHub({ issues: [{ number: 1, body, createdAt: at(1) }, ...later] })
    expect(await tracker.findCreatedItem({ ...item, parentId: null }, never)).toMatchObject({ id: 1 })
  })

  it.each(ways)('is never sent twice: %s', async (_, how) => {
    const { tracker, github, requests } = await openGitHub(options, { answer: losing(how, false), limits })
    expect(await tracker.createItem(item, { signal: never })).toMatchObject({ status: 'unknown' })
    expect(requests.filter(isMutation)).toHaveLength(1)
    expect(github.issues.size).toBe(3)
  })
})
