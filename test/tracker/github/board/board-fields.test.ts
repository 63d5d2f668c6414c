import { describe, expect, it } from 'vitest'
import type { ItemChange, Tracker } from '../../../../src/tracker'
import { never, quick } from '../../azure-devops/fixtures'
import { isMutation, losing, openGitHub, ways } from '../fixtures'

const at = (status: string | null) => ({ points: null, iteration: null, status })
const issues = [
  { number: 1, title: 'Gate', board: at('In Progress') },
  { number: 2, title: 'Lamp', board: at(null) },
  { number: 3, title: 'Bell' },
  { number: 4, title: 'Horn', state: 'CLOSED' as const, stateReason: 'COMPLETED', board: at('Done') },
  { number: 5, title: 'Mast', state: 'CLOSED' as const, stateReason: 'COMPLETED', board: at('Todo') },
  { number: 6, title: 'Rope', state: 'CLOSED' as const, stateReason: 'NOT_PLANNED', board: at('Done') },
]
const others = [
  { name: 'Customer', kind: 'TEXT' as const },
  { name: 'Budget', kind: 'NUMBER' as const },
  { name: 'Due', kind: 'DATE' as const },
  { name: 'Risk', kind: 'SINGLE_SELECT' as const, options: ['Low', 'High'] },
]
const options = { issues, boardFields: { others } }
const onBoard = { board: 7 }
const limits = { ...quick, headersTimeoutMs: 200 }

async function update(tracker: Tracker, change: Omit<ItemChange, 'rev'>) {
  const { rev } = await tracker.getItem(change.id, never)
  return (await tracker.updateItems([{ ...change, rev }], { signal: never }))[0]!
}

