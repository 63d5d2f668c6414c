import { describe, expect, it, onTestFinished } from 'vitest'
import { startSandbox } from '../../src/sandbox'
import { createSampleBacklog } from '../../src/sandbox/seed/sample-backlog'
import { rebuildItem } from '../../src/sandbox/state/item'

const backlog = createSampleBacklog()
const items = backlog.items.map((stored) => rebuildItem(stored))
const byId = new Map(items.map((item) => [item.id, item]))
const ofType = (type: string) => items.filter((item) => item.fields['System.WorkItemType'] === type)
const parents = new Map(
  backlog.links.filter((link) => link.type === 'System.LinkTypes.Hierarchy').map((link) => [link.target, link.source]),
)

describe('the sample backlog', () => {
  it('is the same in every run', () => {
    expect(createSampleBacklog()).toEqual(backlog)
  })

  it('is as it was in other sandboxes of a process after one has changed it', async () => {
    const open = async () => {
      const sandbox = await startSandbox({ file: null })
      onTestFinished(() => sandbox.close())
      const item = `${sandbox.url}/Harbor/_apis/wit/workitems/204?api-version=7.1`
      return async (patch?: object[]) => {
        const headers = { 'content-type': 'application/json-patch+json' }
        const response = await fetch(item, patch && { method: 'PATCH', headers, body: JSON.stringify(patch) })
        const { rev, fields } = (await response.json()) as any
        return { rev, title: fields['System.Title'], tags: fields['System.Tags'] }
      }
    }
    const [changed, other] = [await open(), await open()]
    const before = await other()
    const patch = [
      { op: 'add', path: '/fields/System.Title', value: 'Changed' },
      { op: 'add', path: '/fields/System.Tags', value: 'changed' },
    ]
    expect(await changed(patch)).toMatchObject({ rev: before.rev + 1, title: 'Changed' })
    const later = await open()
    expect([await other(), await later()]).toEqual([before, before])
  })

  it('has three features, some twenty stories, some sixty tasks and eight bugs', () => {
    const counts = ['Feature', 'User Story', 'Task', 'Bug'].map((type) => ofType(type).length)
    expect(counts).toEqual([3, 19, 60, 8])
  })

  it('numbers tasks after their story', () => {
    for (const { id } of ofType('Task')) expect(Math.floor(id / 10) * 10).toBe(300 + (parents.get(id)! - 200) * 10)
  })

  it('has a chronological history that ends on 18 November 2026', () => {
    const saves = backlog.items.flatMap((item) => item.revisions)
    const events = [...saves, ...backlog.links].sort((a, b) => a.watermark - b.watermark)
    expect(events.map((event) => event.watermark)).toEqual(events.map((_, at) => at + 1))
    for (const [at, event] of events.entries()) if (at > 0) expect(event.at >= events[at - 1]!.at).toBe(true)
    expect(events.at(-1)!.at.slice(0, 10)).toBe('2026-11-18')
    for (const item of backlog.items) {
      const parent = parents.get(item.id)
      if (parent) expect(item.revisions[0]!.at > byId.get(parent)!.revisions[0]!.at).toBe(true)
    }
  })

  it('has states in the order of their dates', () => {
    for (const item of items) {
      const states = item.revisions.flatMap((save) => save.set['System.State'] ?? [])
      expect([
        'New',
        'New Removed',
        'New Active',
        'New Active Resolved',
        'New Active Resolved Closed',
        'New Active Closed',
      ]).toContain(states.join(' '))
    }
  })

  it('names only existing people', () => {
    const accounts = new Set(backlog.people.map((person) => person.uniqueName))
    expect(backlog.people).toHaveLength(8)
    for (const item of items) {
      for (const save of item.revisions) expect(accounts).toContain(save.by)
      const assignee = item.fields['System.AssignedTo']
      if (assignee !== undefined) expect(accounts).toContain(assignee)
    }
  })

  it('contains what a sanitized copy must remove', () => {
    const text = (id: number) =>
      String(byId.get(id)!.fields['System.Description'] ?? byId.get(id)!.fields['Microsoft.VSTS.TCM.ReproSteps'])
    for (const debris of [
      '<o:p>',
      'class=MsoNormal',
      'mso-list',
      '<!--[if gte mso',
      '<font',
      '&nbsp;&nbsp;',
      'data-vss-mention',
      'javascript:',
      'onclick',
      'mailto:',
      '{tracker}/Harbor/_apis/wit/attachments/',
    ]) {
      expect(text(204)).toContain(debris)
    }
    expect(text(204)).toMatch(/\b[a-z2-7]{52}\b/)
    expect(text(204)).toMatch(/\bghp_[A-Za-z0-9]{36}\b/)
    expect(text(204)).toMatch(/https:\/\/\w+:[\w-]+@/)
    expect(text(218)).toMatch(/Password=[^;]+;/)
    expect(text(217)).toContain('x:fmla')
    expect(text(506)).toContain('From:')
    expect(byId.get(210)!.formats['System.Description']).toBe('Markdown')
  })

  it('contains blocked items: by a tag, a field, and open and completed predecessors', () => {
    expect(byId.get(212)!.fields['System.Tags']).toContain('Blocked')
    expect(byId.get(205)!.fields['Microsoft.VSTS.CMMI.Blocked']).toBe('Yes')
    const waits = backlog.links.filter((link) => link.type === 'System.LinkTypes.Dependency' && link.target === 206)
    expect(waits.map((link) => byId.get(link.source)!.fields['System.State'])).toEqual(['Closed', 'Active'])
    expect(parents.get(215)).toBe(103)
    expect(parents.get(205)).toBe(101)
  })
})
