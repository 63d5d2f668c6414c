import { describe, expect, it } from 'vitest'
import { type ConsoleServed, servedConsole } from '../console-fixtures'

const ROWS = 230

/** Items of a file: features with 22 items each, of three states and two types. */
async function withFile(service: ConsoleServed, count = ROWS): Promise<void> {
  const items = Array.from({ length: count }, (_, at) => ({
    id: 1000 + at,
    rev: 1,
    type: at % 23 === 0 ? 'Feature' : at % 2 === 0 ? 'Bug' : 'Task',
    title: `Item ${at} ${at % 10 === 0 ? 'conveyor' : 'gate'}`,
    state: ['New', 'Active', 'Closed'][at % 3],
    tags: at % 5 === 0 ? ['yard, east'] : [],
    storyPoints: at % 7,
    parentId: at % 23 === 0 ? null : 1000 + at - (at % 23),
    url: 'https://tracker.example.com/1',
    changedAt: '2026-11-01T00:00:00.000Z',
  }))
  const { added } = await service.run('items.import-file', { text: JSON.stringify(items), name: 'items.json' })
  expect(added).toBe(count)
}

const titles = (text: string) => [...text.matchAll(/<a class="title"[^>]*>([^<]*)</g)].map(([, title]) => title)

/** The count beside a value of a filter. */
function countOf(text: string, value: string): number {
  const [, count] = new RegExp(`<span class="value">${value}</span> <span class="count">(\\d+)</span>`).exec(text)!
  return Number(count)
}

describe('the list of items', () => {
  it('has a page for every hundred, in the order of any column', async () => {
    const service = await servedConsole()
    await withFile(service)
    const open = async (query: string) => titles((await service.open(`/console/work?view=list${query}`)).text)
    const pages = [await open(''), await open('&page=2'), await open('&page=3')]
    expect(pages.map((page) => page.length)).toEqual([100, 100, 30])
    expect(new Set(pages.flat()).size).toBe(ROWS)
    expect((await open('&sort=-reference'))[0]).toMatch(/^Item 229 /)
  })

  it('counts for each value what choosing it would show, and shows that', async () => {
    const service = await servedConsole()
    await withFile(service)
    const path = '/console/work?view=list&f=state:Active'
    const { text } = await service.open(path)
    // The other states can still be chosen, with what they would add.
    expect(countOf(text, 'New')).toBeGreaterThan(0)
    const bugs = countOf(text, 'Bug')
    const { text: narrowed } = await service.open(`${path}&f=type:Bug`)
    expect(narrowed).toContain(`<p role="status">${bugs} items of ${ROWS}.`)
  })

  it('filters by a value with a comma, which is a separator elsewhere', async () => {
    const service = await servedConsole()
    await withFile(service)
    const { text } = await service.open('/console/work?view=list&f=tag:yard,%20east')
    expect(titles(text)).toHaveLength(46)
  })

  it('sorts by a column once, however often an address names it', async () => {
    const service = await servedConsole()
    await withFile(service)
    const open = async (sort: string) => titles((await service.open(`/console/work?view=list&sort=${sort}`)).text)
    expect(await open(`points,${'-points,'.repeat(1_500)}-reference`)).toEqual(await open('points,-reference'))
  })

  it('refuses more filters than any reader chooses, since each link of the page has them all', async () => {
    const service = await servedConsole()
    await withFile(service)
    for (const filter of ['f=tag:a&', 'is=open&']) {
      const { status, text } = await service.open(`/console/work?view=list&${filter.repeat(51)}`)
      expect([status, text]).toEqual([400, expect.stringContaining('The page takes at most 50 filters.')])
    }
  })

  it('finds all that a search finds, not the best alone', async () => {
    const service = await servedConsole()
    await withFile(service)
    const { text } = await service.open('/console/work?q=gate')
    expect(text).toMatch(/Page 1 of 3, 207 items/)
  })
})

it('of many tags and many children, a page shows the first', async () => {
  const service = await servedConsole()
  const items = Array.from({ length: 251 }, (_, at) => ({
    ...{ id: 1000 + at, rev: 1, type: 'Task', title: `Item ${at}`, state: 'New', tags: [`own ${at}`, `other ${at}`] },
    ...{
      parentId: at === 0 ? null : 1000,
      url: 'https://tracker.example.com/1',
      changedAt: '2026-11-01T00:00:00.000Z',
    },
  }))
  await service.run('items.import-file', { text: JSON.stringify(items), name: 'items.json' })
  const { text: list } = await service.open('/console/work?view=list')
  expect(list.match(/<a href="[^"]*f=tag%3A/g)).toHaveLength(100)
  expect(list).toContain('And 402 that are rarer: search for them.')
  const { text: item } = await service.open('/console/work/items/1000')
  expect(item.match(/Remove the link to \d+\?/g)).toHaveLength(200)
  expect(item).toContain('<a href="/console/work?feature=1000">And 50 more, in the tree</a>')
})

