import { describe, expect, it } from 'vitest'
import type { ItemChange, Tracker } from '../../../../src/tracker'
import { errorOf, never, quick } from '../../azure-devops/fixtures'
import { isMutation, losing, openGitHub, ways } from '../fixtures'

const empty = { points: null, iteration: null }
const issues = [
  { number: 1, title: 'Gate', board: { points: 3, iteration: 'Sprint 24' } },
  { number: 2, title: 'Lamp', board: { ...empty } },
  { number: 3, title: 'Bell', labels: ['points:5', 'late'] },
  { number: 4, title: 'Horn', milestone: 'Release 2' },
]
const options = { issues, labels: ['points:5', 'points:8', 'late'], milestones: [{ title: 'Release 2', dueOn: null }] }
const onBoard = { board: 7 }
const limits = { ...quick, headersTimeoutMs: 200 }

async function update(tracker: Tracker, changes: readonly Omit<ItemChange, 'rev'>[]) {
  const { items } = await tracker.getItems(
    changes.map(({ id }) => id),
    { signal: never },
  )
  const revs = new Map(items.map(({ id, rev }) => [id, rev]))
  return tracker.updateItems(
    changes.map((change) => ({ ...change, rev: revs.get(change.id)! })),
    { signal: never },
  )
}

describe('points and iteration on a project board', () => {
  it('are set and cleared, and keep the labels and the milestone', async () => {
    const { tracker, github } = await openGitHub(options, onBoard)
    expect(
      await update(tracker, [
        { id: 2, fields: { points: 8, milestone: 'sprint 25' } },
        { id: 1, fields: { points: null, milestone: null } },
        { id: 4, fields: { milestone: 'Sprint 24' } },
      ]),
    ).toMatchObject([
      { status: 'applied', item: { storyPoints: 8, iterationPath: 'Sprint 25' } },
      { status: 'applied', item: { storyPoints: null, iterationPath: '' } },
      { status: 'applied', item: { iterationPath: 'Sprint 24' } },
    ])
    expect(github.issues.get(2)).toMatchObject({ board: { points: 8, iteration: 'Sprint 25' }, labels: [] })
    expect(github.issues.get(1)!.board).toEqual(empty)
    expect(github.issues.get(4)).toMatchObject({ board: { iteration: 'Sprint 24' }, milestone: 'Release 2' })
  })

  it('of several issues are changed in one request, and one more adds issues to the board', async () => {
    const { tracker, github, requests } = await openGitHub(options, onBoard)
    const onBoardBefore = await update(tracker, [
      { id: 1, fields: { points: 5, title: 'Arch' } },
      { id: 2, fields: { points: 5 } },
    ])
    expect(onBoardBefore).toMatchObject([{ status: 'applied' }, { status: 'applied' }])
    expect(requests.filter(isMutation)).toHaveLength(1)
    requests.length = 0
    await update(tracker, [
      { id: 3, fields: { points: 8 } },
      { id: 4, fields: { points: 8, milestone: 'Sprint 25' } },
    ])
    expect(requests.filter(isMutation)).toHaveLength(2)
    expect(github.issues.get(3)).toMatchObject({ board: { points: 8 }, labels: ['points:5', 'late'] })
    expect(github.issues.get(4)!.board).toEqual({ points: 8, iteration: 'Sprint 25' })
  })

  it('are cleared without adding an issue to the board, and without the label that would count instead', async () => {
    const { tracker, github } = await openGitHub(options, onBoard)
    expect(await update(tracker, [{ id: 3, fields: { points: null, milestone: null } }])).toMatchObject([
      { status: 'applied', item: { storyPoints: null } },
    ])
    expect(github.issues.get(3)).toMatchObject({ board: null, labels: ['late'] })
  })

  it('are a label where the board has no number field for points', async () => {
    const boardFields = { points: 'Weight' }
    const { tracker, github } = await openGitHub({ ...options, boardFields }, onBoard)
    expect(await update(tracker, [{ id: 4, fields: { points: 8 } }])).toMatchObject([
      { status: 'applied', item: { storyPoints: 8 } },
    ])
    expect(github.issues.get(4)).toMatchObject({ board: null, labels: ['points:8'] })
  })

  it.each([
    [{ milestone: 'Sprint 99' }, {}, 'The project board has no iteration "Sprint 99".'],
    [{ milestone: 'Sprint 24' }, { boardFields: { iteration: null } }, 'The project board has no iteration field.'],
  ])('are rejected with the reason: %o', async (fields, fake, message) => {
    const { tracker, requests } = await openGitHub({ ...options, ...fake }, onBoard)
    expect(await update(tracker, [{ id: 2, fields }])).toMatchObject([{ status: 'rejected', message }])
    expect(requests.filter(isMutation)).toHaveLength(0)
  })

  it('need a board that exists', async () => {
    const { tracker, requests } = await openGitHub(options, { board: 8 })
    const missing = {
      code: 'invalid',
      message: 'Project board 8 does not exist, or your token cannot read it.',
      hint: expect.stringContaining('tracker.board'),
    }
    expect(await errorOf(tracker.probe(never))).toMatchObject(missing)
    expect(await errorOf(tracker.listIterations(never))).toMatchObject(missing)
    expect(await errorOf(update(tracker, [{ id: 1, fields: { points: 5 } }]))).toMatchObject(missing)
    expect(requests.filter(isMutation)).toHaveLength(0)
  })

  it('are those of this board alone, however many boards an issue is on', async () => {
    const board = { points: 3, iteration: 'Sprint 24' }
    const many = Array.from({ length: 30 }, (_, i) => ({ number: i + 1, otherBoards: i, board: i % 2 ? null : board }))
    const { tracker, requests, github } = await openGitHub({ issues: many }, onBoard)
    const ids = many.map(({ number }) => number)
    const { items } = await tracker.getItems(ids, { signal: never })
    expect(items.map(({ storyPoints }) => storyPoints)).toEqual(ids.map((id) => (id % 2 ? 3 : null)))
    expect(requests).toHaveLength(4)
    const before = await tracker.getShape(21, never)
    github.issues.get(21)!.board!.points = 8
    expect(await tracker.getShape(21, never)).not.toEqual(before)
    expect(await update(tracker, [{ id: 21, fields: { points: 5 } }])).toMatchObject([{ status: 'applied' }])
    expect(github.issues.get(21)!.board).toMatchObject({ points: 5, iteration: 'Sprint 24' })
  })

  it('are set on an issue in the archive of the board, which stays there', async () => {
    const { tracker, github, requests } = await openGitHub(options, onBoard)
    Object.assign(github.issues.get(1)!.board!, { isArchived: true, status: 'Done' })
    expect(await tracker.getItem(1, never)).toMatchObject({ storyPoints: 3, iterationPath: 'Sprint 24', state: 'Done' })
    expect(await update(tracker, [{ id: 1, fields: { points: 8, milestone: null } }])).toMatchObject([
      { status: 'applied', item: { storyPoints: 8, iterationPath: '' } },
    ])
    expect(github.issues.get(1)!.board).toMatchObject({ points: 8, iteration: null, isArchived: true })
    expect(requests.filter(isMutation)).toHaveLength(1)
    expect(await update(tracker, [{ id: 1, fields: { state: 'In Progress' } }])).toMatchObject([{ status: 'applied' }])
    expect(github.issues.get(1)!.board).toMatchObject({ status: 'In Progress', isArchived: false })
  })

  it('can be an iteration that was added a moment ago', async () => {
    const { tracker, github, requests } = await openGitHub(options, onBoard)
    await tracker.describeProcess(never)
    github.iterations.push({ id: 'it26', title: 'Sprint 26', startDate: '2026-12-14', duration: 14 })
    const changes = [1, 2].map((id) => ({ id, fields: { milestone: 'Sprint 26' } }))
    expect(await update(tracker, changes)).toMatchObject([{ status: 'applied' }, { status: 'applied' }])
    requests.length = 0
    const unknown = [1, 2].map((id) => ({ id, fields: { milestone: 'Sprint 99' } }))
    expect(await update(tracker, unknown)).toMatchObject([{ status: 'rejected' }, { status: 'rejected' }])
    expect(requests.filter(({ body }) => body.query.includes('milestones('))).toHaveLength(1)
  })

  it('are set on a new issue, which is added to the board', async () => {
    const { tracker, github } = await openGitHub(options, onBoard)
    const fields = { title: 'Crane', points: 5, milestone: 'Sprint 25' }
    const marker = '5f0f3fb0-0000-4000-8000-000000000001'
    const item = { type: 'Issue', parentId: null, fields, marker, startedAt: Date.UTC(2026, 10, 2, 9) }
    expect(await tracker.createItem(item, { signal: never })).toMatchObject({
      status: 'created',
      item: { id: 5, storyPoints: 5, iterationPath: 'Sprint 25' },
    })
    expect(github.issues.get(5)).toMatchObject({ board: { points: 5, iteration: 'Sprint 25' }, labels: [] })
    // The call that created it may have ended before the values were set.
    github.issues.get(5)!.board = null
    expect(await tracker.findCreatedItem(item, never)).toMatchObject({ storyPoints: 5, iterationPath: 'Sprint 25' })
  })
})

