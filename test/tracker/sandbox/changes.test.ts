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

  it('goes through every rule and changes nothing with validateOnly', async () => {
    const tracker = await sandbox()
    const { rev } = (await tracker.get(item(206))).json
    const good = await tracker.patch(`${item(206)}?validateOnly=true`, [
      testRev(rev),
      setField('System.State', 'Active'),
    ])
    expect([good.status, good.json.rev, good.json.fields['System.State']]).toEqual([200, rev, 'New'])
    const bad = await tracker.patch(`${item(206)}?validateOnly=true`, [setField('System.State', 'Nonsense')])
    expect([bad.status, bad.json.typeKey]).toEqual([400, 'RuleValidationException'])
    const stale = await tracker.patch(`${item(206)}?validateOnly=true`, [testRev(rev + 1)])
    expect(stale.status).toBe(412)
    expect((await tracker.get(item(206))).json.rev).toBe(rev)
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

describe('rules for values', () => {
  it.each([
    ['an unknown field', setField('Custom.Nothing', 1), 'WorkItemTrackingFieldDefinitionNotFoundException', /TF51535/],
    [
      'a field of another type',
      setField('Microsoft.VSTS.TCM.ReproSteps', 'x'),
      'WorkItemTrackingFieldDefinitionNotFoundException',
      /TF51535/,
    ],
    [
      'a field that is only read',
      setField('System.CreatedDate', '2026-01-01'),
      'WorkItemFieldInvalidException',
      /TF401326.*ReadOnly/,
    ],
    [
      'an iteration that is not there',
      setField('System.IterationPath', 'Harbor\\Sprint 99'),
      'WorkItemFieldInvalidTreeNameException',
      /TF401347: Invalid tree name given for work item 204, field 'System.IterationPath'/,
    ],
    [
      'an area that is not there',
      setField('System.AreaPath', 'Elsewhere'),
      'WorkItemFieldInvalidTreeNameException',
      /TF401347/,
    ],
    [
      'somebody unknown',
      setField('System.AssignedTo', 'Nobody'),
      'RuleValidationException',
      /'Nobody' for field 'Assigned To' is an unknown identity/,
    ],
    [
      'a word for a number',
      setField('Microsoft.VSTS.Scheduling.StoryPoints', 'many'),
      'RuleValidationException',
      /TF401320/,
    ],
    [
      'a number off the list',
      setField('Microsoft.VSTS.Common.Priority', 7),
      'RuleValidationException',
      /not in the list/,
    ],
    ['no title', { op: 'remove', path: '/fields/System.Title' }, 'RuleValidationException', /TF401320.*Title/],
    [
      'a title of 256 characters',
      setField('System.Title', 'x'.repeat(256)),
      'RuleValidationException',
      /InvalidTooLong/,
    ],
    [
      'an object for a number',
      setField('Microsoft.VSTS.Scheduling.StoryPoints', {}),
      'RuleValidationException',
      /InvalidType/,
    ],
  ])('refuse %s', async (_, step, typeKey, message) => {
    const { status, json } = await (await sandbox()).patch(item(204), [step])
    expect([status, json.typeKey]).toEqual([400, typeKey])
    expect(json.message).toMatch(message)
  })

  it('take a path in any case, a person by any name, a number as text', async () => {
    const tracker = await sandbox()
    const { json } = await tracker.patch(item(204), [
      setField('System.IterationPath', '\\harbor\\2026 q4\\sprint 23'),
      setField('System.AssignedTo', 'Mei Tanaka<mei.tanaka@quayside.example>'),
      setField('Microsoft.VSTS.Scheduling.StoryPoints', '3.5'),
    ])
    expect(json.fields).toMatchObject({
      'System.IterationPath': 'Harbor\\2026 Q4\\Sprint 23',
      'System.AssignedTo': { displayName: 'Mei Tanaka' },
      'Microsoft.VSTS.Scheduling.StoryPoints': 3.5,
    })
    const asObject = await tracker.patch(item(204), [
      setField('System.AssignedTo', { displayName: 'Tomás Ferreira', uniqueName: 'tomas.ferreira@quayside.example' }),
    ])
    expect(asObject.json.fields['System.AssignedTo'].displayName).toBe('Tomás Ferreira')
  })
})

describe('tags', () => {
  it('are merged by add and overwritten by replace', async () => {
    const tracker = await sandbox()
    const added = await tracker.patch(item(204), [setField('System.Tags', 'urgent; GATE')])
    expect(added.json.fields['System.Tags']).toBe('gate; messaging; urgent')
    const replaced = await tracker.patch(item(204), [setField('System.Tags', 'one;two ; one', 'replace')])
    expect(replaced.json.fields['System.Tags']).toBe('one; two')
  })
})

describe('making and removing', () => {
  it('makes an item of the type with the beginnings of its process', async () => {
    const tracker = await sandbox()
    const { status, json } = await tracker.patch('/Harbor/_apis/wit/workitems/$User%20Story', [
      setField('System.Title', 'New one'),
      setField('System.Tags', 'a; b'),
    ])
    expect(status).toBe(200)
    expect(json).toMatchObject({
      id: 509,
      rev: 1,
      fields: {
        'System.WorkItemType': 'User Story',
        'System.State': 'New',
        'System.AreaPath': 'Harbor',
        'System.IterationPath': 'Harbor',
        'System.Tags': 'a; b',
        'System.CreatedDate': '2026-11-18T12:00:00Z',
        'Microsoft.VSTS.Common.Priority': 2,
      },
    })
    expect((await tracker.get(item(509))).json.fields['System.Title']).toBe('New one')
  })

  it('makes one by POST too, and needs a title and a type that there is', async () => {
    const tracker = await sandbox()
    const post = (type: string, steps: unknown[]) =>
      tracker.send('POST', `/Harbor/_apis/wit/workitems/$${type}`, {
        headers: { 'content-type': 'application/json-patch+json' },
        body: JSON.stringify(steps),
      })
    expect((await post('Task', [setField('System.Title', 'T')])).status).toBe(200)
    const untitled = await post('Task', [setField('System.Description', 'T')])
    expect([untitled.status, untitled.json.typeKey]).toEqual([400, 'RuleValidationException'])
    const unknown = await post('Saga', [setField('System.Title', 'T')])
    expect([unknown.status, unknown.json.typeKey]).toEqual([404, 'WorkItemTypeNotFoundException'])
  })

  it('removes an item, and nothing leads to it any more', async () => {
    const tracker = await sandbox()
    const { status, json } = await tracker.send('DELETE', item(362))
    expect([status, json.id, json.name]).toEqual([200, 362, 'Offer the next free slot at the kiosk'])
    expect((await tracker.get(item(362))).status).toBe(404)
    expect((await tracker.send('DELETE', item(362))).status).toBe(404)
    const parent = await tracker.get(`${item(206)}?$expand=relations`)
    expect(parent.text).not.toContain('workItems/362"')
    const next = await tracker.patch('/Harbor/_apis/wit/workitems/$Task', [setField('System.Title', 'Next')])
    expect(next.json.id).toBe(509)
  })
})

describe('a patch document', () => {
  it.each([
    ['is a list', { op: 'add' }],
    ['has something in it', []],
    ['has operations that there are', [{ op: 'move', path: '/fields/System.Title', from: '/fields/System.Tags' }]],
    ['has paths that there are', [{ op: 'add', path: '/nonsense', value: 1 }]],
    ['names relations that are there', [{ op: 'remove', path: '/relations/99' }]],
  ])('%s', async (_, document) => {
    expect((await (await sandbox()).patch(item(204), document)).status).toBe(400)
  })

  it('comes under its own content type', async () => {
    const reply = await (await sandbox()).send('PATCH', item(204), {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify([setField('System.Title', 'x')]),
    })
    expect([reply.status, reply.json.typeKey]).toEqual([415, 'VssRequestContentTypeNotSupportedException'])
  })

  it('may test a field', async () => {
    const tracker = await sandbox()
    expect((await tracker.patch(item(204), [setField('System.State', 'New', 'test')])).status).toBe(412)
    expect((await tracker.patch(item(204), [setField('System.State', 'Active', 'test')])).status).toBe(200)
  })

  it('may turn a long text into Markdown', async () => {
    const { json } = await (await sandbox()).patch(item(205), [
      setField('System.Description', '# Photos'),
      { op: 'add', path: '/multilineFieldsFormat/System.Description', value: 'markdown' },
    ])
    expect(json.multilineFieldsFormat).toEqual({ 'System.Description': 'Markdown' })
  })

  it('keeps texts that speak of the tracker true in later runs', async () => {
    const tracker = await sandbox()
    const text = `<a href="${tracker.url}/Harbor/_workitems/edit/101">101</a>`
    const { json } = await tracker.patch(item(205), [setField('System.Description', text)])
    expect(json.fields['System.Description']).toBe(text)
  })
})
