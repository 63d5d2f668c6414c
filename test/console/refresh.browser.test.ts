import { expect } from 'vitest'
import { it, pauseClock, visit } from './browser'
import { openFacility, servedConsole } from './console-fixtures'

it('a page that changes is read again by itself, but not while somebody works in it', async () => {
  const service = await servedConsole()
  const { date } = await openFacility(service)
  const visited = await visit()
  const { page, problems } = visited
  await pauseClock(visited)
  await page.goto(`${service.url}${(await service.run('sessions.create-link', {})).path}`)
  await page.waitForURL('**/console')
  await page.goto(`${service.url}/console/docks/DC1/holds`)
  const hold = (carrierName: string) =>
    service.run('holds.create', { facilityCode: 'DC1', type: 'delivery', targetDate: date, carrierName })
  await hold('Blue Freight')
  await page.clock.fastForward(61_000)
  await page.getByRole('cell', { name: 'Blue Freight' }).waitFor()

  await page.getByText('Hold a slot').first().click()
  await hold('Red Freight')
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await page.clock.fastForward(61_000)
  await page.getByText('Hold a slot').first().click()
  expect(asked).toEqual([])
  await page.clock.fastForward(61_000)
  await page.getByRole('cell', { name: 'Red Freight' }).waitFor()
  expect(problems).toEqual([])

  await service.close()
  await page.clock.fastForward(61_000)
  await page.getByText('The service cannot be reached. This page shows what was known at').waitFor()
})
