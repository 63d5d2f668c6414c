import { describe, expect, it } from 'vitest'
import { never } from '../azure-devops/fixtures'
import { openGitHub } from './fixtures'

const milestones = [{ title: 'Sprint 24', dueOn: '2026-11-27T00:00:00Z' }]

describe('an issue as a work item', () => {
  it('has the values of the issue', async () => {
    const { tracker } = await openGitHub({
      issues: [
        { number: 1, type: 'Feature' },
        { number: 3 },
        {
          number: 2,
          title: 'Open the gate',
          body: 'When a **truck** arrives.',
          type: 'Story',
          labels: ['gate', 'points:5', 'Blocked'],
          assignees: ['ines'],
          milestone: 'Sprint 24',
          parent: 1,
          blockedBy: [3],
        },
      ],
      milestones,
    })
    expect(await tracker.getItem(2, never)).toMatchObject({
      id: 2,
      type: 'Story',
      level: 1,
      title: 'Open the gate',
      state: 'Open',
      stateCategory: 'Proposed',
      assignedTo: { displayName: 'Ines Ortega', uniqueName: 'ines' },
      areaPath: '',
      iterationPath: 'Sprint 24',
      tags: ['gate', 'Blocked'],
      storyPoints: 5,
      parentId: 1,
      predecessorIds: [3],
      description: { format: 'markdown', text: 'When a **truck** arrives.' },
      url: 'https://github.example/works/harbor/issues/2',
    })
    expect(await tracker.getItem(3, never)).toMatchObject({ type: 'Issue', level: 1, successorIds: [2] })
  })

  it.each([
    [{ state: 'CLOSED', stateReason: 'COMPLETED' } as const, 'Closed', 'Completed'],
    [{ state: 'CLOSED', stateReason: 'NOT_PLANNED' } as const, 'Closed as not planned', 'Removed'],
    [{ state: 'CLOSED', stateReason: 'DUPLICATE' } as const, 'Closed as not planned', 'Removed'],
    [{ state: 'OPEN', stateReason: 'REOPENED' } as const, 'Open', 'Proposed'],
  ])('has a state with a category: %o', async (values, state, stateCategory) => {
    const { tracker } = await openGitHub({ issues: [{ number: 1, ...values }] })
    expect(await tracker.getItem(1, never)).toMatchObject({ state, stateCategory })
  })

  it('takes its type from a label if its organization has no types', async () => {
    const { tracker } = await openGitHub(
      {
        issues: [
          { number: 1, labels: ['type: feature'] },
          { number: 2, labels: ['us'] },
          { number: 3, labels: ['kind/task'] },
        ],
      },
      { typeLabels: ['us=Story'] },
    )
    const { items } = await tracker.getItems([1, 2, 3], { signal: never })
    expect(items.map(({ type, level, tags }) => ({ type, level, tags }))).toEqual([
      { type: 'Feature', level: 2, tags: [] },
      { type: 'Story', level: 1, tags: [] },
      { type: 'Task', level: 0, tags: [] },
    ])
  })

  it('takes points and iteration from a project board', async () => {
    const issues = [
      { number: 1, board: { points: 8, iteration: 'Sprint 24' }, milestone: 'Release 2', labels: ['points:5'] },
    ]
    const onBoard = await openGitHub({ issues }, { board: 7 })
    expect(await onBoard.tracker.getItem(1, never)).toMatchObject({ storyPoints: 8, iterationPath: 'Sprint 24' })
    expect(await onBoard.tracker.listIterations(never)).toEqual([
      { path: 'Sprint 24', startDate: '2026-11-16T00:00:00.000Z', finishDate: '2026-11-29T00:00:00.000Z' },
      { path: 'Sprint 25', startDate: '2026-11-30T00:00:00.000Z', finishDate: '2026-12-13T00:00:00.000Z' },
    ])
    const before = await onBoard.tracker.getShape(1, never)
    onBoard.github.issues.get(1)!.board!.points = 3
    expect(await onBoard.tracker.getShape(1, never)).not.toEqual(before)
    const without = await openGitHub({ issues }, {})
    expect(await without.tracker.getItem(1, never)).toMatchObject({ storyPoints: 5, iterationPath: 'Release 2' })
    expect(without.requests.every(({ body }) => !body.query.includes('projectItems'))).toBe(true)
  })

  it('is read from an older server, which has no types and dependencies', async () => {
    const { tracker, requests } = await openGitHub({
      issues: [{ number: 1, labels: ['story'] }],
      version: 'older',
    })
    expect(await tracker.getItem(1, never)).toMatchObject({ type: 'Story', predecessorIds: [] })
    expect(requests.length).toBeLessThanOrEqual(2)
    await tracker.getItem(1, never)
    expect((await tracker.describeProcess(never)).types.map(({ name }) => name)).toContain('Issue')
  })

  it('has no links to issues of other repositories', async () => {
    const { tracker } = await openGitHub(
      { issues: [{ number: 1 }, { number: 2, parent: 1, blockedBy: [1] }] },
      {
        async answer(request, github) {
          const { json } = (await github.answer(request)) as { json: any }
          const { parent, blockedBy } = json.data.repository.i2
          for (const linked of [parent, ...blockedBy.nodes]) linked.repository.id = 'R_other'
          return { json }
        },
      },
    )
    expect(await tracker.getItem(2, never)).toMatchObject({ parentId: null, predecessorIds: [] })
  })
})

