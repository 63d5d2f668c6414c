import { describe, expect, it } from 'vitest'
import type { ItemLink, LinkChanges, TagChanges } from '../../../src/tracker'
import { createPatch } from '../../../src/tracker/azure-devops/update-requests'
import { link, wireItem } from './fixtures'

const base = 'https://tracker.example/works'
const unread = { present: null, base }

const operationFor = (name: string, value: string | number | boolean | null) =>
  createPatch({ id: 7, rev: 3, fields: { [name]: value } }, unread)[1]

describe('the patch of a change', () => {
  it('tests the revision first', () => {
    expect(createPatch({ id: 7, rev: 3, fields: { 'System.State': 'Closed', 'Shop.Size': 5 } }, unread)).toEqual([
      { op: 'test', path: '/rev', value: 3 },
      { op: 'add', path: '/fields/System.State', value: 'Closed' },
      { op: 'add', path: '/fields/Shop.Size', value: 5 },
    ])
  })

  it('replaces tags, because adding would merge them', () => {
    expect(operationFor('System.Tags', 'a; b')).toEqual({ op: 'replace', path: '/fields/System.Tags', value: 'a; b' })
  })

  it('clears a field by removing it without a value', () => {
    expect(operationFor('System.AssignedTo', null)).toEqual({ op: 'remove', path: '/fields/System.AssignedTo' })
    expect(operationFor('System.Tags', null)).toEqual({ op: 'remove', path: '/fields/System.Tags' })
  })

  it('contains values that are false, 0 or empty', () => {
    expect(operationFor('Shop.Size', 0)).toMatchObject({ op: 'add', value: 0 })
    expect(operationFor('Shop.Flag', false)).toMatchObject({ op: 'add', value: false })
    expect(operationFor('Shop.Note', '')).toMatchObject({ op: 'add', value: '' })
  })

  it.each([
    ['Ana Ruiz <ana@shop.example>', 'ana@shop.example'],
    ['ana@shop.example', 'ana@shop.example'],
    ['Ana Ruiz', 'Ana Ruiz'],
  ])('assigns %j by the account if there is one: %j', (value, sent) => {
    expect(operationFor('System.AssignedTo', value)).toEqual({
      op: 'add',
      path: '/fields/System.AssignedTo',
      value: sent,
    })
  })

  it('escapes names for JSON pointers', () => {
    expect(operationFor('Odd/Name~', 1)!.path).toBe('/fields/Odd~1Name~0')
  })
})

describe('the patch of a change of tags', () => {
  const patch = (tags: TagChanges, present = 'gate; Lamp') => {
    const item = wireItem({ id: 7, rev: 3, fields: { 'System.Tags': present } })
    return createPatch({ id: 7, rev: 3, fields: {}, tags }, { present: item, base }).slice(1)
  }

  it('merges those to add with the others', () => {
    expect(patch({ add: ['ready', 'Gate'], remove: ['blocked'] })).toEqual([
      { op: 'add', path: '/fields/System.Tags', value: 'ready' },
    ])
  })

  it('sends those that remain after a removal, in any case of letters', () => {
    expect(patch({ add: ['ready'], remove: ['lamp'] })).toEqual([
      { op: 'replace', path: '/fields/System.Tags', value: 'gate; ready' },
    ])
  })

  it('clears the field if none remains', () => {
    expect(patch({ add: [], remove: ['gate', 'lamp'] })).toEqual([{ op: 'remove', path: '/fields/System.Tags' }])
  })

  it('leaves out what is as requested', () => {
    expect(patch({ add: ['gate'], remove: ['blocked'] })).toEqual([])
  })
})

describe('the patch of a change of links', () => {
  const relations = [link('Related', 2), link('Hierarchy-Reverse', 3), link('Dependency-Reverse', 8)]
  const patch = (links: LinkChanges) =>
    createPatch({ id: 7, rev: 3, fields: {}, links }, { present: wireItem({ id: 7, rev: 3, relations }), base })

  it('replaces the parent in one step: first the old one goes', () => {
    expect(patch({ add: [{ kind: 'parent', id: 4 }], remove: [{ kind: 'parent', id: 3 }] })).toEqual([
      { op: 'test', path: '/rev', value: 3 },
      { op: 'remove', path: '/relations/1' },
      {
        op: 'add',
        path: '/relations/-',
        value: { rel: 'System.LinkTypes.Hierarchy-Reverse', url: `${base}/_apis/wit/workItems/4` },
      },
    ])
  })

  it('removes from the end, because each removal moves the relations after it', () => {
    const remove: ItemLink[] = [
      { kind: 'related', id: 2 },
      { kind: 'predecessor', id: 8 },
    ]
    expect(patch({ add: [], remove }).slice(1)).toEqual([
      { op: 'remove', path: '/relations/2' },
      { op: 'remove', path: '/relations/0' },
    ])
  })

  it('leaves out what is as requested', () => {
    const links: LinkChanges = { add: [{ kind: 'related', id: 2 }], remove: [{ kind: 'successor', id: 8 }] }
    expect(patch(links)).toEqual([{ op: 'test', path: '/rev', value: 3 }])
  })
})
