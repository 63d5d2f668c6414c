import { describe, expect, it } from 'vitest'
import { NOW, sandbox, setField, testRev } from './harness'

const item = (id: number) => `/Harbor/_apis/wit/workitems/${id}`

describe('changing fields', () => {
  it('makes a revision with the current user and time', async () => {
    const tracker = await sandbox()
    const before = (await tracker.get(item(206))).json
    const { status, json } = await tracker.patch(item(206), [testRev(before.rev), setField('System.Title', 'Later')])
    expect(status).toBe(200)
    expect(json.rev).toBe(before.rev + 1)
    expect(json.fields).toMatchObject({
      'System.Title': 'Later',
      'System.ChangedDate': '2026-11-18T12:00:00Z',
      'System.ChangedBy': { displayName: 'Hannah Okafor' },
      'System.CreatedDate': before.fields['System.CreatedDate'],
    })
    expect((await tracker.get(item(206))).json).toMatchObject({ rev: json.rev, fields: json.fields })
  })

  it('rejects a stale revision with 412 and without a change', async () => {
    const tracker = await sandbox()
    const { rev } = (await tracker.get(item(206))).json
    const { status, json } = await tracker.patch(item(206), [testRev(rev - 1), setField('System.Title', 'Lost')])
    expect(status).toBe(412)
    expect(json).toMatchObject({
      typeKey: 'TestPatchOperationFailedException',
      message: `VS403351: Test Operation for path /rev failed, value ${rev} was not equal to test value ${rev - 1}.`,
    })
    expect((await tracker.get(item(206))).json.rev).toBe(rev)
  })

  it('accepts one of two changes to the same revision', async () => {
    const tracker = await sandbox()
    const { rev } = (await tracker.get(item(206))).json
    const write = (title: string) => tracker.patch(item(206), [testRev(rev), setField('System.Title', title)])
    const statuses = (await Promise.all([write('One'), write('Two')])).map((reply) => reply.status)
    expect(statuses.sort()).toEqual([200, 412])
  })

  it('makes no revision without a new value', async () => {
    const tracker = await sandbox()
    const before = (await tracker.get(item(204))).json
    const { json } = await tracker.patch(item(204), [setField('System.State', 'Active')])
    expect(json.rev).toBe(before.rev)
  })

  it('clears a field with remove, null or an empty text', async () => {
    const tracker = await sandbox()
    const points = 'Microsoft.VSTS.Scheduling.StoryPoints'
    await tracker.patch(item(204), [{ op: 'remove', path: `/fields/${points}` }])
    await tracker.patch(item(204), [setField('System.AssignedTo', '')])
    const { json } = await tracker.patch(item(204), [setField('System.Tags', null, 'replace')])
    for (const name of [points, 'System.AssignedTo', 'System.Tags']) expect(json.fields).not.toHaveProperty([name])
  })

  it('always advances the changed date', async () => {
    const tracker = await sandbox({ clock: () => NOW - 90 * 86_400_000 })
    const first = (await tracker.get(item(204))).json.fields['System.ChangedDate']
    const { json } = await tracker.patch(item(204), [setField('System.Title', 'Again')])
    expect(Date.parse(json.fields['System.ChangedDate'])).toBeGreaterThan(Date.parse(first))
  })
})

describe('a change of state', () => {
  it('sets the user and date of the state, and clears them when it is reverted', async () => {
    const tracker = await sandbox()
    const closed = (await tracker.patch(item(204), [setField('System.State', 'closed')])).json.fields
    expect(closed).toMatchObject({
      'System.State': 'Closed',
      'System.Reason': 'Acceptance tests pass',
      'Microsoft.VSTS.Common.StateChangeDate': '2026-11-18T12:00:00Z',
      'Microsoft.VSTS.Common.ClosedDate': '2026-11-18T12:00:00Z',
      'Microsoft.VSTS.Common.ClosedBy': { displayName: 'Hannah Okafor' },
    })
    const reopened = (await tracker.patch(item(204), [setField('System.State', 'Active')])).json.fields
    expect(reopened).not.toHaveProperty(['Microsoft.VSTS.Common.ClosedDate'])
    expect(reopened).not.toHaveProperty(['Microsoft.VSTS.Common.ClosedBy'])
    expect(reopened).toHaveProperty(['Microsoft.VSTS.Common.ActivatedDate'])
  })

  it('is rejected for a state that the type does not have', async () => {
    const { status, json } = await (await sandbox()).patch(item(341), [setField('System.State', 'Resolved')])
    expect(status).toBe(400)
    expect(json).toMatchObject({
      typeKey: 'RuleValidationException',
      message: "The field 'State' contains the value 'Resolved' that is not in the list of supported values",
      customProperties: { RuleValidationErrors: [{ fieldReferenceName: 'System.State' }] },
    })
  })
})
