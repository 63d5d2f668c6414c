import { describe, expect, it } from 'vitest'
import { sandbox, setField, temporaryFile } from './harness'

const item = (id: number) => `/Harbor/_apis/wit/workitems/${id}`

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

  it('requires its content type', async () => {
    const reply = await (await sandbox()).send('PATCH', item(204), {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify([setField('System.Title', 'x')]),
    })
    expect([reply.status, reply.json.typeKey]).toEqual([415, 'VssRequestContentTypeNotSupportedException'])
  })

  it('can test a field', async () => {
    const tracker = await sandbox()
    expect((await tracker.patch(item(204), [setField('System.State', 'New', 'test')])).status).toBe(412)
    expect((await tracker.patch(item(204), [setField('System.State', 'Active', 'test')])).status).toBe(200)
  })

  it('can convert a long text to Markdown', async () => {
    const { json } = await (await sandbox()).patch(item(205), [
      setField('System.Description', '# Photos'),
      { op: 'add', path: '/multilineFieldsFormat/System.Description', value: 'markdown' },
    ])
    expect(json.multilineFieldsFormat).toEqual({ 'System.Description': 'Markdown' })
  })

  it('updates links to the tracker in texts in later runs', async () => {
    const file = temporaryFile()
    const first = await sandbox({ file })
    const text = (url: string) => `<a href="${url}/Harbor/_workitems/edit/101">101</a>`
    const { json } = await first.patch(item(205), [setField('System.Description', text(first.url))])
    expect(json.fields['System.Description']).toBe(text(first.url))
    const second = await sandbox({ file })
    expect((await second.get(item(205))).json.fields['System.Description']).toBe(text(second.url))
  })
})
