import { describe, expect } from 'vitest'
import { load } from '../docks/dock-fixtures'
import { findBarriers, it, type Visit, visit } from './browser'
import { type ConsoleServed, openFacility, servedConsole } from './console-fixtures'

const HOSTILE = `<img src=x onerror=alert(1)>"'</textarea>${'long'.repeat(200)}`

async function signIn(service: ConsoleServed, options: object = {}): Promise<Visit> {
  const visited = await visit(options)
  const { path } = await service.run('sessions.create-link', {})
  await visited.page.goto(`${service.url}${path}`)
  await visited.page.waitForURL('**/console')
  return visited
}

async function openAppointment() {
  const service = await servedConsole({ local: false })
  const { date } = await openFacility(service)
  const { data } = await service.run('appointments.book', load({ targetDate: date, startTime: '09:00' }))
  const get = () => service.run('appointments.get', { id: data.id })
  return { service, date, id: data.id, url: `${service.url}/console/appointments/${data.id}`, get }
}

describe('two people in real browsers', () => {
  it.each([390, 1280])('change one appointment on a screen of %i, and the second one chooses', async (width) => {
    const { service, url, get } = await openAppointment()
    const [first, second] = [await signIn(service), await signIn(service, { viewport: { width, height: 800 } })]
    for (const { page } of [first, second]) {
      await page.goto(url)
      await page.getByText('Change the carrier or the load').click()
    }
    const save = ({ page }: Visit) =>
      page.locator('form[action$="appointments.update"]').getByRole('button', { name: 'Save' })
    await first.page.getByLabel('Carrier company name').fill(HOSTILE.slice(0, 200))
    await save(first).click()
    await first.page.getByText('The appointment was changed.').waitFor()
    await second.page.getByLabel('Carrier company name').fill('Mine')
    await second.page.getByLabel('Pallets').fill('7')
    await save(second).press('Enter')
    await second.page.getByRole('heading', { name: 'Somebody else has changed the same' }).waitFor()
    expect(await findBarriers(second)).toEqual([])
    const tooWide = 'Math.max(0, document.documentElement.scrollWidth - innerWidth)'
    expect(await second.page.evaluate(tooWide)).toBe(0)
    await second.page.getByRole('radio').first().press('Space')
    await save(second).press('Enter')
    await second.page.getByText('The appointment was changed.').waitFor()
    expect(await get()).toMatchObject({ carrierName: 'Mine', palletCount: 7 })
  })

  it('want one slot, and the second one takes another that the refusal offers', async () => {
    const { service, date, url, get } = await openAppointment()
    const visited = await signIn(service)
    const { page } = visited
    await page.goto(url)
    await page.getByText('Reschedule').first().click()
    const form = page.locator('form[action$="appointments.reschedule"]')
    await form.getByRole('button', { name: 'Reschedule' }).click()
    await page.getByText('Nothing was changed.').waitFor()
    const { doorId, startTime } = await get()
    await service.run('appointments.book', load({ targetDate: date, startTime: '12:00', doorId }))
    await page.goto(url)
    await page.getByText('Reschedule').first().click()
    await form.getByLabel('Start').fill('12:00')
    await form.getByRole('button', { name: 'Reschedule' }).click()
    await form
      .getByRole('button', { name: /^Move to \d\d:\d\d at/ })
      .first()
      .waitFor()
    expect(await findBarriers(visited)).toEqual([])
    expect(await get()).toMatchObject({ startTime })
    const offered = form.getByRole('button', { name: /^Move to/ }).first()
    const [, time] = /to (\d\d:\d\d) at/.exec((await offered.textContent())!)!
    await offered.click()
    await page.getByText('The appointment was moved.').waitFor()
    await page.goto(url)
    await page.getByText('Reschedule').first().click()
    expect(await form.getByLabel('Start').inputValue()).toBe(time)
  })
})
