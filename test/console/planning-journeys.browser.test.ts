import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { load } from '../docks/dock-fixtures'
import { findBarriers, it, visit } from './browser'
import { openFacility, servedConsole } from './console-fixtures'

async function openDocks(role: string) {
  const service = await servedConsole()
  const { date } = await openFacility(service)
  const visited = await visit()
  const { path } = await service.run('sessions.create-link', { scope: 'read', dockRole: role })
  await visited.page.goto(`${service.url}${path}`)
  await visited.page.waitForURL('**/console')
  const open = (page: string) => visited.page.goto(`${service.url}/console/docks/DC1${page}`)
  return { ...visited, visited, open, date, run: service.run, service }
}

const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
/** By its name, because the test of the forms says which label each field has. */
const field = (page: Page | Locator, name: string) => page.locator(`[name="${name}"]`)
const tab = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Pages of DC1' }).getByRole('link', { name })

it('a clerk holds a slot and books it, and puts a load on the waitlist', async () => {
  const { page, open, date, run, problems } = await openDocks('clerk')
  await open('/week')
  await tab(page, 'Holds').click()
  await page.locator('summary', { hasText: 'Hold a slot' }).click()
  await field(page, 'type').selectOption('delivery')
  await field(page, 'targetDate').fill(date)
  await field(page, 'startTime').fill('10:00')
  await page.getByRole('button', { name: 'Hold a slot' }).click()
  await page.getByText('The slot is held.').waitFor()
  await page.getByRole('link', { name: /^Book / }).click()
  await field(page.locator('#book'), 'carrierName').fill('Acme')
  await field(page.locator('#book'), 'referenceNumber').fill('PO-7')
  await page.locator('#book').getByRole('button', { name: 'Book' }).click()
  await page.getByText('The held slot was booked.').waitFor()
  expect(await run('appointments.find', { referenceNumber: 'PO-7' })).toMatchObject([{ carrierName: 'Acme' }])
  await tab(page, 'Waitlist').click()
  await page.locator('summary', { hasText: 'Add to the waitlist' }).click()
  await field(page, 'type').selectOption('delivery')
  await field(page, 'carrierName').fill('Acme')
  await field(page, 'referenceNumber').fill('PO-8')
  await field(page, 'targetDate').fill(date)
  await page.getByRole('button', { name: 'Add to the waitlist' }).click()
  await page.getByText('The load is on the waitlist.').waitFor()
  await page.getByRole('button', { name: 'Accept the offer for PO-8' }).click()
  await page.getByText('The offered slot was booked.').waitFor()
  expect(problems).toEqual([])
})

it('a clerk creates a series, and gives a date without a slot another one from where it waits', async () => {
  const { page, open, date, run, problems } = await openDocks('clerk')
  await run('facilities.block', { id: 'DC1', from: `${date}T09:00`, to: `${date}T10:00` })
  await open('/series')
  await page.locator('summary', { hasText: 'Create a series' }).click()
  await field(page, 'type').selectOption('delivery')
  await field(page, 'carrierName').fill('Acme')
  await field(page, 'referencePrefix').fill('ACME')
  await field(page, 'firstDate').fill(date)
  await page.getByLabel(weekdays[new Date(`${date}T00:00:00Z`).getUTCDay()]!, { exact: true }).check()
  await field(page, 'startTime').fill('09:00')
  await field(page, 'lastDate').fill(date)
  await page.getByRole('button', { name: 'Create a series' }).click()
  await page.getByText('The series was created.').waitFor()
  await tab(page, 'Attention').click()
  await page.getByRole('link', { name: `DC1 Acme on ${date}` }).click()
  await field(page.locator('#date'), 'startTime').fill('14:00')
  await page.locator('#date').getByRole('button', { name: 'Move', exact: true }).click()
  await page.getByText('The date has a slot.').waitFor()
  await tab(page, 'Attention').click()
  await page.getByText('Nothing waits for a person.').waitFor()
  expect(problems).toEqual([])
})

it('a manager clears a day as the plan says, and reads the report', async () => {
  const { page, visited, open, date, run, problems } = await openDocks('manager')
  const { data } = await run('appointments.book', load({ targetDate: date, startTime: '08:00' }))
  await open(`/appointments?startDate=${date}`)
  await page.locator('summary', { hasText: 'More' }).click()
  await page.getByRole('link', { name: 'Clear a day' }).click()
  await page.getByLabel('Date', { exact: true }).fill(date)
  await page.getByRole('button', { name: 'Preview' }).click()
  await page.getByText('1 would be moved').waitFor()
  expect(await run('appointments.get', { id: data.id })).toMatchObject({ startTime: data.startTime })
  expect(await findBarriers(visited)).toEqual([])
  await page.getByRole('button', { name: 'Move or cancel 1' }).click()
  await page.getByText('1 moved, 0 cancelled').waitFor()
  expect((await run('appointments.get', { id: data.id })).startTime).not.toBe(data.startTime)
  await tab(page, 'Report').click()
  await page.getByRole('heading', { name: 'DC1 North: report' }).waitFor()
  await page.getByLabel('To').fill(new Date(Date.parse(date) + 7 * 86_400_000).toISOString().slice(0, 10))
  await page.getByRole('button', { name: 'Show' }).click()
  await page.getByRole('img', { name: /^Use of the doors by day/ }).waitFor()
  expect(await findBarriers(visited)).toEqual([])
  expect(problems).toEqual([])
})

it('a viewer sees no form of these pages', async () => {
  const { page, open } = await openDocks('viewer')
  for (const name of ['/attention', '/appointments', '/holds', '/series', '/waitlist', '/report', '/yard']) {
    await open(name)
    expect([name, await page.locator('main form[method=post]').count()]).toEqual([name, 0])
  }
  expect(await tab(page, 'Settings').count()).toBe(0)
})
