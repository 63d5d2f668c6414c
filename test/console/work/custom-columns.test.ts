import { expect, it } from 'vitest'
import { type ConsoleServed, servedConsole } from '../console-fixtures'

/** The sample backlog with values of a field that not every item has. */
async function withRisks(): Promise<ConsoleServed> {
  const service = await servedConsole()
  await service.run('features.import', { featureId: 101 })
  await service.run('items.batch-update', { itemIds: [204], updates: { Risk: '1 - High' } })
  await service.run('items.batch-update', { itemIds: [205], updates: { Risk: '3 - Low' } })
  return service
}

const cells = (text: string, name: string) =>
  [...text.matchAll(new RegExp(`data-column="${name}">([^<]*)<`, 'g'))].map(([, value]) => value)

const linkOf = (text: string, name: string) =>
  new RegExp(`href="([^"]*)"[^>]*>(?:✓ )?${name}<`).exec(text)?.[1]?.replaceAll('&amp;', '&')

it('shows a field of the tracker as a column, and sorts by it with the items without a value last', async () => {
  const service = await withRisks()
  const open = async (sort: string) =>
    cells((await service.open(`/console/work?view=list&columns=state,Risk&sort=${sort}`)).text, 'Risk')
  const rising = await open('Risk')
  expect(rising.slice(0, 3)).toEqual(['1 - High', '3 - Low', ''])
  expect((await open('-Risk')).slice(0, 3)).toEqual(['3 - Low', '1 - High', ''])
  expect(rising.length).toBeGreaterThan(3)
})

it('lists the fields of the tracker as links, which add a column and remove it', async () => {
  const service = await withRisks()
  const { text: list } = await service.open('/console/work?view=list')
  expect(list).not.toContain('id="fields"')
  const panel = linkOf(list, 'Fields of the tracker…')!
  const { text: opened } = await service.open(`/console/work${panel.split('#')[0]}`)
  const { text: shown } = await service.open(`/console/work${linkOf(opened, 'Risk')}`)
  expect(shown).toMatch(/<th scope="col"><a href="[^"]*sort=Risk[^"]*">Risk</)
  expect(cells(shown, 'Risk')).toContain('1 - High')
  const { text: removed } = await service.open(`/console/work${linkOf(shown, 'Risk')}`)
  expect(cells(removed, 'Risk')).toEqual([])
  expect(removed).toContain('data-column="state"')
  // The columns of every list have the menu.
  expect(linkOf(removed, 'state')).toBeUndefined()
})

it('shows the other columns where a name is of no field, and says so', async () => {
  const service = await withRisks()
  const { status, text } = await service.open('/console/work?view=list&columns=Rsik,Risk&sort=Rsik')
  expect(status).toBe(200)
  expect(text).toContain('is not a field of the tracker; did you mean')
  expect(cells(text, 'Risk')).toContain('3 - Low')
  expect(text).not.toContain('data-column="Rsik"')
})

it('refuses more columns than any reader chooses, because each link of the page names them all', async () => {
  const service = await withRisks()
  const names = Array.from({ length: 51 }, (_, at) => `Field ${at}`).join(',')
  const { status, text } = await service.open(`/console/work?view=list&columns=${encodeURIComponent(names)}`)
  expect([status, text]).toEqual([400, expect.stringContaining('at most 50 columns of the tracker')])
})

it('escapes names and values, and finds no built-in property in place of a field', async () => {
  const service = await withRisks()
  for (const name of ['<b>x</b>', '__proto__', 'constructor', 'toString']) {
    const { status, text } = await service.open(
      `/console/work?view=list&columns=state,${encodeURIComponent(name)}&sort=${encodeURIComponent(name)}`,
    )
    expect([name, status]).toEqual([name, 200])
    expect(text).toContain('is not a field of the tracker')
    expect(text).not.toContain('<b>x</b>')
  }
})

it('is stored with a view, with its order, and filled into the form that saves one', async () => {
  const service = await withRisks()
  const { text: list } = await service.open('/console/work?view=list&columns=reference,progress,Risk&sort=-Risk')
  const { text: form } = await service.open(linkOf(list, 'Save as a view')!)
  expect(form).toMatch(/name="columns"[^>]*value="reference,Risk"/)
  expect(form).toMatch(/name="sort"[^>]*value="-Risk"/)
  const sent = await service.send('/console/run/views.save', {
    name: 'Risks',
    columns: 'reference,Risk',
    sort: '-Risk',
  })
  expect(sent.status).toBe(200)
  const { text: view } = await service.open('/console/work/views/1')
  expect(cells(view, 'Risk').slice(0, 3)).toEqual(['3 - Low', '1 - High', ''])
  expect(view).toContain('aria-sort="descending"')
})

it('leaves out the fields of items that lists do not show', async () => {
  const service = await withRisks()
  await service.run('views.save', {
    name: 'All',
    columns: 'id,title,description,url,sprint,risk',
    sort: 'sprint,-category',
  })
  const { text } = await service.open('/console/work/views/1')
  expect(text).not.toContain('is not a field of the tracker')
  expect([...text.matchAll(/<th scope="col"[^>]*><a href="[^"]*">([^<]*)</g)].map(([, title]) => title)).toEqual([
    'Item',
    'Iteration ↑',
    'Risk',
  ])
})
