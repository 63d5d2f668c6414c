import type { Page, Route } from 'playwright-core'
import { describe, expect } from 'vitest'
import { load, NOW } from '../docks/dock-fixtures'
import { freePort } from '../free-port'
import { endPress, findBarriers, it, pauseClock, type Visit, visit } from './browser'
import { type ConsoleServed, openFacility, servedConsole } from './console-fixtures'

const HOUR_MS = 3_600_000

interface Opened extends Visit {
  service: ConsoleServed
  date: string
  book(changes: object): Promise<{ id: string; startTime: string }>
}

/** The board of a day in two days, with a service, as the person at the terminal. */
async function open(options: { service?: ConsoleServed; touch?: boolean; query?: string } = {}): Promise<Opened> {
  const service = options.service ?? (await servedConsole())
  const { date } = await openFacility(service, { defaultMinutes: 60 })
  const visited = await visit(options.touch ? { hasTouch: true } : {})
  const book: Opened['book'] = async (changes) =>
    (await service.run('appointments.book', load({ targetDate: date, ...changes }))).data
  await visited.page.goto(`${service.url}${(await service.run('sessions.create-link', {})).path}`)
  await visited.page.waitForURL('**/console')
  return { ...visited, service, date, book }
}

const boardUrl = ({ service, date }: Opened) => `${service.url}/console/docks/DC1?date=${date}`

async function openBoard(opened: Opened): Promise<void> {
  await opened.page.goto(boardUrl(opened))
  await opened.page.getByText(/^live · \d\d:\d\d:\d\d$/).waitFor()
}

const block = (page: Page, reference: string) => page.locator(`#board a[aria-label^="${reference} "]`)

async function centerOf(page: Page, reference: string): Promise<{ x: number; y: number }> {
  const box = (await block(page, reference).boundingBox())!
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
}

/** Where a start is at a door, in the middle of a block of an hour. */
async function placeOf(page: Page, door: number, start: number): Promise<{ x: number; y: number }> {
  const lane = (await page.locator('svg.lane').nth(door).boundingBox())!
  const [from, to] = (await page.evaluate(
    '[Number(document.getElementById("board").dataset.from), Number(document.getElementById("board").dataset.to)]',
  )) as [number, number]
  return { x: lane.x + ((start + HOUR_MS / 2 - from) / (to - from)) * lane.width, y: lane.y + lane.height / 2 }
}

/** Books a block at 01:00 at the first door, and presses it with a finger until it can be dragged; `target` is 03:00 at the second one. */
async function pressLong(opened: Opened) {
  const { context, page, book } = opened
  const { id, startTime } = await book({ referenceNumber: 'PO-1', startTime: '01:00', doorId: 'Door 1' })
  // A press takes as long as the test says.
  await pauseClock(opened)
  await openBoard(opened)
  const session = await context.newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: { x: number; y: number }[]) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints })
  const there = Date.parse(startTime) + 2 * HOUR_MS
  const [grip, target] = [await centerOf(page, 'PO-1'), await placeOf(page, 1, there)]
  await touch('touchStart', [grip])
  await page.clock.runFor(450)
  await page.locator('.legal').first().waitFor()
  return { id, touch, grip, target }
}

