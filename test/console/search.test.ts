import { expect, it } from 'vitest'
import { loadOperation } from '../../src/catalog'
import { startingPlaces } from '../../src/console/find/destinations'
import { load } from '../docks/dock-fixtures'
import { openFacility, servedConsole } from './console-fixtures'

/** The links of a page below its header, with their texts. */
function linksOf(text: string): string[] {
  const found = text.slice(text.indexOf('id="found"'))
  return [...found.matchAll(/<a href="([^"]+)">([^<]*)<\/a>/g)].map(([, path, title]) => `${title} -> ${path}`)
}

it('finds an appointment by its reference, an item by its words, and a page or an operation by its name', async () => {
  const service = await servedConsole()
  const { date } = await openFacility(service)
  await service.run('features.import', { featureId: 101 })
  const { data } = await service.run('appointments.book', load({ targetDate: date, referenceNumber: 'PO-77' }))
  const cookie = await service.signIn(await service.key(), await service.signIn(await service.token(['admin'])))
  const find = async (q: string) =>
    linksOf((await service.open(`/console/search?q=${encodeURIComponent(q)}`, cookie)).text)
  expect(await find('PO-77')).toEqual([`PO-77 -> /console/appointments/${data.id}`])
  expect((await find('driver')).some((link) => link.endsWith('/console/work/items/204'))).toBe(true)
  expect(await find('briefing')).toContain('Briefing -> /console/reports/briefing')
  expect(await find('dc1 week')).toContain('DC1: week -> /console/docks/DC1/week')
  expect(await find('create a dock key')).toContain(
    'Create a dock key for a tenant and show it once -> /console/settings/staff',
  )
})

it('leads to nothing that the caller may not do', async () => {
  const service = await servedConsole({ local: false })
  await openFacility(service)
  const read = await service.signIn(await service.token(['read']))
  const all = linksOf((await service.open('/console/search', read)).text).join('\n')
  expect(all).toContain('/console/work')
  expect(all).not.toContain('/console/docks')
  expect(all).not.toContain('/console/settings')
  const nothing = linksOf((await service.open('/console/search')).text)
  expect(nothing).toEqual(['Home -> /console'])
})

it('says what to do when nothing was found, and shows what was typed as text', async () => {
  const { open } = await servedConsole()
  const { text } = await open(`/console/search?q=${encodeURIComponent('<img src=x>')}`)
  expect(text).toContain('Nothing was found')
  expect(text).not.toContain('<img')
})

it('begins each operation at a page that has its form', async () => {
  const service = await servedConsole()
  await openFacility(service)
  await service.run('features.import', { featureId: 101 })
  const cookie = await service.signIn(await service.key('admin'), await service.signIn(await service.token(['admin'])))
  for (const [id, path] of startingPlaces) {
    const { status, text } = await service.open(path, cookie)
    expect([id, status]).toEqual([id, 200])
    // What only reads is a page of its own, or a form that asks with GET.
    const isWrite = (await loadOperation(id)).effect !== 'read'
    // The sandbox reports nothing. The page says that no tracker is set.
    if (id === 'tracker.hooks') expect(text).toContain('No address is set')
    else if (isWrite) expect([id, text.includes(`/run/${id}"`)]).toEqual([id, true])
  }
})

it('leads from the menu to the first page of the settings that the caller may see', async () => {
  const service = await servedConsole({ local: false })
  const menuOf = async (credential: string) => {
    const { text } = await service.open('/console', await service.signIn(credential))
    return /<a href="([^"]+)"[^>]*>Settings<\/a>/.exec(text)?.[1]
  }
  expect(await menuOf(await service.key('admin'))).toBe('/console/settings/staff')
  expect(await menuOf(await service.token(['admin']))).toBe('/console/settings')
})
