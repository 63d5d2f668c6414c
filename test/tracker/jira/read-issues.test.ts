import { describe, expect, it } from 'vitest'
import { parsePastState } from '../../../src/items/rules/snapshot-fields'
import { never } from '../azure-devops/fixtures'
import { DEPLOYMENTS, openJira } from './fixtures'
import { FIELD } from './jira-site'

const text = (words: string) => ({ type: 'text', text: words })
const document = (...content: unknown[]) => ({ type: 'doc', version: 1, content })
const paragraph = (...content: unknown[]) => ({ type: 'paragraph', content })

const issues = [
  { id: 101, type: 'Epic' },
  { id: 203, summary: 'Wire the lamp' },
  { id: 204, summary: 'Paint the lamp' },
  {
    id: 202,
    type: 'Story',
    summary: 'Hang the lamp',
    parent: 'HAR-101',
    assignee: 'ines',
    labels: ['gate', 'night'],
    priority: 'High',
    sprints: [23, 24],
    points: 5,
    isFlagged: true,
    attachments: [{ filename: 'lamp.png', size: 2_048 }],
    links: [
      { type: 'Blocks', to: 'HAR-204' },
      { type: 'Relates', to: 'HAR-101' },
    ],
  },
]

describe.each(DEPLOYMENTS)('an issue as a work item on %s', (deployment) => {
  const description = deployment === 'cloud' ? document(paragraph(text('At the gate.'))) : 'At the *gate*.'
  const open = async () => {
    const jira = await openJira({
      deployment,
      issues: issues.map((issue) => (issue.id === 202 ? { ...issue, description } : issue)),
      offsetMinutes: 330,
    })
    jira.site.links.push({ id: 1, type: 'Blocks', from: 'HAR-203', to: 'HAR-202' })
    return jira
  }

  it('has the values of the issue', async () => {
    const { tracker, url } = await open()
    expect(await tracker.getItem(202, never)).toMatchObject({
      id: 202,
      key: 'HAR-202',
      type: 'Story',
      level: 1,
      title: 'Hang the lamp',
      state: 'To Do',
      stateCategory: 'Proposed',
      assignedTo: { displayName: 'Ines Ortega', uniqueName: 'ines@works.example' },
      areaPath: 'HAR',
      iterationPath: 'Sprint 24',
      tags: ['gate', 'night'],
      storyPoints: 5,
      priority: 2,
      parentId: 101,
      blockedField: true,
      description: { format: 'markdown', text: deployment === 'cloud' ? 'At the gate.' : 'At the **gate**.' },
      attachments: [{ name: 'lamp.png', size: 2_048 }],
      createdAt: expect.stringMatching(/Z$/),
      url: `${url}/browse/HAR-202`,
    })
  })

  it('is blocked by the issues that block it, and blocks those that it blocks', async () => {
    const { tracker } = await open()
    expect(await tracker.getItem(202, never)).toMatchObject({
      predecessorIds: [203],
      successorIds: [204],
      relatedIds: [101],
    })
    expect(await tracker.getItem(203, never)).toMatchObject({ predecessorIds: [], successorIds: [202] })
    expect(await tracker.getItem(204, never)).toMatchObject({ predecessorIds: [202], successorIds: [] })
  })

  it.each([
    ['To Do', null, 'Proposed'],
    ['In Progress', null, 'InProgress'],
    ['Done', 'Done', 'Completed'],
    ['Done', "Won't Do", 'Removed'],
    ['Done', 'Duplicate', 'Removed'],
  ])('in the state %s with the resolution %s is %s', async (status, resolution, stateCategory) => {
    const { tracker } = await openJira({ deployment, issues: [{ id: 1, status, resolution }] })
    expect(await tracker.getItem(1, never)).toMatchObject({ state: status, stateCategory })
  })

  it('has another revision after each change, even within a second', async () => {
    const { tracker, site } = await open()
    const before = await tracker.getShape(202, never)
    site.find(202)!.updated += 1
    const after = await tracker.getShape(202, never)
    expect(after.rev).toBe(before.rev + 1)
    expect(after.relationsFingerprint).toBe(before.relationsFingerprint)
  })

  it('has another shape after a link was added', async () => {
    const { tracker, site } = await open()
    const before = await tracker.getShape(202, never)
    site.links.push({ id: 2, type: 'Relates', from: 'HAR-203', to: 'HAR-202' })
    expect((await tracker.getShape(202, never)).relationsFingerprint).not.toBe(before.relationsFingerprint)
  })

  it('says in its fields when it was created, changed and completed, and since when it has its state', async () => {
    const { tracker, site, change } = await open()
    const at = site.find(202)!.created + 60_000
    change(202, { status: 'Done', resolution: 'Done', resolved: at, statusSince: at })
    const instant = new Date(at).toISOString()
    const { fields } = await tracker.getItem(202, never)
    expect(parsePastState(fields)).toEqual({
      state: 'Done',
      createdAt: new Date(site.find(202)!.created).toISOString(),
      changedAt: new Date(site.find(202)!.updated).toISOString(),
      closedAt: instant,
      stateSince: deployment === 'cloud' ? instant : null,
      activatedAt: null,
    })
  })
})