describe('a block of the board', () => {
  it('is dragged by mouse to a lit place, and back by Undo', async () => {
    const opened = await open()
    const { page, service, book, problems } = opened
    const { id, startTime } = await book({ referenceNumber: 'PO-1', startTime: '01:00', doorId: 'Door 1' })
    await pauseClock(opened)
    await openBoard(opened)
    const there = Date.parse(startTime) + 2 * HOUR_MS
    const [grip, target] = [await centerOf(page, 'PO-1'), await placeOf(page, 1, there)]
    await page.mouse.move(grip.x, grip.y)
    await page.mouse.down()
    await page.mouse.move(grip.x + 20, grip.y, { steps: 2 })
    await page.locator('.legal').first().waitFor()
    await page.mouse.move(target.x + 4, target.y, { steps: 4 })
    expect(await page.locator('#board-ghost').textContent()).toBe('03:00 Door 2')
    await page.mouse.up()
    await endPress(opened)
    await page.getByText('Moved to 03:00, Door 2.').waitFor()
    expect(await service.run('appointments.get', { id })).toMatchObject({
      doorName: 'Door 2',
      startTime: new Date(there).toISOString(),
    })
    expect(await page.locator('dialog').count()).toBe(0)
    await page
      .locator(`#door-${(await service.run('doors.list', { facilityCode: 'DC1' }))[1].id} #load-${id}`)
      .waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('The move was undone.').waitFor()
    expect(await service.run('appointments.get', { id })).toMatchObject({ doorName: 'Door 1', startTime })
    expect(problems).toEqual([])
  })

  it('stays where somebody else has moved it, whether it is dropped or taken back', async () => {
    const opened = await open()
    const { page, service, book, date } = opened
    const { id, startTime } = await book({ referenceNumber: 'PO-1', startTime: '01:00', doorId: 'Door 1' })
    // The board learns nothing of the others.
    await page.route('**/console/docks/*/live*', (route) => route.abort())
    await pauseClock(opened)
    await page.goto(boardUrl(opened))
    const moveTo = (time: string) => service.run('appointments.reschedule', { id, targetDate: date, startTime: time })
    const drag = async () => {
      const there = Date.parse(startTime) + 2 * HOUR_MS
      const [grip, target] = [await centerOf(page, 'PO-1'), await placeOf(page, 1, there)]
      await page.mouse.move(grip.x, grip.y)
      await page.mouse.down()
      await page.mouse.move(grip.x + 20, grip.y, { steps: 2 })
      await page.locator('.legal').first().waitFor()
      await page.mouse.move(target.x + 4, target.y, { steps: 4 })
    }
    await drag()
    const { data: moved } = await moveTo('05:00')
    await page.mouse.up()
    await page.locator('#status').getByText('Somebody else has moved the appointment meanwhile.').waitFor()
    expect(await service.run('appointments.get', { id })).toMatchObject({ startTime: moved.startTime })

    await page.reload()
    await drag()
    await page.mouse.up()
    await page.getByText('Moved to 03:00, Door 2.').waitFor()
    const { data: again } = await moveTo('06:00')
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.locator('#status').getByText('Somebody else has moved the appointment meanwhile.').waitFor()
    expect(await service.run('appointments.get', { id })).toMatchObject({ startTime: again.startTime })
  })

  it('stays where it was after Escape, and where the place is not free, which says why', async () => {
    const opened = await open()
    const { page, service, book } = opened
    const { id, startTime } = await book({ referenceNumber: 'PO-1', startTime: '01:00', doorId: 'Door 1' })
    await book({ referenceNumber: 'PO-2', startTime: '03:00', doorId: 'Door 2' })
    await pauseClock(opened)
    await openBoard(opened)
    const drag = async () => {
      const [grip, target] = [await centerOf(page, 'PO-1'), await centerOf(page, 'PO-2')]
      await page.mouse.move(grip.x, grip.y)
      await page.mouse.down()
      await page.mouse.move(grip.x + 20, grip.y, { steps: 2 })
      await page.locator('.legal').first().waitFor()
      await page.mouse.move(target.x, target.y, { steps: 4 })
      await page.locator('#board-ghost.illegal').waitFor()
    }
    await drag()
    await page.keyboard.press('Escape')
    await page.mouse.up()
    expect(await page.locator('#board-ghost, .legal, dialog').count()).toBe(0)
    await drag()
    await page.mouse.up()
    await page
      .locator('#status')
      .getByText(/No appointment is possible at/)
      .waitFor()
    expect(await service.run('appointments.get', { id })).toMatchObject({ doorName: 'Door 1', startTime })
  })

  it('is dragged by touch after a long press; without it the finger scrolls', async () => {
    const opened = await open({ touch: true })
    const { page, service } = opened
    const { id, touch, grip, target } = await pressLong(opened)
    await touch('touchMove', [{ x: (grip.x + target.x) / 2, y: target.y }])
    await touch('touchMove', [target])
    await touch('touchEnd', [])
    await endPress(opened)
    await page.getByText('Moved to 03:00, Door 2.').waitFor()
    expect(await service.run('appointments.get', { id })).toMatchObject({ doorName: 'Door 2' })
    // Last, as a finger that stops a page while it scrolls cannot drag in Chromium.
    const scrolled = () => page.evaluate('document.querySelector(".scroll.board").scrollLeft')
    expect(await scrolled()).toBe(0)
    await block(page, 'PO-1').and(page.locator('[aria-label$="Door 2"]')).waitFor()
    const moved = await centerOf(page, 'PO-1')
    await touch('touchStart', [moved])
    await touch('touchMove', [{ x: moved.x - 30, y: moved.y }])
    await touch('touchMove', [{ x: moved.x - 60, y: moved.y }])
    await touch('touchEnd', [])
    expect(await page.locator('#board-ghost').count()).toBe(0)
    await expect.poll(scrolled).toBeGreaterThan(0)
  })

  it('stays under the finger while the board changes', async () => {
    const opened = await open({ touch: true })
    const { page, service, book } = opened
    const { id, touch, grip, target } = await pressLong(opened)
    await book({ referenceNumber: 'PO-2', startTime: '06:00', doorId: 'Door 1' })
    // An update waits no longer for the release of a press.
    await page.clock.runFor(1000)
    await block(page, 'PO-2').waitFor()
    await touch('touchMove', [{ x: grip.x + 40, y: grip.y }])
    await touch('touchMove', [{ x: (grip.x + target.x) / 2, y: target.y }])
    await touch('touchMove', [target])
    await touch('touchEnd', [])
    await page.getByText('Moved to 03:00, Door 2.').waitFor()
    expect(await service.run('appointments.get', { id })).toMatchObject({ doorName: 'Door 2' })
  })

  it('is opened by a press, also while the board changes', async () => {
    const opened = await open()
    const { page, book } = opened
    await book({ referenceNumber: 'PO-1', startTime: '01:00', doorId: 'Door 1' })
    await pauseClock(opened)
    await openBoard(opened)
    const grip = await centerOf(page, 'PO-1')
    const heard = (await page.locator('#live').textContent())!
    await page.clock.runFor(5000)
    await page.mouse.move(grip.x, grip.y)
    await page.mouse.down()
    await book({ referenceNumber: 'PO-2', startTime: '06:00', doorId: 'Door 1' })
    await page
      .getByText(/^live · /)
      .filter({ hasNotText: heard })
      .waitFor()
    expect(await block(page, 'PO-2').count()).toBe(0)
    await page.mouse.up()
    await page.getByRole('dialog', { name: 'PO-1' }).waitFor()
    await endPress(opened)
    await block(page, 'PO-2').waitFor()
  })

  it('is reached with one Tab and the arrow keys, and moved, checked in and cancelled by its menu', async () => {
    const opened = await open()
    const { page, service, book } = opened
    const { id } = await book({ referenceNumber: 'PO-1', startTime: '01:00', doorId: 'Door 1' })
    await book({ referenceNumber: 'PO-2', startTime: '03:00', doorId: 'Door 1' })
    await book({ referenceNumber: 'PO-3', startTime: '03:00', doorId: 'Door 2' })
    await openBoard(opened)
    expect(await page.locator('#board [tabindex="0"]').count()).toBe(1)
    await block(page, 'PO-1').focus()
    const waitForFocus = (reference: string) => block(page, reference).and(page.locator(':focus')).waitFor()
    for (const [key, reference] of [
      ['ArrowRight', 'PO-2'],
      ['ArrowDown', 'PO-3'],
      ['ArrowUp', 'PO-2'],
      ['ArrowLeft', 'PO-1'],
    ] as const) {
      await page.keyboard.press(key)
      await waitForFocus(reference)
    }
    expect(await page.locator('#board-card').textContent()).toMatch(
      /^PO-1 Blue Freight, scheduled, delivery, 01:00 to 02:00, Door 1$/,
    )
    await page.keyboard.press('m')
    await page.getByRole('dialog', { name: 'PO-1' }).waitFor()
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme })
      expect(await findBarriers(opened)).toEqual([])
    }
    await page.keyboard.press('Escape')
    await page.locator('dialog').waitFor({ state: 'detached' })
    await waitForFocus('PO-1')
    await page.keyboard.press('m')
    await page.getByRole('link', { name: 'Reschedule' }).press('Enter')
    const form = page.getByRole('dialog', { name: 'Reschedule PO-1' })
    await form.getByLabel('Start').fill('05:00')
    await page.keyboard.press('Enter')
    await block(page, 'PO-1').and(page.locator('[aria-label*="05:00 to 06:00"]')).waitFor()
    page.on('dialog', (question) => question.accept())
    await block(page, 'PO-1').click({ button: 'right' })
    await page.getByRole('button', { name: 'Cancel', exact: true }).click()
    await block(page, 'PO-1').waitFor({ state: 'detached' })
    expect(await service.run('appointments.get', { id })).toMatchObject({ status: 'cancelled' })
  })
})

