import { describe, expect, it } from 'vitest'
import { sandbox } from './harness'

describe('the process endpoints', () => {
  it('lists types with their colour, states and fields', async () => {
    const { json } = await (await sandbox()).get('/Harbor/_apis/wit/workitemtypes')
    expect(json.value.map((type: any) => type.name)).toEqual(['Epic', 'Feature', 'User Story', 'Bug', 'Task'])
    const task = json.value.at(-1)
    expect(task.color).toMatch(/^[0-9A-F]{6}$/)
    expect(task.states.map((state: any) => [state.name, state.category])).toEqual([
      ['New', 'Proposed'],
      ['Active', 'InProgress'],
      ['Closed', 'Completed'],
      ['Removed', 'Removed'],
    ])
    const names = task.fieldInstances.map((field: any) => field.referenceName)
    expect(names).toContain('Microsoft.VSTS.Scheduling.RemainingWork')
    expect(names).not.toContain('Microsoft.VSTS.Scheduling.StoryPoints')
    expect(task.fields).toEqual(task.fieldInstances)
  })

  it('returns the states of a type, and 404 for an unknown type', async () => {
    const tracker = await sandbox()
    const states = await tracker.get('/Harbor/_apis/wit/workitemtypes/Bug/states')
    expect(states.json).toMatchObject({
      count: 4,
      value: [{ name: 'New', category: 'Proposed', color: 'b2b2b2' }, {}, { category: 'Resolved' }, {}],
    })
    expect((await tracker.get('/Harbor/_apis/wit/workitemtypes/Saga/states')).json.typeKey).toBe(
      'WorkItemTypeNotFoundException',
    )
  })

  it('returns a field of a type with its allowed values', async () => {
    const tracker = await sandbox()
    const fields = '/Harbor/_apis/wit/workitemtypes/Bug/fields'
    const { json } = await tracker.get(`${fields}/Microsoft.VSTS.Common.Priority`)
    expect(json).toMatchObject({ name: 'Priority', allowedValues: ['1', '2', '3', '4'] })
    expect((await tracker.get(`${fields}/Custom.None`)).status).toBe(404)
  })

  it('lists fields with their type and whether they are read-only', async () => {
    const tracker = await sandbox()
    const { json } = await tracker.get('/_apis/wit/fields')
    const byName = Object.fromEntries(json.value.map((field: any) => [field.referenceName, field]))
    expect(byName['System.AssignedTo']).toMatchObject({
      type: 'string',
      isIdentity: true,
      readOnly: false,
      name: 'Assigned To',
    })
    expect(byName['System.ChangedDate']).toMatchObject({ type: 'dateTime', readOnly: true })
    expect(byName['System.AreaPath']).toMatchObject({ type: 'treePath' })
  })

  it('names the field of the points and the types of each backlog level', async () => {
    const { json } = await (await sandbox()).get('/Harbor/_apis/work/backlogconfiguration')
    expect(json.backlogFields.typeFields.Effort).toBe('Microsoft.VSTS.Scheduling.StoryPoints')
    expect(json.bugsBehavior).toBe('asRequirements')
    expect(json.hiddenBacklogs).toEqual(['Microsoft.EpicCategory'])
    const levels = [...json.portfolioBacklogs, json.requirementBacklog, json.taskBacklog]
    expect(levels.map((level: any) => [level.rank, level.workItemTypes.map((type: any) => type.name)])).toEqual([
      [4, ['Epic']],
      [3, ['Feature']],
      [2, ['Bug', 'User Story']],
      [1, ['Task']],
    ])
  })

  it('sorts types into categories', async () => {
    const tracker = await sandbox()
    expect((await tracker.get('/Harbor/_apis/wit/workitemtypecategories')).json.count).toBe(5)
  })
})

describe('areas and iterations', () => {
  it('are returned to the requested depth, with hasChildren', async () => {
    const tracker = await sandbox()
    const shallow = await tracker.get('/Harbor/_apis/wit/classificationnodes/iterations?$depth=1')
    expect(shallow.json).toMatchObject({
      name: 'Harbor',
      structureType: 'iteration',
      path: '\\Harbor\\Iteration',
      hasChildren: true,
    })
    expect(shallow.json.children[0]).toMatchObject({ name: '2026 Q4', hasChildren: true })
    expect(shallow.json.children[0]).not.toHaveProperty('children')
    expect((await tracker.get('/Harbor/_apis/wit/classificationnodes/areas')).json).not.toHaveProperty('children')
  })

  it('contain the dates of iterations', async () => {
    const { json } = await (await sandbox()).get('/Harbor/_apis/wit/classificationnodes/Iterations?$depth=5')
    const [quarter, later] = json.children
    expect(quarter.children.map((node: any) => [node.name, node.attributes])).toEqual([
      ['Sprint 22', { startDate: '2026-10-19T00:00:00Z', finishDate: '2026-10-30T00:00:00Z' }],
      ['Sprint 23', { startDate: '2026-11-02T00:00:00Z', finishDate: '2026-11-13T00:00:00Z' }],
      ['Sprint 24', { startDate: '2026-11-16T00:00:00Z', finishDate: '2026-11-27T00:00:00Z' }],
    ])
    expect(later).not.toHaveProperty('attributes')
  })

  it('are found by their path', async () => {
    const tracker = await sandbox()
    const { json } = await tracker.get('/Harbor/_apis/wit/classificationnodes/areas/floor/counting')
    expect(json).toMatchObject({ name: 'Counting', path: '\\Harbor\\Area\\floor\\counting', hasChildren: false })
    expect((await tracker.get('/Harbor/_apis/wit/classificationnodes/areas/gone')).status).toBe(404)
    expect((await tracker.get('/Harbor/_apis/wit/classificationnodes/nonsense')).status).toBe(404)
    const roots = await tracker.get('/Harbor/_apis/wit/classificationnodes')
    expect(roots.json.value.map((node: any) => node.structureType)).toEqual(['area', 'iteration'])
  })
})

describe('the connection', () => {
  it('lists its project', async () => {
    const tracker = await sandbox()
    const { json } = await tracker.get('/_apis/projects')
    expect(json).toMatchObject({ count: 1, value: [{ name: 'Harbor', state: 'wellFormed' }] })
  })
})
