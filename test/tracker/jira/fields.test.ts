import { describe, expect, it } from 'vitest'
import type { ItemChange, NewItem, Tracker } from '../../../src/tracker'
import { never } from '../azure-devops/fixtures'
import { DEPLOYMENTS, openJira } from './fixtures'

const REASON = 'customfield_10201'
const PLACE = 'customfield_10202'
const NOTES = 'customfield_10203'
const OWNERS = 'customfield_10204'
const SKILLS = 'customfield_10205'
const COST = 'customfield_10206'
const OTHER = 'customfield_10207'

const further = [
  { id: 'components', name: 'Components', type: 'array', items: 'component', allowed: ['Gate', 'Yard'] },
  { id: 'versions', name: 'Affects versions', type: 'array', items: 'version', allowed: ['1.0'] },
  { id: 'duedate', name: 'Due date', type: 'date' },
  { id: REASON, name: 'Reason', type: 'option', allowed: ['New', 'Broken'] },
  { id: PLACE, name: 'Place', type: 'option-with-child', allowed: ['North', 'South'], below: { North: ['N1', 'N2'] } },
  { id: NOTES, name: 'Notes', type: 'string', custom: 'textarea' },
  { id: OWNERS, name: 'Owners', type: 'array', items: 'user' },
  { id: SKILLS, name: 'Skills', type: 'array', items: 'string' },
  { id: COST, name: 'Cost', type: 'number' },
  { id: OTHER, name: 'Rank', type: 'any' },
]
const values = {
  components: 'Gate; Yard',
  versions: '1.0',
  duedate: '2026-12-24',
  [REASON]: 'Broken',
  [PLACE]: 'North > N2',
  [NOTES]: 'At the **gate**.',
  [OWNERS]: 'Ines Ortega; Robin Vale',
  [SKILLS]: 'rail; road',
  [COST]: 12.5,
}

async function update(tracker: Tracker, change: Partial<ItemChange>) {
  const { rev } = await tracker.getItem(201, never)
  return (await tracker.updateItems([{ id: 201, rev, fields: {}, ...change }], { signal: never }))[0]!
}

describe.each(DEPLOYMENTS)('fields of the tracker on %s', (deployment) => {
  const issues = [{ id: 201, type: 'Story', labels: ['Gate', 'night'] }]
  const open = (fields = further, more = {}) => openJira({ deployment, issues, fields: { further: fields }, ...more })
  const newItem = (fields: NewItem['fields']): NewItem => ({
    type: 'Story',
    parentId: null,
    fields: { summary: 'Lamp', ...fields },
    marker: 'm1',
    startedAt: Date.now(),
  })

  it('are read as people write them, and written in the forms of Jira', async () => {
    const { tracker } = await open()
    expect(await update(tracker, { fields: values })).toMatchObject({ status: 'applied', item: { fields: values } })
    const created = await tracker.createItem(newItem(values), { signal: never })
    expect(created).toMatchObject({ status: 'created', item: { fields: values } })
    const cleared = Object.fromEntries(Object.keys(values).map((name) => [name, null]))
    const after = (await update(tracker, { fields: cleared })) as { item: { fields: object } }
    for (const name of Object.keys(values)) expect(after.item.fields).not.toHaveProperty(name)
  })

  it('have display names and kinds, and values to choose from', async () => {
    const { tracker } = await open()
    const { fields } = await tracker.describeProcess(never, [])
    const kindOf = (name: string) => fields.find((field) => field.name === name)?.kind
    expect(['Components', 'Due date', 'Reason', 'Place', 'Notes', 'Owners', 'Cost', 'Rank'].map(kindOf)).toEqual([
      'list',
      'date',
      'string',
      'string',
      'text',
      'list',
      'number',
      undefined,
    ])
    expect(await tracker.listAllowedValues('Story', PLACE, never)).toEqual([
      'North',
      'North > N1',
      'North > N2',
      'South',
    ])
    expect(await tracker.listAllowedValues('Story', 'components', never)).toEqual(['Gate', 'Yard'])
    expect(await tracker.listAllowedValues('Story', COST, never)).toBeNull()
  })

  it('are refused if no value can be made of a text', async () => {
    const { tracker } = await open()
    const wrong = { [COST]: 'much', [OWNERS]: 'Nobody' }
    expect(await update(tracker, { fields: wrong })).toMatchObject({
      status: 'rejected',
      message: 'Cost takes a number, and "much" is none. Jira has no account "Nobody".',
    })
  })

  it('that a new issue must have are named before it is sent', async () => {
    const fields = further.map((field) => (field.id === REASON ? { ...field, required: true } : field))
    const { tracker, requests } = await open(fields)
    const rejected = {
      status: 'rejected',
      message: 'Jira requires values for a Story: Reason.',
      fields: [{ referenceName: REASON }],
    }
    expect(await tracker.createItem(newItem({}), { signal: never, validateOnly: true })).toMatchObject(rejected)
    expect(await tracker.createItem(newItem({}), { signal: never })).toMatchObject(rejected)
    expect(requests.filter(({ method, path }) => method === 'POST' && path.endsWith('/issue'))).toEqual([])
    const { types } = await tracker.describeProcess(never, ['categories'])
    expect(types.find(({ name }) => name === 'Story')!.requiredFields.sort()).toEqual([REASON, 'summary'])
  })

  it('that a transition requires are sent with it', async () => {
    const workflow = [{ from: 'To Do', to: 'Done', name: 'Close', requires: [REASON] }]
    const { tracker, site, requests } = await open(further, { workflow })
    expect(await tracker.parts.transitions!.list(201, never)).toEqual([
      {
        state: 'Done',
        category: 'Completed',
        name: 'Close',
        required: [{ referenceName: REASON, name: 'Reason', allowedValues: ['New', 'Broken'] }],
      },
    ])
    expect(await update(tracker, { fields: { status: 'Done' } })).toMatchObject({
      status: 'rejected',
      message: 'The transition "Close" of HAR-201 requires Reason (New, Broken). Set it together with the state.',
    })
    const fields = { status: 'Done', [REASON]: 'Broken', summary: 'Scan' }
    expect(await update(tracker, { fields })).toMatchObject({
      status: 'applied',
      item: { state: 'Done', title: 'Scan' },
    })
    expect(site.find(201)!.extra[REASON]).toEqual({ value: 'Broken' })
    expect(requests.filter(({ method }) => method === 'PUT')).toMatchObject([{ body: { fields: { summary: 'Scan' } } }])
  })

  it('such as labels are added and removed one by one, whatever their case', async () => {
    const { tracker, site, requests } = await open()
    const tags = { add: ['ready', 'NIGHT'], remove: ['gate', 'blocked'] }
    expect(await update(tracker, { tags })).toMatchObject({ status: 'applied', item: { tags: ['night', 'ready'] } })
    expect(site.find(201)!.labels).toEqual(['night', 'ready'])
    const [sent] = requests.filter(({ method }) => method === 'PUT')
    expect(sent!.body).toEqual({ update: { labels: [{ remove: 'Gate' }, { add: 'ready' }] } })
    expect(await update(tracker, { tags: { add: ['two words'], remove: [] } })).toMatchObject({ status: 'rejected' })
  })
})
