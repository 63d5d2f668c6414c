import { describe, expect, it } from 'vitest'
import { NOW, sandbox, setField, testRev } from './harness'

const item = (id: number) => `/Harbor/_apis/wit/workitems/${id}`

describe('changing fields', () => {
  it('makes a revision, by who is signed in and now', async () => {
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

  it('refuses a stale revision with 412, and changes nothing', async () => {
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

  it('of two writers with the same revision lets one through', async () => {
    const tracker = await sandbox()
    const { rev } = (await tracker.get(item(206))).json
    const write = (title: string) => tracker.patch(item(206), [testRev(rev), setField('System.Title', title)])
    const statuses = (await Promise.all([write('One'), write('Two')])).map((reply) => reply.status)
    expect(statuses.sort()).toEqual([200, 412])
  })

  it('makes no revision where nothing is new', async () => {
    const tracker = await sandbox()
    const before = (await tracker.get(item(204))).json
    const { json } = await tracker.patch(item(204), [setField('System.State', 'Active')])
    expect(json.rev).toBe(before.rev)
  })

  it('clears a field by remove, null or an empty text', async () => {
    const tracker = await sandbox()
    const points = 'Microsoft.VSTS.Scheduling.StoryPoints'
    await tracker.patch(item(204), [{ op: 'remove', path: `/fields/${points}` }])
    await tracker.patch(item(204), [setField('System.AssignedTo', '')])
    const { json } = await tracker.patch(item(204), [setField('System.Tags', null, 'replace')])
    for (const name of [points, 'System.AssignedTo', 'System.Tags']) expect(json.fields).not.toHaveProperty([name])
  })

  it('never lets the changed date stand still or go back', async () => {
    const tracker = await sandbox({ clock: () => NOW - 90 * 86_400_000 })
    const first = (await tracker.get(item(204))).json.fields['System.ChangedDate']
    const { json } = await tracker.patch(item(204), [setField('System.Title', 'Again')])
    expect(Date.parse(json.fields['System.ChangedDate'])).toBeGreaterThan(Date.parse(first))
  })
})

describe('a change of state', () => {
  it('stamps who came there when, and takes the stamp away on the way back', async () => {
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

  it('is refused for a state that the type does not have', async () => {
    const { status, json } = await (await sandbox()).patch(item(341), [setField('System.State', 'Resolved')])
    expect(status).toBe(400)
    expect(json).toMatchObject({
      typeKey: 'RuleValidationException',
      message: "The field 'State' contains the value 'Resolved' that is not in the list of supported values",
      customProperties: { RuleValidationErrors: [{ fieldReferenceName: 'System.State' }] },
    })
  })
})
