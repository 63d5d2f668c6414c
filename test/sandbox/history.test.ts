import { describe, expect, it } from 'vitest'
import { linkTo, sandbox, setField } from './harness'

describe('updates', () => {
  it('contain old and new values, and changes of links', async () => {
    const tracker = await sandbox()
    const before = (await tracker.get('/_apis/wit/workitems/217')).json
    await tracker.patch('/_apis/wit/workitems/217', [setField('System.Title', 'Report')])
    await tracker.patch('/_apis/wit/workitems/217', [linkTo(tracker, 'System.LinkTypes.Dependency-Reverse', 219)])
    const { json } = await tracker.get('/_apis/wit/workitems/217/updates')
    const [save, link] = json.value.slice(-2)
    expect(save).toMatchObject({
      workItemId: 217,
      rev: before.rev + 1,
      revisedBy: { displayName: 'Hannah Okafor' },
      fields: {
        'System.Title': { oldValue: before.fields['System.Title'], newValue: 'Report' },
        'System.Rev': { oldValue: before.rev, newValue: before.rev + 1 },
      },
    })
    expect(save.fields).not.toHaveProperty('System.State')
    expect(link).toMatchObject({
      id: save.id + 1,
      rev: before.rev + 1,
      relations: {
        added: [{ rel: 'System.LinkTypes.Dependency-Reverse', url: `${tracker.url}/_apis/wit/workItems/219` }],
      },
    })
    expect(link).not.toHaveProperty('fields')
  })
})

describe('comments', () => {
  it('have the revision in which they were written, the newest first', async () => {
    const tracker = await sandbox()
    const { json } = await tracker.get('/Harbor/_apis/wit/workitems/101/comments')
    expect(json).toMatchObject({ totalCount: 2, count: 2 })
    expect(json.comments[0].text).toContain('@Hannah Okafor')
    expect(json.comments[0].createdBy.displayName).toBe('Priya Nair')
    const said = await tracker.patch('/_apis/wit/workitems/101', [setField('System.History', 'Go')])
    expect(said.json.fields['System.History']).toBe('Go')
    const after = await tracker.get('/Harbor/_apis/wit/workitems/101/comments?$top=1')
    expect(after.json).toMatchObject({ totalCount: 3, count: 1, comments: [{ text: 'Go' }] })
    const next = await tracker.patch('/_apis/wit/workitems/101', [setField('System.Title', 'T')])
    expect(next.json.fields).not.toHaveProperty('System.History')
  })
})
