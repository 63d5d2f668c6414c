import { describe, expect, it } from 'vitest'
import { sandbox, setField } from './harness'

const item = (id: number) => `/Harbor/_apis/wit/workitems/${id}`

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
  ])('reject %s', async (_, step, typeKey, message) => {
    const { status, json } = await (await sandbox()).patch(item(204), [step])
    expect([status, json.typeKey]).toEqual([400, typeKey])
    expect(json.message).toMatch(message)
  })

  it('accept a path in any case, a person by any name, and a number as text', async () => {
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
