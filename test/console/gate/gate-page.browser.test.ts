import { describe, expect } from 'vitest'
import { load } from '../../docks/dock-fixtures'
import { it, pauseClock, visit } from '../browser'
import { openFacility, servedConsole } from '../console-fixtures'

const START = Date.parse('2026-11-16T14:00:00Z')

/** The page of a link, whose clock only the test advances, at an address that `limit` makes send too many wrong secrets. */
async function open(options: object = {}) {
  const service = await servedConsole({ clock: { now: () => START } })
  await openFacility(service)
  const made = await service.run('facilities.create-gate-link', { id: 'DC1', name: 'North gate', ...options })
  await service.run('appointments.book', load({ referenceNumber: 'PO-1', targetDate: '2026-11-16' }))
  const limit = async () => {
    for (let i = 0; i < 12; i++) await service.send('/gate/visit', { visit: 'studio_vis_x', lang: 'en' })
    await service.run('facilities.revoke-gate-link', { id: made.id })
  }
  const visited = await visit()
  const { page } = visited
  await pauseClock(visited)
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  const enter = () => page.goto(`${service.url}/gate#${made.link.split('#')[1]}`)
  const count = (path: string) => asked.filter((one) => one === path).length
  return { page, limit, enter, count }
}

describe('the page of a driver at an address that is limited', () => {
  it('asks again after its usual pause, and not at once', async () => {
    const { page, limit, enter, count } = await open()
    await enter()
    await page.locator('#number').fill('PO-1')
    await page.locator('#check-in button').click()
    await page.getByText('You are next.').waitFor()
    await limit()
    for (const asks of [1, 2]) {
      const answer = page.waitForResponse('**/gate/visit')
      await page.clock.runFor(5_000)
      expect((await answer).status()).toBe(429)
      await page.locator('#connection:not(:empty)').waitFor()
      await page.clock.runFor(1_000)
      expect(count('/gate/visit')).toBe(asks)
    }
    expect(await page.locator('#state').textContent()).toContain('You are next.')
  })

  it('opens no form before it knows whether drivers share it', async () => {
    const { page, limit, enter } = await open({ kiosk: true })
    await limit()
    const answer = page.waitForResponse('**/gate/link')
    await enter()
    expect((await answer).status()).toBe(429)
    await page.locator('#connection:not(:empty)').waitFor()
    expect(await page.locator('#check-in').isVisible()).toBe(false)
  })
})