describe('a free place of the board', () => {
  it('offers what can be done at its quarter of an hour and its door', async () => {
    const opened = await open()
    const { page, service, date } = opened
    await openBoard(opened)
    const start = Date.parse(`${(await service.run('facilities.board', { id: 'DC1', date })).from}`) + 4.25 * HOUR_MS
    const { x, y } = await placeOf(page, 1, start - HOUR_MS / 2 + 60_000)
    await page.mouse.click(x, y)
    const menu = page.getByRole('dialog', { name: '04:15, Door 2' })
    await menu.waitFor()
    expect(await menu.getByRole('link').allTextContents()).toEqual(['Book', 'Hold', 'Block'])
    await menu.getByRole('link', { name: 'Hold' }).click()
    const form = page.getByRole('dialog', { name: /^Hold a slot/ })
    expect(await form.getByLabel('Start').inputValue()).toBe('04:15')
    await form.getByRole('button', { name: 'Hold' }).click()
    await page.locator('.load.held').waitFor()
  })
})

describe('the filter of the board', () => {
  it('lets others fade, and stays in the address', async () => {
    const opened = await open()
    const { page, book } = opened
    await book({ referenceNumber: 'PO-1', carrierName: 'Acme', startTime: '01:00', doorId: 'Door 1' })
    await book({ referenceNumber: 'PO-2', carrierName: 'Nordic', startTime: '03:00', doorId: 'Door 2' })
    await page.goto(boardUrl(opened))
    await page.getByLabel('Filter').fill('nordic door 2')
    // The browser learns the address after the page has it. A reload before that would load the old one.
    await page.waitForURL(/q=nordic/)
    await page.goto(page.url())
    await expect.poll(() => page.locator('#board .faded').allTextContents()).toEqual([expect.stringContaining('PO-1')])
    await expect.poll(() => page.locator('#board-list tr.row:visible').count()).toBe(1)
    await book({ referenceNumber: 'PO-3', carrierName: 'Acme', startTime: '05:00', doorId: 'Door 2' })
    await block(page, 'PO-3').and(page.locator('.faded')).waitFor()
    await page.getByRole('link', { name: /^late 0/ }).click()
    await page.waitForURL(/only=late/)
    await expect.poll(() => page.locator('#board-list tr.row:visible').count()).toBe(0)
  })
})

