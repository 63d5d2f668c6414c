import { describe, expect, it } from 'vitest'
import { generatedState } from './generated-state'
import { type Client, sandbox } from './harness'

async function ids(tracker: Client, where: string, more = ''): Promise<number[]> {
  const query = `SELECT [System.Id] FROM WorkItems WHERE ${where} ${more}`
  const { status, json } = await tracker.post('/Harbor/_apis/wit/wiql', { query })
  if (status !== 200) throw new Error(json.message)
  return json.workItems.map((item: any) => item.id)
}

async function complaint(query: string, path = '/Harbor/_apis/wit/wiql'): Promise<string> {
  const { status, json } = await (await sandbox()).post(path, { query })
  expect([status, json.typeKey]).toEqual([400, 'VssPropertyValidationException'])
  return json.message
}

describe('a query of items', () => {
  it('returns IDs, columns and the requested order', async () => {
    const tracker = await sandbox()
    const query =
      "Select [System.Id], [Title] From WorkItems Where [Work Item Type] = 'Feature' And [State] <> 'Closed' Order By [System.Title] Desc"
    const { status, json } = await tracker.post('/Harbor/_apis/wit/wiql', { query })
    expect(status).toBe(200)
    expect(json).toMatchObject({
      queryType: 'flat',
      asOf: '2026-11-18T12:00:00Z',
      columns: [{ referenceName: 'System.Id' }, { referenceName: 'System.Title', name: 'Title' }],
      sortColumns: [{ field: { referenceName: 'System.Title' }, descending: true }],
    })
    expect(json.workItems).toEqual(
      [102, 101, 103].map((id) => ({ id, url: `${tracker.url}/_apis/wit/workItems/${id}` })),
    )
  })

  it('is sorted by ID by default, and limited by $top', async () => {
    const tracker = await sandbox()
    const query = "SELECT [System.Id] FROM workitems WHERE [System.WorkItemType] = 'User Story'"
    const { json } = await tracker.post('/Harbor/_apis/wit/wiql?$top=3', { query })
    expect(json.workItems.map((item: any) => item.id)).toEqual([201, 202, 203])
  })

  it.each<[string, number[]]>([
    ['[System.Id] IN (204, 101, 9999)', [101, 204]],
    ['[System.Id] = 204', [204]],
    ["[System.Id] = '204'", [204]],
    ['[System.Id] >= 507', [507, 508]],
    ['[System.Id] NOT IN (507) AND [System.Id] > 506', [508]],
    ['[System.Parent] = 206', [361, 362]],
    ["[System.Parent] = '' AND [System.WorkItemType] = 'Bug'", [507, 508]],
    ["NOT [System.State] = 'Closed' AND [System.Parent] = 208 OR [System.Id] = 383", [383]],
    ["([System.Id] = 101 OR [System.Id] = 102) AND [System.State] = 'active'", [101, 102]],
    ["[System.Tags] CONTAINS 'blocked' AND [System.WorkItemType] = 'User Story'", [212]],
    ["[System.Tags] CONTAINS 'block'", []],
    ["[System.Title] CONTAINS 'licence plate'", [202]],
    ["[System.Title] NOT CONTAINS 'a' AND [System.WorkItemType] = 'User Story'", [201]],
    ["[System.Description] CONTAINS WORDS 'camera mud'", [202]],
    ["[System.Description] CONTAINS WORDS 'cam* mud'", [202]],
    ["[System.Description] CONTAINS WORDS 'MsoNormal'", []],
    ["[System.AssignedTo] = 'Mei Tanaka' AND [System.WorkItemType] = 'User Story'", [208, 210]],
    ["[System.AssignedTo] = 'mei.tanaka@quayside.example' AND [System.State] = 'Active'", [102, 210, 401]],
    ["[System.AssignedTo] CONTAINS 'lindq' AND [System.WorkItemType] = 'User Story'", [202, 204]],
    ["[System.AssignedTo] = '' AND [System.WorkItemType] = 'Bug'", [504, 505, 507]],
    ["[System.AssignedTo] IS EMPTY AND [System.WorkItemType] = 'Bug'", [504, 505, 507]],
    ['[System.CreatedBy] = @me AND [System.Id] = 101', [101]],
    ["[System.AreaPath] UNDER 'Harbor\\Floor' AND [System.WorkItemType] = 'Bug'", [503, 504, 507, 508]],
    ["[System.AreaPath] = 'Harbor\\Floor' AND [System.WorkItemType] = 'Bug'", [507, 508]],
    [
      "[System.IterationPath] NOT UNDER 'Harbor\\2026 Q4' AND [System.WorkItemType] = 'User Story'",
      [206, 207, 211, 212, 216, 217],
    ],
    ["[System.TeamProject] = @project AND [System.WorkItemType] = 'Feature'", [101, 102, 103]],
    ['[Microsoft.VSTS.Scheduling.StoryPoints] > 5', [202, 204, 209, 215, 216]],
    ["[Microsoft.VSTS.Scheduling.StoryPoints] = '' AND [System.WorkItemType] = 'User Story'", [206, 212]],
    ["[System.ChangedDate] >= @today - 1 AND [System.WorkItemType] = 'User Story'", [204, 205, 209, 215, 218]],
    ["[System.ChangedDate] > '2026-11-30'", []],
    ["[System.Title] = 'Driver''s'", []],
  ])('finds %s', async (where, expected) => {
    const tracker = await sandbox()
    expect(await ids(tracker, where)).toEqual(expected)
  })

  it('compares days unless timePrecision is set', async () => {
    const tracker = await sandbox()
    const changed = (await tracker.get('/_apis/wit/workitems/204')).json.fields['System.ChangedDate']
    expect(await ids(tracker, `[System.ChangedDate] = '${changed.slice(0, 10)}' AND [System.Id] = 204`)).toEqual([204])
    const query = `SELECT [System.Id] FROM WorkItems WHERE [System.ChangedDate] >= '${changed}' AND [System.Id] = 204`
    const refused = await tracker.post('/Harbor/_apis/wit/wiql', { query })
    expect([refused.status, refused.json.message]).toEqual([400, expect.stringContaining('using date precision')])
    const precise = await tracker.post('/Harbor/_apis/wit/wiql?timePrecision=true', { query })
    expect(precise.json.workItems).toHaveLength(1)
  })

  it('sorts by several fields, empty values first', async () => {
    const tracker = await sandbox()
    const order = 'ORDER BY [Microsoft.VSTS.Scheduling.StoryPoints], [System.Id] DESC'
    expect(await ids(tracker, '[System.Id] IN (204, 206, 210, 212, 217)', order)).toEqual([212, 206, 217, 210, 204])
  })
})

