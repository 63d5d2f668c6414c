import { describe, expect, it } from 'vitest'
import { copySanitize } from '../../../src/drafts/operations/copy-sanitize'
import { publishDraft } from '../../../src/drafts/operations/publish-draft'
import { saveDraft } from '../../../src/drafts/operations/save-draft'
import { DEPLOYMENTS, openJiraWorkspace } from '../../tracker/jira/fixtures'

const SEVERITY = 'customfield_10101'
const TEAMS = 'customfield_10102'
const COST = 'customfield_10103'
const further = [
  { id: 'components', name: 'Components', type: 'array', items: 'component', allowed: ['Gate', 'Yard'] },
  { id: 'fixVersions', name: 'Fix versions', type: 'array', items: 'version', allowed: ['1.0', '1.1'] },
  { id: SEVERITY, name: 'Severity', type: 'option', allowed: ['Minor', 'Major'], required: true },
  { id: TEAMS, name: 'Teams', type: 'array', items: 'option', allowed: ['Harbor', 'Rail'] },
  { id: COST, name: 'Cost', type: 'number' },
]
const issues = [{ id: 201, type: 'Story', summary: 'Read the plate' }]

describe.each(DEPLOYMENTS)('fields that a publication sets on Jira %s', (deployment) => {
  const open = async () => {
    const workspace = await openJiraWorkspace({ deployment, issues, fields: { further } })
    await workspace.run(copySanitize, { id: 201 })
    await workspace.run(saveDraft, { id: 1, title: 'A new story' })
    return { ...workspace, publish: (input: object) => workspace.run(publishDraft, { id: 1, ...input }) }
  }

  it('are components, fix versions, labels, a priority and custom fields of a new issue', async () => {
    const { publish, site } = await open()
    const updates = {
      components: 'Gate; Yard',
      'Fix Versions': ['1.1'],
      severity: 'major',
      Teams: 'Rail',
      Cost: '12.5',
      Priority: 'High',
      Labels: 'night',
    }
    const shown = await publish({ updates, dryRun: true })
    expect(shown.changes.map(({ field }: { field: string }) => field)).toContain('Severity')
    const { itemId } = await publish({ updates, planId: shown.planId })
    expect(site.find(itemId)).toMatchObject({
      priority: 'High',
      labels: ['night'],
      extra: {
        components: [{ name: 'Gate' }, { name: 'Yard' }],
        fixVersions: [{ name: '1.1' }],
        [SEVERITY]: { value: 'Major' },
        [TEAMS]: [{ value: 'Rail' }],
        [COST]: 12.5,
      },
    })
  })

  it('are named by the error if Jira requires them, with the values that it offers', async () => {
    const { publish, site } = await open()
    await expect(publish({})).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringContaining('nothing was created. updates.Severity: '),
      details: [{ path: 'updates.Severity', message: 'Severity is required. Use one of Minor, Major.' }],
    })
    expect(site.issues.size).toBe(1)
    await expect(publish({ updates: { Severity: 'Huge', Components: 'Gate' } })).rejects.toMatchObject({
      details: [{ path: 'updates.Severity', message: expect.stringContaining('use one of Minor, Major') }],
    })
    await expect(publish({ updates: { Severity: 'Minor', Components: 'Nope' } })).rejects.toMatchObject({
      details: [{ path: 'updates.Components', message: expect.stringContaining('use one of Gate, Yard') }],
    })
    expect(await publish({ updates: { Severity: 'Minor' } })).toMatchObject({ action: 'create' })
  })

  it('are set on an issue that exists, unless somebody else has changed them', async () => {
    const { publish, site } = await open()
    await publish({ to: 201, updates: { Priority: 'Low', State: 'In Progress' } })
    expect(site.find(201)).toMatchObject({ priority: 'Low', status: 'In Progress', summary: 'A new story' })
    await publish({ to: 201, updates: { Severity: 'Minor' } })
    expect(site.find(201)).toMatchObject({ extra: { [SEVERITY]: { value: 'Minor' } } })
    Object.assign(site.find(201)!, { priority: 'Highest', updated: site.tick() })
    await expect(publish({ updates: { Priority: 'High' } })).rejects.toMatchObject({
      code: 'stale_revision',
      details: [{ path: 'priority', now: 'Highest' }],
    })
  })
})