describe('a token without the scope for project boards', () => {
  const explained = {
    code: 'tracker_forbidden',
    message: 'The token does not have the scope "project".',
    hint: expect.stringContaining('Add the scope project to the token'),
  }
  it('cannot read them', async () => {
    const { tracker } = await openGitHub({ ...options, projectScope: null }, onBoard)
    expect(await errorOf(tracker.getItem(1, never))).toMatchObject(explained)
    expect(await errorOf(tracker.probe(never))).toMatchObject(explained)
  })

  it('that may only read them changes nothing', async () => {
    const { tracker, github } = await openGitHub({ ...options, projectScope: 'read:project' }, onBoard)
    expect(await errorOf(update(tracker, [{ id: 1, fields: { points: 5, title: 'Arch' } }]))).toMatchObject(explained)
    expect(github.issues.get(1)).toMatchObject({ title: 'Gate', board: { points: 3 } })
    const item = {
      type: 'Issue',
      parentId: null,
      fields: { title: 'Crane', points: 5 },
      marker: '5f0f3fb0-0000-4000-8000-000000000001',
      startedAt: Date.UTC(2026, 10, 2, 9),
    }
    expect(await tracker.createItem(item, { signal: never })).toMatchObject({
      status: 'created',
      id: 5,
      item: { storyPoints: null },
      problem: expect.stringContaining('The token does not have the scope "project".'),
    })
  })

  it('is enough without a board', async () => {
    const { tracker, github } = await openGitHub({ ...options, projectScope: null })
    expect(await update(tracker, [{ id: 4, fields: { points: 8, milestone: null } }])).toMatchObject([
      { status: 'applied' },
    ])
    expect(github.issues.get(4)).toMatchObject({ labels: ['points:8'], milestone: null, board: null })
  })
})

