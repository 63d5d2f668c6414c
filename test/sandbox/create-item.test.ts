import { describe, expect, it } from 'vitest'
import { type Client, sandbox, setField } from './harness'

const create = (tracker: Client, type: string, steps: unknown[]) =>
  tracker.send('POST', `/Harbor/_apis/wit/workitems/$${type}`, {
    headers: { 'content-type': 'application/json-patch+json' },
    body: JSON.stringify(steps),
  })

const item = (id: number) => `/Harbor/_apis/wit/workitems/${id}`

describe('creating and removing', () => {
  it('creates an item with the default values of its process', async () => {
    const tracker = await sandbox()
    const { status, json } = await create(tracker, 'User%20Story', [
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

  it('requires a title and an existing type', async () => {
    const tracker = await sandbox()
    const untitled = await create(tracker, 'Task', [setField('System.Description', 'T')])
    expect([untitled.status, untitled.json.typeKey]).toEqual([400, 'RuleValidationException'])
    const unknown = await create(tracker, 'Saga', [setField('System.Title', 'T')])
    expect([unknown.status, unknown.json.typeKey]).toEqual([404, 'WorkItemTypeNotFoundException'])
  })

  it('removes an item and all links to it', async () => {
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