describe('a page of a board', () => {
  it.for([
    ['release', 'assets'],
    ['shape', 'shape'],
  ])('is loaded again if the service has another %s', async ([, part]) => {
    const opened = await open()
    const { page } = opened
    const isOther = async (route: Route) => {
      const response = await route.fetch()
      const text = await response.text()
      const body = text
        .replace(new RegExp(`data-${part}="[^"]*"`), `data-${part}="other"`)
        // The service then sends an update after its greeting.
        .replace(/data-version="[^"]*"/, 'data-version="other"')
      await route.fulfill({ response, body })
    }
    await page.route(boardUrl(opened), isOther, { times: 1 })
    await page.goto(boardUrl(opened))
    await page.locator(`#board[data-${part}="other"]`).waitFor()
    await page.locator(`#board:not([data-${part}="other"])`).waitFor()
  })
})

describe('a board that is not live', () => {
  it.for([390, 1280])('says so without a move of what is under the finger, on a screen of %i', async (width) => {
    const opened = await open()
    const { page, book } = opened
    await book({ referenceNumber: 'PO-1', startTime: '01:00', doorId: 'Door 1' })
    await page.setViewportSize({ width, height: 800 })
    let answer = () => {}
    const held = new Promise<void>((resolve) => {
      answer = resolve
    })
    let isAway = false
    await page.route('**/console/docks/*/live*', async (route) => {
      await held
      await (isAway ? route.abort() : route.continue())
    })
    await page.goto(boardUrl(opened))
    // As after a drag.
    await page.evaluate(
      `document.getElementById('status').append(Object.assign(document.createElement('button'), { textContent: 'Undo' }))`,
    )
    const places = () =>
      page.evaluate(`[...document.querySelectorAll('main a, main button, #status button, svg.lane')].filter((one) => !one.closest('#dead'))
        .map((one) => { const { x, y, width } = one.getBoundingClientRect(); return [one.textContent, x, y, width] })`)
    const before = await places()
    answer()
    await page.getByText(/^live · /).waitFor()
    expect(await places()).toEqual(before)
    isAway = true
    await opened.service.close()
    await page.locator('#dead').waitFor()
    expect(await places()).toEqual(before)
    await page.getByRole('button', { name: 'Undo' }).click({ trial: true })
    // What is fixed on the screen would be printed over the end of every page.
    await page.emulateMedia({ media: 'print' })
    expect(await page.evaluate('getComputedStyle(document.getElementById("dead")).position')).toBe('static')
  })

  it('says so when the service stops, and is whole again when it is back', async () => {
    const port = await freePort()
    const env = { STUDIO_PORT: String(port) }
    const service = await servedConsole({ env })
    const opened = await open({ service })
    const { page } = opened
    await openBoard(opened)
    await service.close()
    await page.getByText(/^Not live since \d\d:\d\d:\d\d/).waitFor()
    await page.getByText(/Trying again in \d+ s|Trying again now/).waitFor()
    expect(await page.locator('body.not-live').count()).toBe(1)
    expect(await page.locator('#dead a:visible').count()).toBe(0)
    // What is grayed on purpose says so in the band.
    expect(await findBarriers(opened, ['aria-allowed-role', 'button-name', 'region'])).toEqual([])
    const again = await servedConsole({ env, db: service.studio.db })
    await again.run('appointments.book', load({ targetDate: opened.date, referenceNumber: 'PO-BACK' }))
    await block(page, 'PO-BACK').waitFor()
    await page.getByText(/^live · /).waitFor()
    expect(await page.locator('#dead').isHidden()).toBe(true)
  })

  it('offers to sign in again after a sign-out in another tab, and comes back to the board', async () => {
    const opened = await open()
    const { page, context, service } = opened
    await pauseClock(opened)
    await openBoard(opened)
    const other = await context.newPage()
    await other.goto(`${service.url}/console`)
    await other.getByRole('button', { name: 'Sign out' }).click()
    await page.locator('#dead').getByText('This browser is signed out.').waitFor()
    const signIn = page.locator('#dead').getByRole('link', { name: 'Sign in' })
    await signIn.waitFor()
    // It stays while the board tries again, and after that has failed.
    let fail = () => {}
    const held = new Promise<void>((resolve) => {
      fail = resolve
    })
    let tries = 0
    await page.route('**/console/docks/*/live*', async (route) => {
      tries += 1
      await held
      await route.abort()
    })
    const pollTries = () =>
      expect.poll(async () => {
        await page.clock.runFor(31_000)
        return tries
      })
    await pollTries().toBe(1)
    expect(await signIn.isVisible()).toBe(true)
    fail()
    await pollTries().toBeGreaterThan(1)
    expect(await signIn.isVisible()).toBe(true)
    await page.unroute('**/console/docks/*/live*')
    await signIn.click()
    await page.getByLabel('Token or dock key').fill(await service.key('viewer'))
    await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL(boardUrl(opened))
    await page.getByText(/^live · /).waitFor()
  })
})