describe('the status on a board as the state', () => {
  it('is that of an open issue; a closed one is closed, and done only if the board says so', async () => {
    const { tracker } = await openGitHub(options, onBoard)
    const { items } = await tracker.getItems([1, 2, 3, 4, 5, 6], { signal: never })
    expect(items.map(({ state, stateCategory }) => [state, stateCategory])).toEqual([
      ['In Progress', 'InProgress'],
      ['Open', 'Proposed'],
      ['Open', 'Proposed'],
      ['Done', 'Completed'],
      ['Closed', 'Completed'],
      ['Closed as not planned', 'Removed'],
    ])
  })

  it('is not read without a board', async () => {
    const { tracker } = await openGitHub(options)
    expect(await tracker.getItem(1, never)).toMatchObject({ state: 'Open', stateCategory: 'Proposed' })
    const { types } = await tracker.describeProcess(never)
    expect(types[0]!.states.map(({ name }) => name)).toEqual(['Open', 'Closed', 'Closed as not planned'])
  })

  it.each([
    [
      ['📋 Backlog', 'Ready', 'In review', '✅ Done', 'closed'],
      ['Open', '📋 Backlog', 'Ready', 'In review', '✅ Done', 'closed', 'Closed as not planned'],
      ['Proposed', 'Proposed', 'Proposed', 'InProgress', 'Completed', 'Completed', 'Removed'],
    ],
    [
      ['Offen', 'In Arbeit', 'Erledigt'],
      ['Open', 'Offen', 'In Arbeit', 'Erledigt', 'Closed', 'Closed as not planned'],
      ['Proposed', 'Proposed', 'InProgress', 'Completed', 'Completed', 'Removed'],
    ],
    [null, ['Open', 'Closed', 'Closed as not planned'], ['Proposed', 'Completed', 'Removed']],
  ])('has a category by its name, or else by its place: %o', async (statuses, names, categories) => {
    const { tracker } = await openGitHub({ issues, boardFields: { statuses } }, onBoard)
    const { states } = (await tracker.describeProcess(never)).types[0]!
    expect(states.map(({ name }) => name)).toEqual(names)
    expect(states.map(({ category }) => category)).toEqual(categories)
  })

  it.each([
    [1, 'done', { state: 'CLOSED', stateReason: 'COMPLETED', board: at('Done') }, 'Done'],
    [4, 'In Progress', { state: 'OPEN', board: at('In Progress') }, 'In Progress'],
    [3, 'Todo', { state: 'OPEN', board: at('Todo') }, 'Todo'],
    [1, 'Open', { state: 'OPEN', board: at(null) }, 'Open'],
    [1, 'Closed', { state: 'CLOSED', board: at('In Progress') }, 'Closed'],
    [4, 'Closed as not planned', { state: 'CLOSED', stateReason: 'NOT_PLANNED' }, 'Closed as not planned'],
    [6, 'Done', { state: 'CLOSED', stateReason: 'COMPLETED' }, 'Done'],
  ])('of issue %i is set to %s together with the state of the issue', async (id, state, expected, shown) => {
    const { tracker, github, requests } = await openGitHub(options, onBoard)
    expect(await update(tracker, { id, fields: { state } })).toMatchObject({
      status: 'applied',
      item: { state: shown },
    })
    expect(github.issues.get(id)).toMatchObject(expected)
    expect(requests.filter(isMutation)).toHaveLength(id === 3 ? 2 : 1)
  })

  it.each(ways)('is set once, also if the response is lost: %s', async (_, how) => {
    const { tracker, requests, github } = await openGitHub(options, { ...onBoard, answer: losing(how, true), limits })
    expect(await update(tracker, { id: 1, fields: { state: 'Done' } })).toMatchObject({ status: 'applied' })
    expect(github.issues.get(1)).toMatchObject({ state: 'CLOSED', board: { status: 'Done' } })
    expect(requests.filter(isMutation)).toHaveLength(1)
  })

  it.each(ways)('is unknown if it is not set after a lost response: %s', async (_, how) => {
    const { tracker, requests } = await openGitHub(options, { ...onBoard, answer: losing(how, false), limits })
    expect(await update(tracker, { id: 1, fields: { state: 'Done' } })).toMatchObject({ status: 'unknown' })
    expect(requests.filter(isMutation)).toHaveLength(1)
  })

  it('is noticed if it changes, and is rejected if the board does not have it', async () => {
    const { tracker, github } = await openGitHub(options, onBoard)
    const before = await tracker.getShape(1, never)
    github.issues.get(1)!.board!.status = 'Done'
    expect(await tracker.getShape(1, never)).not.toEqual(before)
    expect(await update(tracker, { id: 1, fields: { state: 'Doing' } })).toMatchObject({
      status: 'rejected',
      message: '"Doing" is no state of an issue.',
    })
  })

  it('is set on a new issue, which is open', async () => {
    const { tracker, github } = await openGitHub(options, onBoard)
    const create = (state: string, digit: number) =>
      tracker.createItem(
        {
          type: 'Issue',
          parentId: null,
          fields: { title: 'Crane', state, PVTF_Risk: 'high' },
          marker: `5f0f3fb0-0000-4000-8000-00000000000${digit}`,
          startedAt: Date.UTC(2026, 10, 2, 9),
        },
        { signal: never },
      )
    expect(await create('Done', 1)).toEqual({ status: 'rejected', message: 'A new issue is open.' })
    expect(await create('In Progress', 2)).toMatchObject({ status: 'created', item: { state: 'In Progress' } })
    expect(github.issues.get(7)!.board).toMatchObject({ status: 'In Progress', others: { Risk: 'High' } })
  })
})

