import { describe, expect, it } from 'vitest'
import { publishDraft } from '../../../src/drafts/operations/publish-draft'
import { saveDraft } from '../../../src/drafts/operations/save-draft'
import { batchUpdate } from '../../../src/items/operations/batch-update'
import { addComment } from '../../../src/items/operations/comments/add-comment'
import { createItem } from '../../../src/items/operations/create-item'
import { importFeature } from '../../../src/items/operations/import/import-feature'
import { syncItems } from '../../../src/items/operations/import/sync-items'
import { linkItem } from '../../../src/items/operations/links/link-item'
import { listFeatures } from '../../../src/items/operations/list-features'
import { generateBriefing } from '../../../src/reports/operations/generate-briefing'
import { createBacklog, openGitHubWorkspace } from './fixtures'

const openWorkspace = () =>
  openGitHubWorkspace({
    issues: createBacklog(3, 2),
    labels: ['gate', 'points:5'],
    types: ['Feature', 'Story', 'Task'],
    milestones: [{ title: 'Sprint 24', dueOn: '2026-11-27T00:00:00Z' }],
  })

describe('a workspace on a GitHub repository', () => {
  it('imports a feature with everything below it, and notices later changes of values, links and absence', async () => {
    const { run, github } = await openWorkspace()
    expect(await run(listFeatures, {})).toMatchObject({ total: 1, features: [{ id: 1, cached: false }] })
    expect(await run(importFeature, { featureId: 1 })).toMatchObject({
      imported: 10,
      byType: { Feature: 1, Story: 3, Task: 6 },
    })
    expect(await run(importFeature, { featureId: 1 })).toMatchObject({ imported: 0, updated: 0, unchanged: 10 })
    github.change(2, { title: 'Renamed' })
    github.issues.get(3)!.blockedBy = [4]
    github.issues.delete(10)
    expect(await run(syncItems, {})).toMatchObject({
      checked: 10,
      updated: 3,
      unchanged: 6,
      gone: 1,
      changes: [{ id: 2, fields: ['title'] }, { id: 3, fields: ['relations'] }, { id: 4 }],
    })
  })

  it('reports what was created and completed by the dates of GitHub, which are no changes of their own', async () => {
    const story = { type: 'Story', parent: 1, createdAt: '2026-10-01T08:00:00Z' }
    const closed = { ...story, state: 'CLOSED', stateReason: 'COMPLETED', closedAt: '2026-10-26T08:00:00Z' } as const
    const { run, github } = await openGitHubWorkspace({
      issues: [
        { number: 1, type: 'Feature' },
        { number: 2, ...closed },
        { number: 3, ...story },
        { number: 4, ...story, createdAt: '2026-10-27T08:00:00Z' },
      ],
      types: ['Feature', 'Story'],
    })
    await run(importFeature, { featureId: 1 })
    const brief = async () => {
      const { basis } = await run(generateBriefing, { mode: 'deterministic', since: '2026-10-20' })
      const list = (items: { id: number }[]) => items.map(({ id }) => id)
      return { completed: list(basis.changes.completed), added: list(basis.changes.added) }
    }
    expect(await brief()).toEqual({ completed: [2], added: [4] })
    github.change(3, { state: 'CLOSED', stateReason: 'COMPLETED' })
    github.change(4, { labels: [] })
    expect(await run(syncItems, {})).toMatchObject({
      changes: [
        { id: 3, fields: ['state'] },
        { id: 4, fields: [] },
      ],
    })
    expect(await brief()).toEqual({ completed: [2, 3], added: [4] })
  })

  it('changes many issues at once, with names of fields as people write them', async () => {
    const { run, github } = await openWorkspace()
    await run(importFeature, { featureId: 1 })
    const updates = { sprint: 'Sprint 24', points: 5, tags: 'gate', assignedTo: '@me', Description: 'Use **steel**.' }
    expect(await run(batchUpdate, { itemIds: [2, 5], updates })).toMatchObject({ applied: 2 })
    expect(github.issues.get(5)).toMatchObject({
      milestone: 'Sprint 24',
      labels: ['points:5', 'gate'],
      assignees: ['robin'],
      body: 'Use **steel**.',
    })
    github.change(2, { milestone: null })
    const late = await run(batchUpdate, { itemIds: [2], updates: { sprint: 'Sprint 24', title: 'Arch' } })
    expect(late).toMatchObject({ applied: 0, conflicts: 1 })
    await expect(run(batchUpdate, { itemIds: [2], updates: { state: 'Doing' } })).rejects.toMatchObject({
      code: 'invalid',
    })
  })

  it('creates an issue with a parent, links it and comments on it, in Markdown', async () => {
    const { run, github } = await openWorkspace()
    const fields = { description: '- one\n- two', tags: 'gate' }
    const created = await run(createItem, { type: 'Story', title: 'Lamp', parentId: 1, fields })
    expect(created).toMatchObject({ id: 11 })
    expect(github.issues.get(11)).toMatchObject({ type: 'Story', parent: 1, body: '- one\r\n- two' })
    expect(await run(linkItem, { id: 11, predecessorIds: [2] })).toMatchObject({ applied: 1 })
    expect(github.issues.get(11)!.blockedBy).toEqual([2])
    const said = await run(addComment, { id: 11, text: 'Ask @ines & <b>Ana</b>.' })
    expect(said).toMatchObject({ text: 'Ask @ines & <b>Ana</b>.' })
    expect(github.issues.get(11)!.comments).toMatchObject([{ body: 'Ask @ines & <b>Ana</b>.' }])
  })

  it('refuses links of a kind that GitHub does not have, before anything is sent', async () => {
    const { run, requests } = await openWorkspace()
    await expect(run(linkItem, { id: 2, relatedIds: [5] })).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringContaining('Related: is no kind of link'),
    })
    expect(requests.filter(({ body }) => body.query.startsWith('mutation'))).toHaveLength(0)
  })

  it('publishes a draft as a new issue once, and later only what has changed', async () => {
    const { run, github } = await openWorkspace()
    const { id } = await run(saveDraft, {
      title: 'Gate lamp',
      description: 'Shows **red**.',
      storyPoints: 5,
      tags: 'gate',
      acceptanceCriteria: 'It shines.',
    })
    expect(await run(publishDraft, { id, type: 'Story', parentId: 1 })).toMatchObject({ action: 'create', itemId: 11 })
    expect(github.issues.get(11)).toMatchObject({
      title: 'Gate lamp',
      body: 'Shows **red**.',
      labels: ['points:5', 'gate'],
    })
    await run(saveDraft, { id, description: 'Shows **green**.' })
    github.change(11, { title: 'Signal lamp' })
    expect(await run(publishDraft, { id })).toMatchObject({ action: 'update', itemId: 11 })
    expect(github.issues.get(11)).toMatchObject({ title: 'Signal lamp', body: 'Shows **green**.' })
    expect(github.issues.size).toBe(11)
  })
})