describe('the tree', () => {
  it('is complete at any depth, and ends where it has a cycle', async () => {
    const chain = Array.from({ length: 8 }, (_, i) => ({ number: i + 1, parent: i === 0 ? null : i }))
    const { tracker, github } = await openGitHub({ issues: chain })
    expect(await tracker.getTree(1, never)).toEqual(
      chain.slice(1).map(({ number, parent }) => ({ parentId: parent, childId: number })),
    )
    github.issues.get(1)!.parent = 8
    expect(await tracker.getTree(1, never)).toHaveLength(7)
  })

  it('reads several trees together', async () => {
    const { tracker, requests } = await openGitHub({
      issues: [{ number: 1 }, { number: 2, parent: 1 }, { number: 3 }, { number: 4, parent: 3 }],
    })
    expect(await tracker.getTrees([1, 3, 99], never)).toEqual(
      new Map([
        [1, [{ parentId: 1, childId: 2 }]],
        [3, [{ parentId: 3, childId: 4 }]],
        [99, []],
      ]),
    )
    expect(requests).toHaveLength(1)
  })
})

describe('finding issues', () => {
  const issues = [
    { number: 1, type: 'Feature', title: 'Gate' },
    { number: 2, labels: ['feature'], title: 'Crane' },
    { number: 3, title: 'Gate lamp' },
  ]
  it('by words, of a type', async () => {
    const { tracker } = await openGitHub({ issues, types: ['Feature'], labels: ['feature'] })
    expect(await tracker.search({ text: 'gate', itemType: null, limit: 10 }, never)).toMatchObject({
      ids: [1, 3],
      total: 2,
    })
    expect(await tracker.search({ text: 'gate', itemType: 'Feature', limit: 10 }, never)).toMatchObject({ ids: [1] })
    expect(await tracker.search({ text: 'gate', itemType: 'Issue', limit: 10 }, never)).toMatchObject({ ids: [3] })
  })

  it('by type, whether the type is one of the organization or a label', async () => {
    const { tracker } = await openGitHub({ issues, types: ['Feature'], labels: ['feature'] })
    const found = await tracker.findByType({ types: ['Feature'], title: null, limit: 10 }, never)
    expect(found).toEqual({ ids: [2, 1], total: 2 })
  })

  it('takes qualifiers in the words for words', async () => {
    const { tracker, requests } = await openGitHub({ issues })
    await tracker.search({ text: 'repo:other/secret "x', itemType: null, limit: 10 }, never)
    expect(requests[0]!.body.variables.query).toBe('repo:works/harbor is:issue "repo:other/secret" "x"')
  })
})