describe('other fields of a board', () => {
  it('are fields of the process, with the values that can be chosen', async () => {
    const { tracker } = await openGitHub(options, onBoard)
    const { fields, types } = await tracker.describeProcess(never)
    expect(fields.filter(({ property }) => property === null).map(({ name, kind }) => [name, kind])).toEqual([
      ['Type', 'string'],
      ['Customer', 'string'],
      ['Budget', 'number'],
      ['Due', 'date'],
      ['Risk', 'string'],
    ])
    expect(types[0]!.fieldReferenceNames).toContain('PVTF_Risk')
    expect(await tracker.listAllowedValues('Issue', 'PVTF_Risk', never)).toEqual(['Low', 'High'])
    expect(await tracker.listAllowedValues('Issue', 'PVTF_Due', never)).toBeNull()
  })

  it('are set, read and cleared', async () => {
    const { tracker, github } = await openGitHub(options, onBoard)
    const fields = {
      PVTF_Customer: 'Port & Co',
      PVTF_Budget: 12.5,
      PVTF_Due: '2026-12-24T00:00:00.000Z',
      PVTF_Risk: 'high',
    }
    const before = await tracker.getShape(2, never)
    expect(await update(tracker, { id: 2, fields })).toMatchObject({ status: 'applied' })
    const values = { PVTF_Customer: 'Port & Co', PVTF_Budget: 12.5, PVTF_Due: '2026-12-24', PVTF_Risk: 'High' }
    expect((await tracker.getItem(2, never)).fields).toMatchObject(values)
    expect(await tracker.getShape(2, never)).not.toEqual(before)
    expect(await update(tracker, { id: 2, fields: { PVTF_Risk: null, PVTF_Budget: null } })).toMatchObject({
      status: 'applied',
    })
    expect(github.issues.get(2)!.board!.others).toEqual({ Customer: 'Port & Co', Due: '2026-12-24' })
  })

  it.each(ways)('are set once, also if the response is lost: %s', async (_, how) => {
    const { tracker, requests } = await openGitHub(options, { ...onBoard, answer: losing(how, true), limits })
    const fields = { PVTF_Risk: 'low', PVTF_Budget: 3, PVTF_Due: '2026-12-24T00:00:00.000Z' }
    expect(await update(tracker, { id: 1, fields })).toMatchObject({ status: 'applied' })
    expect(requests.filter(isMutation)).toHaveLength(1)
  })

  it.each([
    [{ PVTF_Risk: 'Huge' }, 'The field Risk has no option "Huge". It has Low, High.'],
    [{ PVTF_Budget: 'much' }, '"much" is no number for Budget.'],
    [{ PVTF_Due: 'soon' }, '"soon" is no date for Due. Write it as 2026-11-30.'],
    [{ PVTF_Other: 'x' }, 'The issues have no field "PVTF_Other".'],
  ])('are rejected with the reason: %o', async (fields, message) => {
    const { tracker, requests } = await openGitHub(options, onBoard)
    expect(await update(tracker, { id: 1, fields })).toMatchObject({ status: 'rejected', message })
    expect(requests.filter(isMutation)).toHaveLength(0)
  })
})

