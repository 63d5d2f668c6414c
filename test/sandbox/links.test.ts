import { describe, expect, it } from 'vitest'
import { linkTo, rels, sandbox, setField, testRev } from './harness'

const item = (id: number) => `/_apis/wit/workitems/${id}?$expand=relations`
const predecessor = 'System.LinkTypes.Dependency-Reverse'
const successor = 'System.LinkTypes.Dependency-Forward'
const related = 'System.LinkTypes.Related'
const parent = 'System.LinkTypes.Hierarchy-Reverse'

describe('a link between items', () => {
  it('is visible on both items, and changes neither revisions nor changed dates', async () => {
    const tracker = await sandbox()
    const before = [await tracker.get(item(217)), await tracker.get(item(219))]
    const { status, json } = await tracker.patch(item(217), [linkTo(tracker, predecessor, 219)])
    expect(status).toBe(200)
    expect(rels(json)).toContainEqual(['Dependency-Reverse', 219])
    const after = [await tracker.get(item(217)), await tracker.get(item(219))]
    expect(rels(after[1]!.json)).toContainEqual(['Dependency-Forward', 217])
    for (const at of [0, 1]) {
      expect(after[at]!.json.rev).toBe(before[at]!.json.rev)
      expect(after[at]!.json.fields).toEqual(before[at]!.json.fields)
    }
  })

  it('makes a revision if fields change in the same patch', async () => {
    const tracker = await sandbox()
    const { rev } = (await tracker.get(item(217))).json
    const { json } = await tracker.patch(item(217), [
      testRev(rev),
      setField('System.Title', 'T'),
      linkTo(tracker, predecessor, 219),
    ])
    expect(json.rev).toBe(rev + 1)
  })

  it('is removed by its index in the list of relations', async () => {
    const tracker = await sandbox()
    const relations = (await tracker.get(item(206))).json.relations
    const at = relations.findIndex((one: any) => one.url.endsWith('/203'))
    const { json } = await tracker.patch(item(206), [{ op: 'remove', path: `/relations/${at}` }])
    expect(rels(json)).not.toContainEqual(['Dependency-Reverse', 203])
    expect(rels(json)).toContainEqual(['Dependency-Reverse', 204])
    expect(rels((await tracker.get(item(203))).json)).not.toContainEqual(['Dependency-Forward', 206])
  })

  it('moves an item below another parent in one patch', async () => {
    const tracker = await sandbox()
    const at = rels((await tracker.get(item(362))).json).findIndex(([rel]) => rel === 'Hierarchy-Reverse')
    const { json } = await tracker.patch(item(362), [
      { op: 'remove', path: `/relations/${at}` },
      linkTo(tracker, parent, 205),
    ])
    expect(json.fields['System.Parent']).toBe(205)
    expect(rels((await tracker.get(item(206))).json)).not.toContainEqual(['Hierarchy-Forward', 362])
  })

  it.each([
    ['a second parent', 362, parent, 205, 400, 'WorkItemLinkAddExtraParentException'],
    [
      'a child that has a parent',
      205,
      'System.LinkTypes.Hierarchy-Forward',
      362,
      400,
      'WorkItemLinkAddExtraParentException',
    ],
    ['a circle', 101, parent, 344, 400, 'WorkItemLinkCircularException'],
    ['itself', 101, parent, 101, 400, 'WorkItemLinkCircularException'],
    ['itself as a predecessor', 206, predecessor, 206, 400, 'WorkItemLinkCircularException'],
    ['itself as related', 206, related, 206, 400, 'WorkItemLinkCircularException'],
    ['a predecessor that waits for the item', 204, predecessor, 206, 400, 'WorkItemLinkCircularException'],
    ['a successor that the item waits for', 206, successor, 204, 400, 'WorkItemLinkCircularException'],
    ['the same again', 206, predecessor, 204, 400, 'WorkItemLinkAlreadyExistsException'],
    ['one that is not there', 206, predecessor, 9999, 404, 'WorkItemLinkEndUnauthorizedAccessException'],
    ['a kind that is not there', 206, 'System.LinkTypes.Nonsense', 204, 400, 'PatchOperationFailedException'],
  ])('is rejected for %s', async (_, id, rel, other, status, typeKey) => {
    const tracker = await sandbox()
    const reply = await tracker.patch(item(id), [linkTo(tracker, rel, other)])
    expect([reply.status, reply.json.typeKey]).toEqual([status, typeKey])
  })
})

describe('a circle of dependencies', () => {
  it('is rejected over any number of items', async () => {
    const tracker = await sandbox()
    for (const [id, before] of [
      [211, 212],
      [212, 213],
    ] as const) {
      expect((await tracker.patch(item(id), [linkTo(tracker, predecessor, before)])).status).toBe(200)
    }
    const reply = await tracker.patch(item(213), [linkTo(tracker, predecessor, 211)])
    expect([reply.status, reply.json.message]).toEqual([400, expect.stringContaining('TF201035')])
  })

  it('is rejected if one patch would close it', async () => {
    const tracker = await sandbox()
    const steps = [linkTo(tracker, predecessor, 212), linkTo(tracker, successor, 212)]
    expect((await tracker.patch(item(211), steps)).status).toBe(400)
    expect(rels((await tracker.get(item(211))).json)).not.toContainEqual(['Dependency-Reverse', 212])
  })

  it('is none if the patch removes the link that would close it', async () => {
    const tracker = await sandbox()
    const at = rels((await tracker.get(item(206))).json).findIndex(
      ([rel, id]) => rel === 'Dependency-Reverse' && id === 204,
    )
    const steps = [{ op: 'remove', path: `/relations/${at}` }, linkTo(tracker, successor, 204)]
    expect((await tracker.patch(item(206), steps)).status).toBe(200)
  })
})

describe('a link to something else', () => {
  it('makes a revision', async () => {
    const tracker = await sandbox()
    const { rev } = (await tracker.get(item(217))).json
    const add = {
      op: 'add',
      path: '/relations/-',
      value: { rel: 'Hyperlink', url: 'https://example.com/plan', attributes: { comment: 'plan' } },
    }
    const added = await tracker.patch(item(217), [add])
    expect(added.json.rev).toBe(rev + 1)
    const last = added.json.relations.at(-1)
    expect(last).toMatchObject({ rel: 'Hyperlink', url: 'https://example.com/plan', attributes: { comment: 'plan' } })
    const removed = await tracker.patch(item(217), [
      { op: 'remove', path: `/relations/${added.json.relations.length - 1}` },
    ])
    expect(removed.json.rev).toBe(rev + 2)
    expect(removed.text).not.toContain('example.com/plan')
  })
})