describe('an invalid query', () => {
  it.each([
    ['SELECT TOP 5 [System.Id] FROM WorkItems', /TF51006: The query statement is missing a FROM clause/],
    ['SELECT [System.Id]', /TF51006/],
    ["SELECT [System.Id] FROM WorkItems WHERE [Custom.Gone] = 'x'", /TF51005.*«\[Custom\.Gone\]»/],
    ['SELECT [Custom.Gone] FROM WorkItems', /TF51005/],
    ["SELECT [System.Id] FROM WorkItems WHERE [System.AreaPath] UNDER 'Nowhere'", /TF51011.*area path/],
    ["SELECT [System.Id] FROM WorkItems WHERE [System.IterationPath] = 'Nowhere'", /TF51011.*iteration path/],
    ["SELECT [System.Id] FROM WorkItems WHERE [System.Title] LIKE 'x'", /Expecting an operator.*«LIKE»/],
    ["SELECT [System.Id] FROM WorkItems WHERE [System.Title] = 'open", /The error is caused by/],
    ['SELECT [System.Id] FROM WorkItems WHERE ([System.Id] = 1', /Expecting «\)»/],
    ['SELECT [System.Id] FROM WorkItems WHERE [System.Id] =', /ends too early/],
    ["SELECT [System.Id] FROM WorkItems WHERE [System.Title] UNDER 'x'", /cannot be used/],
    ["SELECT [System.Id] FROM WorkItems WHERE [System.Id] = 'many'", /cannot be used/],
    ['SELECT [System.Id] FROM WorkItems WHERE [System.Id] = @nonsense', /«@nonsense»/],
    ['SELECT [System.Id] FROM WorkItems WHERE [Source].[System.Id] = 1', /query of links/],
    ['SELECT [System.Id] FROM WorkItems nonsense', /Expecting end of string.*«nonsense»/],
    ["SELECT [System.Id] FROM WorkItems WHERE [System.Title] = 'x' ASOF '2026-01-01'", /end of string/],
  ])('%s', async (query, message) => {
    expect(await complaint(query)).toMatch(message)
  })

  it('is rejected above 32,000 characters', async () => {
    const query = `SELECT [System.Id] FROM WorkItems WHERE [System.Id] IN (${'1,'.repeat(16_000)}1)`
    expect(await complaint(query)).toContain('32000')
  })

  it('needs a project in the address for @project', async () => {
    const query = 'SELECT [System.Id] FROM WorkItems WHERE [System.TeamProject] = @project'
    expect(await complaint(query, '/_apis/wit/wiql')).toContain('@project')
  })

  it('is rejected if it finds more than 20,000 items', async () => {
    const tracker = await sandbox({ seed: generatedState(20_001) })
    const query = 'SELECT [System.Id] FROM WorkItems'
    const all = await tracker.post('/Big/_apis/wit/wiql', { query })
    expect([all.status, all.json.message]).toEqual([400, expect.stringContaining('VS402337')])
    const some = await tracker.post('/Big/_apis/wit/wiql?$top=20000', { query })
    expect(some.json.workItems).toHaveLength(20_000)
  })
})
