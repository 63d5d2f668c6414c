import { describe, expect, it } from 'vitest'
import { createFakeTiming, errorBody, errorOf, listOf, never, openStubbed } from './fixtures'
import type { Reply, StubRequest } from './stub-server'

const areas = {
  name: 'Parts Shop',
  path: '\\Parts Shop\\Area',
  hasChildren: true,
  children: [
    { name: 'Dock', path: '\\Parts Shop\\Area\\Dock', hasChildren: false },
    { name: 'Web & API', path: '\\Parts Shop\\Area\\Web & API', hasChildren: true },
  ],
}
const belowWeb = {
  name: 'Web & API',
  hasChildren: true,
  children: [{ name: 'Login', hasChildren: true }],
}
const belowLogin = { name: 'Login', hasChildren: true, children: [{ name: 'Reset', hasChildren: false }] }
const iterations = {
  name: 'Parts Shop',
  hasChildren: true,
  children: [
    {
      name: 'Sprint 1',
      hasChildren: false,
      attributes: { startDate: '2026-01-05T00:00:00Z', finishDate: '2026-01-16T00:00:00Z' },
    },
    { name: 'Later', hasChildren: false },
  ],
}
const fields = listOf([
  { referenceName: 'System.Title', name: 'Title', type: 'string', readOnly: false },
  { referenceName: 'System.State', name: 'State', type: 'string', readOnly: true },
  { referenceName: 'System.AssignedTo', name: 'Assigned To', type: 'string', readOnly: false, isIdentity: true },
  { referenceName: 'System.Tags', name: 'Tags', type: 'plainText', readOnly: false },
  { referenceName: 'Shop.Size', name: 'Size', type: 'double', readOnly: false },
  { referenceName: 'Shop.Elsewhere', name: 'Elsewhere', type: 'string', readOnly: false },
])

function aboutPlan({ path }: StubRequest): Reply | null {
  const [, rest] = /^\/Parts Shop\/_apis\/(.*)$/.exec(path) ?? []
  const replies: Record<string, unknown> = {
    'wit/classificationnodes/areas': areas,
    'wit/classificationnodes/areas/Web & API': belowWeb,
    'wit/classificationnodes/areas/Web & API/Login': belowLogin,
    'wit/classificationnodes/iterations': iterations,
    'wit/fields': fields,
  }
  const json = replies[rest ?? '']
  return json === undefined ? null : { json }
}

