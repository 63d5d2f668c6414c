import { describe, expect, it } from 'vitest'
import { load, NOW } from '../docks/dock-fixtures'
import { openFacility, servedConsole } from './console-fixtures'

/** What a stream says, by its events, until it ends. */
async function follow(url: string, cookie: string) {
  const response = await fetch(url, { headers: { cookie } })
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  const read = async () => {
    const { done, value = '' } = await reader.read()
    text += value
    return done
  }
  return {
    /** Waits for an event with the text. */
    async until(wanted: string) {
      while (!text.includes(wanted)) if (await read()) throw new Error(`the stream ended: ${text}`)
    },
    async whole() {
      while (!(await read()));
      return text
    },
  }
}

const LIVE = '/console/docks/DC1/live?view=day'

describe('the stream of a board', () => {
  it('ends at once when its browser signs out in another tab, and says so', async () => {
    // Late in the day there would be no slot left.
    const service = await servedConsole({ clock: { now: () => NOW } })
    await openFacility(service)
    const [cookie, other] = [await service.signIn(await service.key()), await service.signIn(await service.key())]
    const [board, stays] = [await follow(`${service.url}${LIVE}`, cookie), await follow(`${service.url}${LIVE}`, other)]
    await Promise.all([board.until('event: parts'), stays.until('event: parts')])
    await service.send('/console/sign-out', {}, cookie)
    expect(await board.whole()).toMatch(/event: ended\ndata: \{\}\n\n$/)
    const { date } = await service.run('facilities.board', { id: 'DC1' })
    await service.run('appointments.book', load({ targetDate: date, referenceNumber: 'PO-LATER' }))
    await stays.until('PO-LATER')
    expect((await service.open(LIVE, cookie)).status).toBe(401)
    await service.close()
    expect(await stays.whole()).not.toContain('event: ended')
  })

  it('ends with the next look at its session, which was revoked', async () => {
    const service = await servedConsole()
    await openFacility(service)
    const { link } = await service.run('sessions.create-screen', { name: 'North' })
    const cookie = await service.signIn(link.split('#')[1])
    const board = await follow(`${service.url}${LIVE}`, cookie)
    await board.until('event: parts')
    const [session] = await service.run('sessions.list', {})
    await service.run('sessions.revoke', { id: session.id })
    expect(await board.whole()).toContain('event: ended')
  })

  it('has the forms of the gate for its staff alone', async () => {
    const service = await servedConsole()
    await openFacility(service)
    const statusFor = async (role: 'viewer' | 'gate') => {
      const cookie = await service.signIn(await service.key(role))
      return (await fetch(`${service.url}/console/docks/DC1/live?view=gate`, { headers: { cookie } })).status
    }
    expect([await statusFor('viewer'), await statusFor('gate')]).toEqual([403, 200])
  })
})

describe('the free places of a drag', () => {
  it('are those at which a reschedule succeeds, and no others', async () => {
    const service = await servedConsole()
    const { date } = await openFacility(service, { slotMinutes: 60, defaultMinutes: 60, bufferMinutes: 0 })
    const book = async (changes: object) =>
      (await service.run('appointments.book', load({ targetDate: date, ...changes }))).data
    const moved = await book({ referenceNumber: 'PO-1', startTime: '01:00', doorId: 'Door 1' })
    await book({ referenceNumber: 'PO-2', startTime: '03:00', doorId: 'Door 1' })
    const cookie = await service.signIn(await service.key('clerk'))
    const { body } = await service.open(`/console/appointments/${moved.id}/moves?date=${date}`, cookie)
    const board = await service.run('facilities.board', { id: 'DC1', date })
    for (const { id } of board.doors)
      for (const { at } of board.hours) {
        const isLit = (body.doors[id] ?? []).includes(Date.parse(at))
        const move = service.run('appointments.reschedule', { id: moved.id, startTime: at, doorId: id })
        const succeeds = await move.then(
          () => true,
          () => false,
        )
        expect([id, at, isLit]).toEqual([id, at, succeeds])
      }
  })

  it('are for those who may move it, and there are none for what cannot be moved', async () => {
    const service = await servedConsole()
    const { date } = await openFacility(service)
    const { data } = await service.run('appointments.book', load({ targetDate: date }))
    const moves = async (role: 'viewer' | 'clerk') =>
      service.open(`/console/appointments/${data.id}/moves?date=${date}`, await service.signIn(await service.key(role)))
    expect((await moves('viewer')).status).toBe(403)
    await service.run('appointments.cancel', { id: data.id })
    expect((await moves('clerk')).body.doors).toEqual({})
    await service.run('tenants.create', { name: 'other' })
    const { key } = await service.run('tenants.create-key', { tenant: 'other' })
    const foreign = await service.open(`/console/appointments/${data.id}/moves?date=${date}`, await service.signIn(key))
    expect(foreign.status).toBe(404)
  })
})