describe('a change of several issues on a board', () => {
  const changes = [
    { id: 1, fields: { points: 5 } },
    { id: 2, fields: { points: 5 } },
  ]

  it('is reported for each issue if GitHub refuses some of them', async () => {
    const { tracker, github } = await openGitHub(options, onBoard)
    expect(
      await update(tracker, [
        { id: 1, fields: { points: 5 } },
        { id: 2, fields: { title: '' } },
        { id: 3, fields: { points: 8, title: '' } },
        { id: 4, fields: { points: 8 } },
      ]),
    ).toMatchObject([
      { id: 1, status: 'applied' },
      { id: 2, status: 'rejected', message: "Title can't be blank" },
      { id: 3, status: 'unknown', message: expect.stringContaining('applied only a part of the change') },
      { id: 4, status: 'applied', item: { storyPoints: 8 } },
    ])
    expect(github.issues.get(2)!.title).toBe('Lamp')
  })

  it.each(ways)('was applied if the issues have the values after a lost response: %s', async (_, how) => {
    const { tracker, requests } = await openGitHub(options, { ...onBoard, answer: losing(how, true), limits })
    expect(await update(tracker, changes)).toMatchObject([{ status: 'applied' }, { status: 'applied' }])
    expect(requests.filter(isMutation)).toHaveLength(1)
  })

  it.each(ways)('is unknown if they do not have the values: %s', async (_, how) => {
    const { tracker, requests } = await openGitHub(options, { ...onBoard, answer: losing(how, false), limits })
    expect(await update(tracker, changes)).toMatchObject([{ status: 'unknown' }, { status: 'unknown' }])
    expect(requests.filter(isMutation)).toHaveLength(1)
  })

  it('sends no values if the response to adding the issues to the board is lost', async () => {
    const { tracker, github, requests } = await openGitHub(options, {
      ...onBoard,
      answer: losing('reset', true),
      limits,
    })
    expect(await update(tracker, [{ id: 4, fields: { points: 8 } }])).toMatchObject([{ status: 'unknown' }])
    expect(requests.filter(isMutation)).toHaveLength(1)
    expect(github.issues.get(4)!.board).toEqual(empty)
    expect(await update(tracker, [{ id: 4, fields: { points: 8 } }])).toMatchObject([{ status: 'applied' }])
  })

  it.each([
    ['has no ID', { item: {} }],
    ['has no item', { item: null }],
  ])('is unknown, and sends no values, if the response to adding an issue to the board %s', async (_, added) => {
    const { tracker, requests } = await openGitHub(options, {
      ...onBoard,
      answer: losing({ json: { data: { step0: added } } }, true),
    })
    expect(await update(tracker, [{ id: 4, fields: { points: 8 } }])).toMatchObject([
      { status: 'unknown', message: expect.stringContaining('unexpected shape') },
    ])
    expect(requests.filter(isMutation)).toHaveLength(1)
  })

  it('is sent again after a rate limit', async () => {
    const limited = {
      status: 403,
      headers: { 'retry-after': '0' },
      json: { message: 'You have exceeded a secondary rate limit.' },
    }
    const { tracker, requests } = await openGitHub(options, { ...onBoard, answer: losing(limited, false) })
    expect(await update(tracker, changes)).toMatchObject([{ status: 'applied' }, { status: 'applied' }])
    expect(requests.filter(isMutation)).toHaveLength(2)
  })
})