describe('the wall and the gate', () => {
  it.for([20, 40])('a wall shows %i doors on one screen, without anything to press', async (count) => {
    const service = await servedConsole()
    const doors = Array.from({ length: count }, (_, index) => ({ name: `Door ${index + 1}` }))
    await openFacility(service, { doors })
    const { path } = await service.run('sessions.create-link', { scope: 'read' })
    const visited = await visit({ viewport: { width: 1920, height: 1080 } })
    const { page } = visited
    await page.goto(`${service.url}${path}`)
    await page.waitForURL('**/console')
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await page.goto(`${service.url}/console/docks/DC1?wall`)
      const last = (await page.locator('svg.lane').last().boundingBox())!
      expect(last.y + last.height).toBeLessThanOrEqual(1080)
      expect(
        await page.evaluate('[document.documentElement.scrollHeight, document.documentElement.scrollWidth]'),
      ).toEqual([1080, 1920])
      expect(await page.locator('button:visible, input:visible, nav:visible').count()).toBe(0)
      expect(await findBarriers(visited)).toEqual([])
    }
  })

  it('the gate finds a typed reference and checks its truck in', async () => {
    // Late in the day there would be no slot left.
    const service = await servedConsole({ clock: { now: () => NOW } })
    await openFacility(service)
    const { date } = await service.run('facilities.board', { id: 'DC1' })
    const { data } = await service.run('appointments.book', load({ targetDate: date, referenceNumber: 'PO-77' }))
    const visited = await visit()
    const { page } = visited
    await page.goto(`${service.url}/console/sign-in?next=${encodeURIComponent('/console/docks/DC1?gate')}`)
    await page.getByLabel('Token or dock key').fill(await service.key('gate'))
    await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL('**/DC1?gate')
    expect(await findBarriers(visited)).toEqual([])
    await page.getByLabel('Reference, or number of the trailer').and(page.locator(':focus')).waitFor()
    await page.keyboard.type('PO-77')
    await page.keyboard.press('Enter')
    const found = page.getByRole('region', { name: 'PO-77' })
    await found.getByRole('button', { name: 'Check in PO-77' }).click()
    // The page that was left shows the truck too, as soon as the service has it.
    await page.getByText('The truck was checked in.').waitFor()
    await page.locator('#gate-here').getByText('PO-77').waitFor()
    await page
      .locator('#gate-here')
      .getByRole('button', { name: /^At the door/ })
      .click()
    await page.getByText('The step was recorded.').waitFor()
    expect(await service.run('appointments.get', { id: data.id })).toMatchObject({ step: 'at_door' })
  })
})

it('a screen is signed in by a link of a manager, looks at the docks alone, and ends when it is revoked', async () => {
  const service = await servedConsole()
  await openFacility(service)
  const { page } = await visit()
  await page.goto(`${service.url}/console/sign-in?next=${encodeURIComponent('/console/docks/DC1')}`)
  await page.getByLabel('Token or dock key').fill(await service.key('manager'))
  await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('Views').click()
  await page.getByRole('link', { name: 'Screens' }).click()
  await page.getByLabel('Name').fill('North wall')
  await page.getByRole('button', { name: 'Create the link of the screen' }).click()
  const path = (await page.locator('.secret').textContent())!
  const screen = await visit()
  await screen.page.goto(`${service.url}${path}`)
  await screen.page.waitForURL('**/docks/DC1?wall')
  await screen.page.getByText(/^live · /).waitFor()
  const [session] = (await service.run('sessions.list', {})).filter(({ isScreen }: { isScreen: boolean }) => isScreen)
  expect(session).toMatchObject({ name: 'North wall', kind: 'session', role: null })
  await service.run('sessions.revoke', { id: session.id })
  await screen.page.locator('#dead').getByText('This browser is signed out.').waitFor()
})
