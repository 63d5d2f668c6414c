import { describe, expect, it } from 'vitest'
import { listOf, never, openStubbed, types, wireItem } from './fixtures'

const signal = never
const person = { displayName: 'Ana Ruiz', uniqueName: 'ana@shop.example' }

const CUSTOM = [
  { referenceName: 'Custom.Customer', name: 'Customer', type: 'string', isPicklist: true },
  { referenceName: 'Custom.Rooms', name: 'Rooms', type: 'picklistInteger' },
  { referenceName: 'Custom.GoLive', name: 'Go live', type: 'dateTime' },
  { referenceName: 'Custom.Audited', name: 'Audited?', type: 'boolean' },
  { referenceName: 'Custom.Reviewer', name: 'Reviewer', type: 'string', isIdentity: true },
]

const values = {
  'Custom.Customer': 'Alpha GmbH',
  'Custom.Rooms': 3,
  'Custom.GoLive': '2026-01-05T00:00:00Z',
  'Custom.Audited': false,
  'Custom.Reviewer': person,
}

/** A process with custom fields, of which a story requires the customer. */
async function openWithCustomFields() {
  const stored: Record<string, unknown> = { ...values }
  const opened = await openStubbed(({ method, path, body }) => {
    if (path.endsWith('/_apis/wit/fields')) return { json: listOf(CUSTOM) }
    if (path.endsWith('/fields/Custom.Customer')) return { json: { allowedValues: ['Alpha GmbH', 'Beta Ltd'] } }
    if (path.endsWith('/_apis/wit/workitemtypes')) {
      const fields = CUSTOM.map(({ referenceName, name }) => ({
        ...{ referenceName, name, alwaysRequired: referenceName === 'Custom.Customer' },
        ...(referenceName === 'Custom.Rooms' && { alwaysRequired: true, defaultValue: '1' }),
      }))
      const story = types.value[1] as { fields: unknown[] }
      return { json: listOf([{ ...story, fields: [...story.fields, ...fields] }]) }
    }
    if (path !== '/_apis/wit/workitems/7') return null
    if (method === 'PATCH')
      for (const { op, path, value } of body.slice(1)) {
        const name = path.slice('/fields/'.length)
        if (op === 'remove') delete stored[name]
        else stored[name] = name === 'Custom.Reviewer' ? person : value
      }
    return { json: wireItem({ id: 7, rev: method === 'PATCH' ? 2 : 1, fields: stored, relations: [] }) }
  })
  return { ...opened, stored }
}

describe('custom fields', () => {
  it('have the names that people know, and a kind', async () => {
    const { tracker } = await openWithCustomFields()
    const { fields, types } = await tracker.describeProcess(signal, [])
    expect(fields.map(({ referenceName, name, kind, property }) => [referenceName, name, kind, property])).toEqual([
      ['Custom.Customer', 'Customer', 'string', null],
      ['Custom.Rooms', 'Rooms', 'integer', null],
      ['Custom.GoLive', 'Go live', 'date', null],
      ['Custom.Audited', 'Audited?', 'boolean', null],
      ['Custom.Reviewer', 'Reviewer', 'identity', null],
    ])
    expect(types[0]!.requiredFields).toEqual(['Custom.Customer'])
    expect(await tracker.listAllowedValues('User Story', 'Custom.Customer', signal)).toEqual(['Alpha GmbH', 'Beta Ltd'])
  })

  it('are read with the item and written with their own types', async () => {
    const { tracker, stored, requests } = await openWithCustomFields()
    expect((await tracker.getItem(7, signal)).fields).toMatchObject(values)
    const fields = {
      'Custom.Customer': 'Beta Ltd',
      'Custom.Rooms': null,
      'Custom.GoLive': '2026-02-01T00:00:00.000Z',
      'Custom.Audited': true,
      'Custom.Reviewer': 'Ana Ruiz <ana@shop.example>',
    }
    const outcomes = await tracker.updateItems([{ id: 7, rev: 1, fields }], { signal })
    expect(outcomes).toMatchObject([{ status: 'applied' }])
    expect(stored).toMatchObject({ 'Custom.Customer': 'Beta Ltd', 'Custom.Audited': true, 'Custom.Reviewer': person })
    expect(stored).not.toHaveProperty('Custom.Rooms')
    expect(requests.find(({ method }) => method === 'PATCH')!.body).toContainEqual({
      op: 'remove',
      path: '/fields/Custom.Rooms',
    })
  })
})
