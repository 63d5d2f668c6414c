import { expect } from 'vitest'
import { findBarriers, it, visit } from './browser'
import { openFacility, servedConsole } from './console-fixtures'

it('the palette is opened, searched and used with the keyboard alone', async () => {
  const service = await servedConsole()
  await openFacility(service)
  await service.run('features.import', { featureId: 101 })
  const visited = await visit()
  const { page, problems } = visited
  await page.goto(`${service.url}${(await service.run('sessions.create-link', {})).path}`)
  await page.waitForURL('**/console')
  await page.keyboard.press('Control+k')
  const box = page.getByRole('combobox')
  const chosen = page.getByRole('option', { selected: true })
  await chosen.getByText('Home').waitFor()
  expect(await findBarriers(visited)).toEqual([])
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowDown')
  expect(await chosen.textContent()).toBe('Home')
  await page.keyboard.type('dc1 yard')
  await chosen.getByText('DC1: yard').waitFor()
  expect(await box.getAttribute('aria-activedescendant')).toBe(await chosen.getAttribute('id'))
  await page.keyboard.press('Enter')
  await page.waitForURL('**/console/docks/DC1/yard')
  // Enter means the words in the box, also where their answer is not there yet.
  await page.keyboard.press('Control+k')
  await chosen.getByText('Home').waitFor()
  await page.keyboard.type('dc1 waitlist')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/console/docks/DC1/waitlist')
  // An answer that comes late is to words that are no longer there.
  let release = () => {}
  const late = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/console/search?q=dc1+waitlist', async (route) => {
    const response = await route.fetch()
    await late
    await route.fulfill({ response })
  })
  await page.keyboard.press('Control+k')
  await chosen.getByText('Home').waitFor()
  const asked = page.waitForRequest('**/console/search?q=dc1+waitlist')
  await box.fill('dc1 waitlist')
  await asked
  await box.fill('dc1 yard')
  await page.keyboard.press('Enter')
  release()
  await page.waitForURL('**/console/docks/DC1/yard')
  await page.keyboard.press('Control+k')
  await box.waitFor()
  await page.keyboard.press('Escape')
  // Not the box: its dialog has no role any more from when it closes, and takes the keys until it is removed.
  await page.locator('dialog').waitFor({ state: 'detached' })
  await page.keyboard.press('/')
  await page.keyboard.type('driver')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/console/search?q=driver')
  await page.getByRole('link', { name: 'Drivers check in at the gate without paper' }).waitFor()
  expect(problems).toEqual([])
})