describe('the process', () => {
  it('is read from the project', async () => {
    const { tracker } = await openStubbed(aboutPlan)
    const process = await tracker.describeProcess(never)
    expect(process.types).toEqual([
      {
        name: 'Feature',
        color: '773B93',
        level: 2,
        category: null,
        states: [
          { name: 'New', category: 'Proposed', color: 'b2b2b2' },
          { name: 'Done', category: 'Completed', color: '339933' },
        ],
        fieldReferenceNames: ['System.Title', 'System.State'],
        requiredFields: [],
        descriptionField: 'System.Description',
      },
      {
        name: 'User Story',
        color: '009CCC',
        level: 1,
        category: null,
        states: [
          { name: 'New', category: 'Proposed', color: 'b2b2b2' },
          { name: 'Active', category: 'InProgress', color: '007acc' },
          { name: 'Resolved', category: 'Resolved', color: 'ff9d00' },
          { name: 'Closed', category: 'Completed', color: '339933' },
          { name: 'Removed', category: 'Removed', color: 'ffffff' },
        ],
        fieldReferenceNames: ['System.Title', 'System.State', 'System.AssignedTo', 'System.Tags', 'Shop.Size'],
        requiredFields: [],
        descriptionField: 'System.Description',
      },
    ])
    expect(process.fields).toEqual([
      { referenceName: 'System.Title', name: 'Title', kind: 'string', readOnly: false, property: 'title' },
      { referenceName: 'System.State', name: 'State', kind: 'string', readOnly: true, property: 'state' },
      {
        referenceName: 'System.AssignedTo',
        name: 'Assigned To',
        kind: 'identity',
        readOnly: false,
        property: 'assignedTo',
      },
      { referenceName: 'System.Tags', name: 'Tags', kind: 'tags', readOnly: false, property: 'tags' },
      { referenceName: 'Shop.Size', name: 'Size', kind: 'number', readOnly: false, property: 'storyPoints' },
    ])
    expect(process.iterations).toEqual([
      { path: 'Parts Shop', startDate: null, finishDate: null },
      {
        path: 'Parts Shop\\Sprint 1',
        startDate: '2026-01-05T00:00:00.000Z',
        finishDate: '2026-01-16T00:00:00.000Z',
      },
      { path: 'Parts Shop\\Later', startDate: null, finishDate: null },
    ])
  })

  it('includes nested areas that need further requests, with paths built from names', async () => {
    const { tracker, requestsTo } = await openStubbed(aboutPlan)
    expect((await tracker.describeProcess(never)).areaPaths).toEqual([
      'Parts Shop',
      'Parts Shop\\Dock',
      'Parts Shop\\Web & API',
      'Parts Shop\\Web & API\\Login',
      'Parts Shop\\Web & API\\Login\\Reset',
    ])
    expect(requestsTo(/nodes\/areas/).map((request) => request.rawUrl)).toEqual([
      '/Parts%20Shop/_apis/wit/classificationnodes/areas?$depth=14&api-version=7.1',
      '/Parts%20Shop/_apis/wit/classificationnodes/areas/Web%20%26%20API?$depth=14&api-version=7.1',
      '/Parts%20Shop/_apis/wit/classificationnodes/areas/Web%20%26%20API/Login?$depth=14&api-version=7.1',
    ])
  })

  it('is cached, and takes five requests and one for each incomplete branch', async () => {
    const { tracker, requests } = await openStubbed(aboutPlan)
    const both = await Promise.all([tracker.describeProcess(never), tracker.describeProcess(never)])
    expect(both[0]).toEqual(both[1])
    expect(requests).toHaveLength(5 + 2)
  })

  it('is read again after some minutes, so that a service sees new iterations and permissions', async () => {
    const timing = createFakeTiming()
    let isLater = false
    const { tracker } = await openStubbed(
      (request) => {
        const isOpenedLater = /nodes\/areas$|nodes\/iterations$/.test(request.path)
        if (isOpenedLater && !isLater) return { status: 403, json: errorBody('AccessDeniedException', 'no') }
        return aboutPlan(request)
      },
      { timing },
    )
    expect(await tracker.describeProcess(never)).toMatchObject({ areaPaths: [], iterations: [] })
    isLater = true
    expect(await tracker.describeProcess(never)).toMatchObject({ areaPaths: [], iterations: [] })
    await timing.sleep(10 * 60_000, never)
    const { areaPaths, iterations: paths } = await tracker.describeProcess(never)
    expect([areaPaths.length, paths.length]).toEqual([5, 3])
  })

  it('omits parts that the tracker refuses', async () => {
    const { tracker } = await openStubbed(({ path }) =>
      path.endsWith('/workitemtypes') ? null : { status: 403, json: errorBody('AccessDeniedException', 'no') },
    )
    const process = await tracker.describeProcess(never)
    expect(process).toMatchObject({ areaPaths: [], iterations: [] })
    expect(process.types.map((type) => [type.name, type.level])).toEqual([
      ['Feature', null],
      ['User Story', null],
    ])
    expect(process.fields.map((field) => [field.name, field.kind, field.property])).toEqual([
      ['Title', 'string', 'title'],
      ['State', 'string', 'state'],
      ['Assigned To', 'identity', 'assignedTo'],
      ['Tags', 'tags', 'tags'],
      ['Size', 'string', null],
    ])
  })

  it('ends a branch that is not readable or still incomplete', async () => {
    const cut = (request: StubRequest) =>
      request.path.endsWith('/Web & API') ? { json: { name: 'Web & API', hasChildren: true } } : aboutPlan(request)
    const hidden = (request: StubRequest) =>
      request.path.endsWith('/Web & API')
        ? { status: 404, json: errorBody('X', 'VS402485: no node') }
        : aboutPlan(request)
    for (const answer of [cut, hidden]) {
      const { tracker } = await openStubbed(answer)
      expect((await tracker.describeProcess(never)).areaPaths).toEqual([
        'Parts Shop',
        'Parts Shop\\Dock',
        'Parts Shop\\Web & API',
      ])
    }
  })

  it('requests the states of types that have none, except for disabled types', async () => {
    const { tracker, requestsTo } = await openStubbed((request) => {
      if (request.path.endsWith('/workitemtypes')) {
        return {
          json: listOf([
            { name: 'User Story', color: 'FF009CCC' },
            { name: 'Old', isDisabled: true },
          ]),
        }
      }
      if (request.path.endsWith('/User Story/states')) {
        return { json: listOf([{ name: 'New', color: 'b2b2b2', category: 'Proposed' }]) }
      }
      return aboutPlan(request)
    })
    expect((await tracker.describeProcess(never)).types).toEqual([
      {
        name: 'User Story',
        color: '009CCC',
        level: 1,
        category: null,
        states: [{ name: 'New', category: 'Proposed', color: 'b2b2b2' }],
        fieldReferenceNames: [],
        requiredFields: [],
        descriptionField: 'System.Description',
      },
    ])
    expect(requestsTo(/states$/)).toHaveLength(1)
  })

  it('fails without the types', async () => {
    const { tracker } = await openStubbed(({ path }) =>
      path.endsWith('/workitemtypes') ? { status: 403, json: errorBody('AccessDeniedException', 'no') } : null,
    )
    expect(await errorOf(tracker.describeProcess(never))).toMatchObject({ code: 'tracker_forbidden' })
  })

  it('fails with an invalid setting if the project does not exist', async () => {
    const { tracker } = await openStubbed(() => ({
      status: 404,
      json: errorBody('ProjectDoesNotExistWithNameException', 'TF200016: The following project does not exist: X.'),
    }))
    expect(await errorOf(tracker.getItems([1], { signal: never }))).toMatchObject({
      code: 'invalid',
      hint: expect.stringContaining('STUDIO_TRACKER_PROJECT'),
    })
  })
})