describe('fields that an organization defines for its issues', () => {
  const issueFields = [
    { name: 'Effort', kind: 'SINGLE_SELECT' as const, options: ['Small', 'Large'] },
    { name: 'Reason', kind: 'TEXT' as const },
    { name: 'Cost', kind: 'NUMBER' as const },
    { name: 'Start', kind: 'DATE' as const },
  ]
  const platforms = { name: 'Platform', kind: 'MULTI_SELECT' as const, options: ['iOS', 'Android', 'Web'] }
  const fields = { IF_Effort: 'large', IF_Reason: 'Law', IF_Cost: 7, IF_Start: '2026-12-01' }

  it('are read, set and cleared, with or without a board', async () => {
    for (const settings of [{}, onBoard]) {
      const { tracker, github } = await openGitHub({ ...options, issueFields }, settings)
      const before = await tracker.getShape(1, never)
      expect(await update(tracker, { id: 1, fields })).toMatchObject({
        status: 'applied',
        item: { fields: { ...fields, IF_Effort: 'Large' } },
      })
      expect(await tracker.getShape(1, never)).not.toEqual(before)
      expect(await update(tracker, { id: 1, fields: { IF_Cost: null } })).toMatchObject({ status: 'applied' })
      expect(github.issues.get(1)!.issueFields).toEqual({ Effort: 'Large', Reason: 'Law', Start: '2026-12-01' })
    }
  })

  it('may have several options, which are read, set and cleared as a list', async () => {
    const { tracker, github, requests } = await openGitHub({ ...options, issueFields: [...issueFields, platforms] })
    const { fields: known } = await tracker.describeProcess(never)
    expect(known).toContainEqual(expect.objectContaining({ name: 'Platform', kind: 'list', readOnly: false }))
    expect(await tracker.listAllowedValues('Issue', 'IF_Platform', never)).toEqual(platforms.options)
    const set = await update(tracker, { id: 1, fields: { IF_Platform: 'web; IOS ;Web' } })
    expect(set).toMatchObject({ status: 'applied', item: { fields: { IF_Platform: 'iOS; Web' } } })
    expect(github.issues.get(1)!.issueFields['Platform']).toEqual(['iOS', 'Web'])
    for (const empty of [null, '', ' ; ']) {
      await update(tracker, { id: 1, fields: { IF_Platform: 'Android' } })
      expect(github.issues.get(1)!.issueFields['Platform']).toEqual(['Android'])
      expect(await update(tracker, { id: 1, fields: { IF_Platform: empty } })).toMatchObject({ status: 'applied' })
      expect(github.issues.get(1)!.issueFields).toEqual({})
    }
    const sent = requests.filter(isMutation).length
    expect(await update(tracker, { id: 1, fields: { IF_Platform: 'iOS; Palm' } })).toMatchObject({
      status: 'rejected',
      message: expect.stringContaining('has no option "Palm". It has iOS, Android, Web.'),
    })
    expect(requests.filter(isMutation)).toHaveLength(sent)
  })

  it('are read from a server that knows no fields with several options', async () => {
    const { tracker, github } = await openGitHub({ ...options, issueFields, version: 'previous' })
    expect(await update(tracker, { id: 1, fields })).toMatchObject({
      status: 'applied',
      item: { fields: { IF_Effort: 'Large', IF_Cost: 7 } },
    })
    expect((await tracker.describeProcess(never)).fields.map(({ name }) => name)).toContain('Effort')
    expect(github.issues.get(1)!.issueFields).toMatchObject({ Reason: 'Law' })
  })

  it('are set on a new issue', async () => {
    const { tracker, github } = await openGitHub({ ...options, issueFields })
    const marker = '5f0f3fb0-0000-4000-8000-000000000001'
    const startedAt = Date.UTC(2026, 10, 2, 9)
    const item = { type: 'Issue', parentId: null, fields: { title: 'Crane', ...fields }, marker, startedAt }
    expect(await tracker.createItem(item, { signal: never })).toMatchObject({ status: 'created', id: 7 })
    expect(github.issues.get(7)!.issueFields).toEqual({ Effort: 'Large', Reason: 'Law', Cost: 7, Start: '2026-12-01' })
  })

  it('are left out where the server does not have them, or the token may not read them', async () => {
    const message =
      "Your token has not been granted the required scopes. The 'issueFields' field requires ['read:org']."
    const refuse = { json: { errors: [{ type: 'INSUFFICIENT_SCOPES', message }] } }
    const cases = [
      await openGitHub({ ...options, issueFields, version: 'older' }),
      await openGitHub(
        { ...options, issueFields },
        { answer: ({ body }) => (body.query.includes('issueFields(') ? refuse : null) },
      ),
    ]
    for (const { tracker } of cases) {
      const { fields: known } = await tracker.describeProcess(never)
      expect(known.map(({ name }) => name)).not.toContain('Effort')
      expect(await update(tracker, { id: 1, fields: { title: 'Arch' } })).toMatchObject({ status: 'applied' })
    }
  })
})
