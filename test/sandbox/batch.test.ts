import { describe, expect, it } from 'vitest'
import { failBatchAtomically } from './fault-presets'
import { sandbox, setField, testRev } from './harness'

const contentType = { 'Content-Type': 'application/json-patch+json' }

function part(id: number, ...steps: unknown[]) {
  return { method: 'PATCH', uri: `/_apis/wit/workitems/${id}?api-version=7.1`, headers: contentType, body: steps }
}

const title = (text: string) => setField('System.Title', text)
const bulk = '/_apis/wit/$batch'

describe('a batch of changes', () => {
  it('returns a status for each in order, with the body as JSON text', async () => {
    const tracker = await sandbox()
    const { status, json } = await tracker.patch(bulk, [
      part(361, title('One')),
      part(9999, title('Two')),
      part(362, testRev(99), title('Three')),
      part(353, title('Four')),
    ])
    expect(status).toBe(200)
    expect(json.count).toBe(4)
    expect(json.value.map((entry: any) => entry.code)).toEqual([200, 404, 412, 200])
    expect(json.value.every((entry: any) => typeof entry.body === 'string')).toBe(true)
    expect(JSON.parse(json.value[0].body)).toMatchObject({ id: 361, fields: { 'System.Title': 'One' } })
    expect(JSON.parse(json.value[2].body).value.Message).toContain('VS403351')
  })

  it('applies valid changes even if others fail', async () => {
    const tracker = await sandbox()
    await tracker.patch(bulk, [part(9999, title('x')), part(361, title('Changed'))])
    expect((await tracker.get('/_apis/wit/workitems/361')).json.fields['System.Title']).toBe('Changed')
  })

  it('creates items with a relative or a complete address', async () => {
    const tracker = await sandbox()
    const { json } = await tracker.patch(bulk, [
      {
        ...part(0, { op: 'add', path: '/id', value: -1 }, title('A')),
        uri: '/Harbor/_apis/wit/workitems/$Task?api-version=7.1',
      },
      { ...part(0, title('B')), uri: `${tracker.url}/Harbor/_apis/wit/workitems/$Bug?api-version=7.1` },
    ])
    expect(json.value.map((entry: any) => JSON.parse(entry.body).id)).toEqual([509, 510])
  })

  it('accepts only changes of items, up to 200', async () => {
    const tracker = await sandbox()
    const odd = await tracker.patch(bulk, [
      { method: 'GET', uri: '/_apis/wit/workitems/101', headers: {} },
      { ...part(1), uri: bulk },
    ])
    expect(odd.json.value.map((entry: any) => entry.code)).toEqual([400, 400])
    const tooMany = await tracker.patch(
      bulk,
      Array.from({ length: 201 }, () => part(361, title('x'))),
    )
    expect([tooMany.status, tooMany.json.message]).toEqual([400, expect.stringContaining('VS403474')])
  })
})

describe('an atomic batch', () => {
  it('applies nothing if one part is rejected: that part has 400, the others have 500', async () => {
    const tracker = await sandbox({ faults: [{ path: /\$batch/, fault: failBatchAtomically() }] })
    const before = (await tracker.get('/_apis/wit/workitems/361')).json
    const { status, json } = await tracker.patch(bulk, [
      part(361, title('Undone')),
      part(362, testRev(99), title('x')),
      { ...part(0, title('New')), uri: '/Harbor/_apis/wit/workitems/$Task?api-version=7.1' },
    ])
    expect(status).toBe(200)
    expect(json.value.map((entry: any) => entry.code)).toEqual([500, 400, 500])
    expect(json.value[0].body).toContain('TF401321: Whole Bulk failed.')
    expect((await tracker.get('/_apis/wit/workitems/361')).json).toEqual(before)
    expect((await tracker.get('/_apis/wit/workitems/509')).status).toBe(404)
  })

  it('applies everything if nothing is rejected', async () => {
    const tracker = await sandbox({ faults: [{ path: /\$batch/, fault: failBatchAtomically() }] })
    const { json } = await tracker.patch(bulk, [part(361, title('A')), part(362, title('B'))])
    expect(json.value.map((entry: any) => entry.code)).toEqual([200, 200])
    expect((await tracker.get('/_apis/wit/workitems/362')).json.fields['System.Title']).toBe('B')
  })
})
