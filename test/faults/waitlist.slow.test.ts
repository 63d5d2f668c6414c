import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { DocksTables } from '../../src/docks/migrations'
import { HOUR_MS } from '../../src/kernel/time'
import { openDatabase, tables } from '../../src/storage'
import { migrations } from '../../src/studio'
import { firstJsonLine, type Program, program } from '../contract/program'
import { isLong, momentsUpTo } from './moments'

const KILLS = isLong ? 100 : 4
const DATE = '2055-03-01'
/** The hours of one door, in slots of an hour. Each starts at a full hour, so that a declined one leaves no other start at its time. */
const SLOTS = 8
/**
 * Half of them decline their first offer. They are too few to decline one slot so often that it is offered to no one, and so each slot is
 * always booked or offered.
 */
const WAITING = 2 * SLOTS

interface Slot {
  startTime: string
  endTime: string
  doorName: string
}
interface Entry {
  id: string
  referenceNumber: string
  offer: (Slot & { holdId: string }) | null
}
interface Site {
  entries: Entry[]
  holds: (Slot & { id: string })[]
  booked: (Slot & { id: string; referenceNumber: string })[]
}

async function createFacility(studio: Program, code: string): Promise<void> {
  const hours = ['--time-zone', 'Etc/UTC', '--queue', 'daily 06:00-14:00', '--slot-minutes', '60', '--door', 'A']
  await studio.json(['facility', 'create', '--code', code, '--name', code, ...hours])
}

async function startServer(studio: Program, key: string) {
  const running = studio.start(['serve', '--port', '0', '--json'])
  const { url } = await firstJsonLine(running)
  const refused: string[] = []
  const call = async (method: string, path: string, body?: object) => {
    const headers = { 'content-type': 'application/json', 'x-api-key': key }
    const response = await fetch(`${url}/api/${path}`, { method, headers, body: JSON.stringify(body) })
    const answer = (await response.json()) as any
    if (!response.ok) refused.push(`${method} ${path}: ${response.status} ${answer.code}`)
    return answer
  }
  return { running, call, refused }
}
type Call = Awaited<ReturnType<typeof startServer>>['call']

const toLoad = (facilityCode: string, referenceNumber: string) => ({
  ...{ facilityCode, referenceNumber, type: 'pickup', carrierName: 'Acme', targetDate: DATE, durationMinutes: 60 },
})

async function addWaiting(call: Call, code: string, count: number): Promise<void> {
  for (let i = 0; i < count; i++) await call('POST', 'waitlist', { ...toLoad(code, `W-${i}`), offerMinutes: 1_440 })
}

async function readSite(studio: Program, code: string): Promise<Site> {
  const at = ['--facility', code]
  const dates = ['--from', DATE, '--to', DATE, '--status', 'scheduled']
  const [entries, holds, booked] = await Promise.all([
    studio.json(['waitlist', 'list', ...at]),
    studio.json(['hold', 'list', ...at]),
    studio.json(['appointment', 'list', ...at, ...dates]),
  ])
  return { entries, holds, booked }
}

const listOffers = ({ entries }: Site) =>
  entries.flatMap(({ id, offer }) => (offer ? [{ ...offer, entryId: id, pair: `${id} ${offer.startTime}` }] : []))

/** Asserts that each open offer has its own hold, each hold is an offer, and no two of all bookings and holds share a slot. */
function expectSound(site: Site): void {
  const { holds, booked } = site
  const toPlace = ({ startTime, endTime, doorName }: Slot) => `${startTime} ${endTime} ${doorName}`
  const offers = listOffers(site).map((offer) => `${offer.holdId} ${toPlace(offer)}`)
  expect(offers.sort()).toEqual(holds.map((hold) => `${hold.id} ${toPlace(hold)}`).sort())
  const starts = [...holds, ...booked].map(({ startTime }) => startTime)
  expect(new Set(starts).size).toBe(starts.length)
}

