import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Cluster } from '../cluster/cluster'
import { bookOnce, checkBookings, createBooking, createLoad } from './cluster-load'

type Answer = [status: number, body: object, headers?: Record<string, string>]

/** Sends one booking to a service that gives these answers, and returns what the load has seen. */
async function bookWith(...answers: Answer[]) {
  const keys: IncomingMessage['headers'][string][] = []
  const service = createServer((request, response) => {
    keys.push(request.headers['idempotency-key'])
    const [status, body, headers] = answers.shift()!
    response.writeHead(status, headers).end(JSON.stringify(body))
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void service.close())
  await once(service, 'listening')
  const load = createLoad()
  const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`
  const booking = createBooking({ name: 'C', facility: 0, url, key: 'none' }, 0)
  await bookOnce(load, booking, new AbortController().signal)
  return { load, keys }
}

/** A database with these appointments. */
const storedIn = (rows: { id: string; reference_number: string }[]) =>
  ({ query: async (text: string) => (text.includes('taken_until') ? [] : rows) }) as unknown as Cluster

const confirmed: Answer = [200, { data: { id: 'a', referenceNumber: 'C-0' } }]
const unavailable: Answer = [503, { code: 'unavailable' }, { 'retry-after': '1' }]

describe('the load on a cluster', () => {
  it('repeats a booking with the same key until it is confirmed', async () => {
    const { load, keys } = await bookWith(unavailable, [429, { code: 'limited' }], confirmed)
    expect(keys).toEqual(['C-0', 'C-0', 'C-0'])
    expect(load).toMatchObject({ postponed: 2, duplicates: [], undeclared: [] })
    expect([...load.confirmed]).toEqual([['C-0', 'a']])
  })

  it.each<[string, Answer]>([
    ['the reference is taken', [400, { code: 'duplicate_reference' }]],
    ['the key belongs to another request', [409, { code: 'conflict' }]],
  ])('counts it as a duplicate if %s, because only its own earlier call can be the reason', async (_, refusal) => {
    const { load } = await bookWith(unavailable, refusal)
    expect(load.confirmed.size).toBe(0)
    expect(load.undeclared).toEqual([])
    const outcome = await checkBookings(storedIn([{ id: 'a', reference_number: 'C-0' }]), load)
    expect(outcome.duplicates).toEqual([expect.stringContaining(`${refusal[0]} `)])
  })

  it('counts a reference with two appointments as a duplicate', async () => {
    const { load } = await bookWith(confirmed)
    const rows = ['a', 'b'].map((id) => ({ id, reference_number: 'C-0' }))
    expect((await checkBookings(storedIn(rows), load)).duplicates).toEqual(['C-0'])
  })

  it('expects no 503 without Retry-After', async () => {
    const { load } = await bookWith([503, { code: 'unavailable' }], confirmed)
    expect(load.undeclared).toEqual(['503 {"code":"unavailable"}'])
  })
})