describe('an answer of Jira', () => {
  it('may have the sprints as the text of an object, whose name has commas', async () => {
    const sprint = (state: string, name: string) =>
      `com.atlassian.greenhopper.service.sprint.Sprint@1[id=7,rapidViewId=1,state=${state},name=${name},startDate=<null>,endDate=<null>,goal=name=x, state=ACTIVE]`
    const extra = {
      [FIELD.sprint]: [sprint('CLOSED', 'One'), sprint('ACTIVE', 'Two, Dock [B]'), sprint('FUTURE', 'Three')],
    }
    const { tracker } = await openJira({ deployment: 'server', issues: [{ id: 1, extra }] })
    expect((await tracker.getItem(1, never)).iterationPath).toBe('Two, Dock [B]')
  })

  it('may have what the adapter does not need, and lack what is not set', async () => {
    const answer = {
      expand: 'renderedFields,names,schema',
      issues: [
        {
          expand: 'operations,editmeta,changelog',
          id: '10068',
          self: 'https://site.example/rest/api/3/issue/10068',
          key: 'HAR-9',
          fields: {
            statuscategorychangedate: null,
            issuetype: {
              self: 'https://site.example/rest/api/3/issuetype/10012',
              id: '10012',
              description: 'A small piece of work.',
              iconUrl: 'https://site.example/icon.svg',
              name: 'Task',
              subtask: false,
              avatarId: 10318,
              entityId: 'b1f5',
              hierarchyLevel: 0,
            },
            status: { id: '3', name: 'In Progress', statusCategory: { id: 4, key: 'indeterminate' } },
            summary: 'Order a lamp',
            description: null,
            priority: null,
            assignee: null,
            labels: [],
            watches: { watchCount: 1, isWatching: true },
            worklog: { total: 0, worklogs: [] },
            issuelinks: [
              {
                id: '10001',
                type: { id: '10001', name: 'Cloners', inward: 'is cloned by', outward: 'clones' },
                outwardIssue: { id: '10070', key: 'OPS-2', fields: { status: { name: 'Open' } } },
              },
            ],
            updated: '2026-11-24T10:15:30.123+0100',
          },
        },
      ],
      issueErrors: [],
    }
    const { tracker } = await openJira({
      deployment: 'cloud',
      answer: ({ path }) => (/bulkfetch/.test(path) ? { json: answer } : null),
    })
    expect(await tracker.getItem(10_068, never)).toMatchObject({
      key: 'HAR-9',
      level: 1,
      stateCategory: 'InProgress',
      priority: null,
      assignedTo: null,
      description: null,
      parentId: null,
      predecessorIds: [],
      relatedIds: [],
      createdAt: null,
      changedAt: '2026-11-24T09:15:30.123Z',
      attachments: [],
    })
  })
})

describe('the field of the story points', () => {
  it.each([
    ['Story Points', true],
    ['Story point estimate', true],
    ['story points', true],
    ['Estimate in points', false],
  ])('is found by the name %s: %s', async (name, isFound) => {
    const { tracker } = await openJira({
      deployment: 'cloud',
      issues: [{ id: 1, points: 5 }],
      fields: { names: { [FIELD.points]: name }, missing: [] },
    })
    expect((await tracker.getItem(1, never)).storyPoints).toBe(isFound ? 5 : null)
  })

  it.each(DEPLOYMENTS)('may be missing, as may sprints, flags and epics, on %s', async (deployment) => {
    const { tracker, requestsTo } = await openJira({
      deployment,
      issues: [{ id: 1, type: 'Story', points: 5, sprints: [24], isFlagged: true }],
      fields: { names: {}, missing: Object.values(FIELD) },
    })
    expect(await tracker.getItem(1, never)).toMatchObject({ storyPoints: null, iterationPath: '', blockedField: false })
    expect(await tracker.getTree(1, never)).toEqual([])
    expect(await tracker.listIterations(never)).toEqual([])
    expect(requestsTo(/agile/)).toEqual([])
  })

  it('names the epic link of a localized server by its number', async () => {
    const { tracker, requestsTo } = await openJira({
      deployment: 'server',
      issues: [
        { id: 1, type: 'Epic' },
        { id: 2, type: 'Story', parent: 'HAR-1' },
      ],
      fields: { names: { [FIELD.epicLink]: 'Epos-Verknüpfung' }, missing: [] },
    })
    expect(await tracker.getTree(1, never)).toEqual([{ parentId: 1, childId: 2 }])
    expect(requestsTo(/search/)[0]!.body.jql).toContain('cf[10014] in (1)')
  })
})

describe.each(DEPLOYMENTS)('iterations on %s', (deployment) => {
  it('are the sprints of the boards, with their dates', async () => {
    const { tracker } = await openJira({ deployment })
    expect(await tracker.listIterations(never)).toEqual([
      { path: 'Sprint 23', startDate: '2026-11-02T09:00:00.000Z', finishDate: '2026-11-16T09:00:00.000Z' },
      { path: 'Sprint 24', startDate: '2026-11-16T09:00:00.000Z', finishDate: '2026-11-30T09:00:00.000Z' },
      { path: 'Sprint 25', startDate: null, finishDate: null },
    ])
  })

  it('are unknown to a token that may not read boards', async () => {
    const { tracker } = await openJira({
      deployment,
      answer: ({ path }) => (/agile/.test(path) ? { status: 403, json: { errorMessages: ['Not yours.'] } } : null),
    })
    expect(await tracker.listIterations(never)).toBeNull()
  })
})