describe('the waitlist', () => {
  it('offers each slot that is freed to one entry, and loses neither a slot nor an entry, whenever the service is killed', async () => {
    const studio = await program()
    await createFacility(studio, 'DC0')
    const { key } = await studio.json(['tenant', 'key', 'create'])
    let accepted = 0
    for (const [round, moment] of momentsUpTo(200, KILLS).entries()) {
      const code = `R${round}`
      await createFacility(studio, code)
      const { running, call, refused } = await startServer(studio, key)
      const own: string[] = []
      for (let i = 0; i < SLOTS; i++)
        own.push((await call('POST', 'appointments/auto-schedule', toLoad(code, `B-${i}`))).data.id)
      await addWaiting(call, code, WAITING)
      const promised = {
        cancelled: new Set<string>(),
        declined: new Set<string>(),
        accepted: new Map<string, string>(),
      }
      const cancels = own.map(async (id) => {
        await call('DELETE', `appointments/${id}`)
        promised.cancelled.add(id)
      })
      const answers = (async () => {
        const declining = new Set<string>()
        for (;;) {
          const entries: Entry[] = await call('GET', `waitlist?facility_code=${code}`)
          for (const { id, referenceNumber, offer } of entries) {
            if (offer === null) continue
            const declines = Number(referenceNumber.slice(2)) % 2 === 1
            if (declines && !declining.has(id)) {
              declining.add(id)
              await call('POST', `waitlist/${id}/decline`)
              promised.declined.add(`${id} ${offer.startTime}`)
            } else {
              const { data } = await call('POST', `waitlist/${id}/accept`)
              promised.accepted.set(data.id, `${referenceNumber} ${offer.startTime}`)
            }
          }
        }
      })()
      const ended = Promise.allSettled([...cancels, answers])
      await sleep(moment)
      running.kill('SIGKILL')
      await running
      await ended
      expect(refused).toEqual([])
      const site = await readSite(studio, code)
      expectSound(site)
      expect(site.holds.length + site.booked.length).toBe(SLOTS)
      const references = [...site.entries, ...site.booked].map(({ referenceNumber }) => referenceNumber)
      const waiting = references.filter((reference) => reference.startsWith('W-')).sort()
      expect(waiting).toEqual(Array.from({ length: WAITING }, (_, i) => `W-${i}`).sort())
      expect(site.booked.filter(({ id }) => promised.cancelled.has(id))).toEqual([])
      const found = new Map(site.booked.map((one) => [one.id, `${one.referenceNumber} ${one.startTime}`]))
      for (const [id, place] of promised.accepted) expect(found.get(id)).toBe(place)
      expect(listOffers(site).filter(({ pair }) => promised.declined.has(pair))).toEqual([])
      accepted += promised.accepted.size
    }
    if (isLong) expect(accepted).toBeGreaterThan(0)
  })

  it('offers an expired slot to the next entry, once, whenever the service is killed as it starts', async () => {
    const studio = await program()
    const { key } = await studio.json(['tenant', 'key', 'create'])
    const codes = ['DC1', 'DC2', 'DC3']
    for (const code of codes) await createFacility(studio, code)
    const { running, call } = await startServer(studio, key)
    // An entry gets a slot once only, so that each slot needs another entry after each expiry.
    const waiting = KILLS + 2 * SLOTS
    for (const code of codes) await addWaiting(call, code, waiting)
    running.kill('SIGTERM')
    await running
    const expired = new Set<string>()
    const expire = async () => {
      for (const code of codes) for (const { pair } of listOffers(await readSite(studio, code))) expired.add(pair)
      await expireOffers(join(studio.home, 'studio.db'))
    }
    await expire()
    const lastMs = await measureOffers(studio, key, codes)
    let renewed = 0
    // The first half of that time is the start of the program.
    for (const moment of momentsUpTo(lastMs, KILLS)) {
      await expire()
      const killed = studio.start(['serve', '--port', '0'])
      await sleep(lastMs / 2 + moment)
      killed.kill('SIGKILL')
      await killed
      for (const code of codes) {
        const site = await readSite(studio, code)
        expectSound(site)
        expect([0, SLOTS]).toContain(site.holds.length)
        if (site.holds.length > 0) renewed += 1
      }
      await studio.json(['waitlist', 'offer'])
      for (const code of codes) {
        const site = await readSite(studio, code)
        expectSound(site)
        expect(site.holds).toHaveLength(SLOTS)
        expect(site.entries).toHaveLength(waiting)
        expect(listOffers(site).filter(({ pair }) => expired.has(pair))).toEqual([])
      }
    }
    if (!isLong) return
    // Some kills came before the service had offered the slots again, and some after.
    expect(renewed).toBeGreaterThan(0)
    expect(renewed).toBeLessThan(KILLS * codes.length)
  })
})

/** How long the service takes from its start until it has offered the expired slots of all facilities again. */
async function measureOffers(studio: Program, key: string, codes: readonly string[]): Promise<number> {
  const from = performance.now()
  const { running, call } = await startServer(studio, key)
  for (const code of codes) while ((await call('GET', `holds?facility_code=${code}`)).length !== SLOTS) await sleep(1)
  const ms = performance.now() - from
  running.kill('SIGTERM')
  await running
  return ms
}

/** Lets all open offers have expired an hour ago, as if that time had passed. */
async function expireOffers(path: string): Promise<void> {
  const db = await openDatabase(path, migrations)
  const expiresAt = Date.now() - HOUR_MS
  try {
    await db.write(async (tx) => {
      const docks = tables<DocksTables>(tx)
      await docks.updateTable('slot_hold').set({ expires_at: expiresAt }).execute()
      const entries = await docks.selectFrom('waitlist_entry').select(['id', 'offer']).execute()
      for (const { id, offer } of entries) {
        if (offer === null) continue
        const changed = JSON.stringify({ ...JSON.parse(offer), expiresAt })
        await docks.updateTable('waitlist_entry').set({ offer: changed }).where('id', '=', id).execute()
      }
    })
  } finally {
    await db.close()
  }
}
