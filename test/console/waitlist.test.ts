import { describe, expect, it } from 'vitest'
import type { DockRole } from '../../src/kernel'
import { load } from '../docks/dock-fixtures'
import { openFacility, servedConsole } from './console-fixtures'

const page = '/console/docks/DC1/waitlist'

/** An entry with an open offer, and a browser that is signed in with a key of the role. */
async function open(role: DockRole = 'clerk') {
  const service = await servedConsole({ local: false })
  const { run, signIn, key } = service
  const { date } = await openFacility(service)
  const wait = async (referenceNumber: string) =>
    (await run('waitlist.add', load({ targetDate: date, referenceNumber }))).data
  const entry = await wait('PO-1')
  const cookie = await signIn(await key(role))
  const listEntries = () => run('waitlist.list', { facilityCode: 'DC1' })
  const listBooked = () => run('appointments.list', { facilityCode: 'DC1', referenceNumber: 'PO-1' })
  const answer = (operation: string, fields: object) =>
    service.send(`/console/run/${operation}`, { ...fields, next: page }, cookie)
  const show = async () => (await service.open(page, cookie)).text
  return { ...service, cookie, entry, wait, listEntries, listBooked, answer, show }
}

const formsIn = (text: string) => [...new Set([...text.matchAll(/\/console\/run\/([\w.-]+)/g)].map(([, id]) => id!))]

describe('the page of the waitlist', () => {
  it('shows who waits and the open offer, as text', async () => {
    const { show, wait, entry } = await open()
    await wait('<b>PO-2</b>')
    const text = await show()
    expect(text).toContain(entry.offer.doorName)
    expect(text).toContain('&lt;b&gt;PO-2&lt;/b&gt;')
    expect(text).not.toContain('<b>PO-2</b>')
  })

  it('is linked by the board, and says if no one waits', async () => {
    const { open: load, cookie, run, entry, show } = await open()
    expect((await load('/console/docks/DC1', cookie)).text).toContain(`href="${page}"`)
    await run('waitlist.remove', { id: entry.id })
    expect(await show()).toContain('No one waits for a slot.')
  })

  it.each([
    ['viewer', []],
    ['gate', []],
    ['clerk', ['waitlist.offer', 'waitlist.accept', 'waitlist.decline', 'waitlist.remove', 'waitlist.add']],
  ] as const)('offers what a %s may do', async (role, offered) => {
    const { show, answer, entry, listEntries } = await open(role)
    expect(formsIn(await show())).toEqual(offered)
    if (offered.length > 0) return
    for (const operation of ['accept', 'decline', 'remove'])
      expect((await answer(`waitlist.${operation}`, { id: entry.id })).status).toBe(403)
    expect(await listEntries()).toMatchObject([{ id: entry.id, offer: entry.offer }])
  })

  it('books the offered slot once, however often it is accepted at the same time', async () => {
    const { answer, entry, listEntries, listBooked } = await open()
    const fields = { id: entry.id, holdId: entry.offer.holdId }
    const answers = await Promise.all(Array.from({ length: 8 }, () => answer('waitlist.accept', fields)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(404)])
    expect(answers.find(({ status }) => status === 200)!.body.location).toBe(`${page}?done=waitlist.accept`)
    expect(await listBooked()).toMatchObject([{ referenceNumber: 'PO-1', startTime: entry.offer.startTime }])
    expect(await listEntries()).toEqual([])
  })

  it('books or declines, never both, when both are sent at the same time', async () => {
    const { answer, entry, listEntries, listBooked } = await open()
    const fields = { id: entry.id, holdId: entry.offer.holdId }
    const answers = await Promise.all(
      ['accept', 'decline', 'accept', 'decline'].map((word) => answer(`waitlist.${word}`, fields)),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    const [booked, waiting] = [await listBooked(), await listEntries()]
    expect(booked.length + waiting.length).toBe(1)
    if (waiting.length > 0) expect(waiting[0].offer.startTime).not.toBe(entry.offer.startTime)
  })

  it('answers the offer that it has shown, not one that was made since', async () => {
    const { answer, entry, listEntries, listBooked } = await open()
    const fields = { id: entry.id, holdId: entry.offer.holdId }
    expect((await answer('waitlist.decline', fields)).status).toBe(200)
    const [{ offer }] = await listEntries()
    expect(offer.startTime).not.toBe(entry.offer.startTime)
    for (const operation of ['waitlist.accept', 'waitlist.decline'])
      expect(await answer(operation, fields)).toMatchObject({
        status: 409,
        body: { message: 'Another slot is offered now for PO-1.' },
      })
    expect(await listEntries()).toMatchObject([{ offer }])
    expect(await listBooked()).toEqual([])
  })

  it('removes an entry, and shows nothing of another tenant', async () => {
    const { answer, entry, listEntries, run, open: load, signIn } = await open()
    await run('tenants.create', { name: 'other' })
    const { key } = await run('tenants.create-key', { tenant: 'other', name: 'Other', role: 'admin' })
    const foreign = await signIn(key)
    expect((await load(page, foreign)).status).toBe(404)
    expect((await answer('waitlist.remove', { id: entry.id })).status).toBe(200)
    expect(await listEntries()).toEqual([])
  })
})