describe('the tree of items', () => {
  it('is closed where it is long, and a link opens each branch without a script', async () => {
    const service = await servedConsole()
    await withFile(service)
    const { text } = await service.open('/console/work')
    expect(titles(text)).toHaveLength(10)
    const [, link] = /<a class="twist" href="([^"]*)"/.exec(text)!
    expect(titles((await service.open(`/console/work${link}`)).text)).toHaveLength(23)
  })

  it('shows those that pass the filters below their features', async () => {
    const service = await servedConsole()
    await withFile(service, 40)
    const { text } = await service.open('/console/work?f=type:Feature')
    expect(titles(text)).toEqual(['Item 0 conveyor', 'Item 23 gate'])
    const below = (await service.open('/console/work?f=tag:yard,%20east')).text
    expect(below).toMatch(/class="off"[\s\S]*Item 23 gate/)
  })
})

describe('a change of items', () => {
  it('is not sent where somebody else has changed the same since the form was drawn', async () => {
    const service = await servedConsole()
    await service.run('features.import', { featureId: 101 })
    await service.run('items.batch-update', { itemIds: [204], updates: { Points: 13 } })
    const { status, body } = await service.send('/console/run/items.batch-update', {
      itemIds: '204',
      'drawn.updates.Points[value]': '8',
      'updates.Points[value]': '5',
      'drawn.updates.Priority[value]': '1',
      'updates.Priority[value]': '1',
    })
    expect([status, (await service.run('items.get', { id: 204, cached: true })).storyPoints]).toEqual([status, 13])
    expect(JSON.stringify(body)).toContain('13')
  })

  it('clears the field that a form for several items names, and leaves what it leaves empty', async () => {
    const service = await servedConsole()
    await service.run('features.import', { featureId: 101 })
    const form = { itemIds: '311 312', 'updates.State': '', 'updates.Priority': '3', 'fields.Assignee[value]': '' }
    const plan = await service.send('/console/run/items.batch-update', { ...form, dryRun: 'true' })
    const [, planId] = /name="planId" value="(\w+)"/.exec(plan.body.html)!
    const before = await service.run('items.get', { id: 311, cached: true })
    await service.send('/console/run/items.batch-update', { ...form, planId })
    const { state, priority, assignedTo } = await service.run('items.get', { id: 311, cached: true })
    expect([state, priority, assignedTo]).toEqual([before.state, 3, null])
  })

  it('is not made by a plan that is no longer true: the new one is shown', async () => {
    const service = await servedConsole()
    await service.run('features.import', { featureId: 101 })
    const form = { itemIds: '311 312', 'updates.Priority': '3' }
    const { planId } = await service.run('items.batch-update', {
      itemIds: [311, 312],
      updates: { Priority: 3 },
      dryRun: true,
    })
    await service.run('items.batch-update', { itemIds: [311], updates: { Priority: 3 } })
    const { body } = await service.send('/console/run/items.batch-update', { ...form, planId })
    expect(body.html).toContain('has changed since it was shown')
    expect((await service.run('items.get', { id: 312, cached: true })).priority).not.toBe(3)
  })

  it('of drafts moves all that were chosen, and names those that it could not', async () => {
    const service = await servedConsole()
    const { id: folderId } = await service.run('folders.create', { name: 'Later' })
    const { id } = await service.run('drafts.save', { title: 'Doors' })
    const { body } = await service.send('/console/run/drafts.move', { id: [String(id), '99'], folderId: `${folderId}` })
    expect(body.html).toMatch(/1 of 2 are done[\s\S]*99:/)
    expect(await service.run('drafts.get', { id })).toMatchObject({ folderId })
    expect((await service.send('/console/run/drafts.move', { folderId: `${folderId}` })).status).toBe(400)
  })
})

it('a reader sees the work, and nothing that would refuse', async () => {
  const service = await servedConsole({ local: false })
  await service.run('features.import', { featureId: 101 })
  const cookie = await service.signIn(await service.token(['read']))
  for (const path of ['/work', '/work?view=list', '/work/items/204?edit', '/work/import', '/work/saved', '/drafts']) {
    const { status, text } = await service.open(`/console${path}`, cookie)
    expect([path, status, /action="\/console\/run\/(?!items\.get)[^"]*"|id="chosen"|>Edit</.exec(text)?.[0]]).toEqual([
      path,
      200,
      undefined,
    ])
  }
})
