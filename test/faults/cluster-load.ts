import { setTimeout as sleep } from 'node:timers/promises'
import type { Cluster } from '../cluster/cluster'

export const FACILITIES = 8
const DATES = 200
const PAUSE_MS = 200

/** What clients of `studio serve` have seen. */
export interface Load {
  /** Confirmed bookings: the ID by reference. */
  confirmed: Map<string, string>
  /** When a booking was confirmed. */
  successes: number[]
  /** How often a call was asked to come back. */
  postponed: number
  /** Answers that refuse a booking because of an earlier call with the same idempotency key, which should have been repeated instead. */
  duplicates: string[]
  /** Answers that no caller expects. */
  undeclared: string[]
}

export const createLoad = (): Load => ({
  confirmed: new Map(),
  successes: [],
  postponed: 0,
  duplicates: [],
  undeclared: [],
})

export interface Client {
  /** Part of the references of its bookings. */
  name: string
  facility: number
  url: string
  key: string
}

/** Books without a pause, each booking until it is confirmed, with the same idempotency key. */
export async function book(load: Load, client: Client, signal: AbortSignal): Promise<void> {
  for (let count = 0; !signal.aborted; count++) await bookOnce(load, createBooking(client, count), signal)
}

/** Repeats the request until it is confirmed, or refused for good. */
export async function bookOnce(load: Load, { url, ...request }: Booking, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && !(await hasFinalAnswer(load, url, request))) await sleep(PAUSE_MS)
}

/** Reads each booking as soon as it is confirmed, and returns how many it has read. */
export async function bookAndRead(load: Load, client: Client, signal: AbortSignal): Promise<number> {
  let read = 0
  for (let count = 0; !signal.aborted; count++) {
    const booking = createBooking(client, count)
    await bookOnce(load, booking, signal)
    const id = load.confirmed.get(booking.headers['idempotency-key'])
    if (id === undefined) continue
    const response = await fetch(`${client.url}/api/appointments/${id}`, { headers: { 'x-api-key': client.key } })
    const answer = await response.text()
    if (response.status === 200) read++
    else if (!isDeclared(response)) load.undeclared.push(`${response.status} ${answer}`)
  }
  return read
}

type Booking = ReturnType<typeof createBooking>

/** The request for the booking of this number. */
export function createBooking({ name, facility, url, key }: Client, count: number) {
  const reference = `${name}-${count}`
  const body = {
    facilityCode: `F${facility}`,
    type: 'pickup',
    carrierName: 'Acme',
    referenceNumber: reference,
    targetDate: new Date(Date.UTC(2055, 0, 1 + (count % DATES))).toISOString().slice(0, 10),
    durationMinutes: 15,
  }
  return {
    url: `${url}/api/appointments/auto-schedule`,
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key, 'idempotency-key': reference },
    body: JSON.stringify(body),
  }
}

async function hasFinalAnswer(load: Load, url: string, request: RequestInit): Promise<boolean> {
  try {
    const response = await fetch(url, request)
    const answer = (await response.json()) as any
    if (response.status === 200) {
      load.confirmed.set(answer.data.referenceNumber, answer.data.id)
      load.successes.push(performance.now())
      return true
    }
    if (isDuplicate(response, answer)) {
      load.duplicates.push(`${response.status} ${JSON.stringify(answer)}`)
      return true
    }
    if (!isDeclared(response)) load.undeclared.push(`${response.status} ${JSON.stringify(answer)}`)
    load.postponed++
  } catch (error) {
    load.undeclared.push(String(error))
  }
  return false
}

/**
 * Each client has references and keys of its own and sends the same body again, so only its own earlier call can have taken the reference
 * or be in conflict. An index prevents a second appointment with the reference: the refusal is the only trace of a key that did not work.
 */
function isDuplicate({ status }: Response, answer: any): boolean {
  return status === 409 || answer.code === 'duplicate_reference'
}

function isDeclared({ status, headers }: Response): boolean {
  return status === 429 || (status === 503 && headers.has('retry-after'))
}

/** The longest time without a confirmed booking since `from`. */
export function longestGap(successes: readonly number[], from: number): number {
  const times = [from, ...successes.filter((time) => time > from)]
  return Math.max(...times.slice(1).map((time, i) => time - times[i]!))
}

export interface Outcome {
  lost: string[]
  doubleBookings: string[]
  /** References with more than one appointment, and refusals because of an earlier call: an idempotency key did not work. */
  duplicates: string[]
}

/** Compares what is stored with what was confirmed. */
export async function checkBookings(cluster: Cluster, { confirmed, duplicates }: Load): Promise<Outcome> {
  const stored = await cluster.query('select id, reference_number from appointment')
  const ids = new Map<string, string[]>()
  for (const { id, reference_number } of stored) ids.set(reference_number, [...(ids.get(reference_number) ?? []), id])
  const overlaps = await cluster.query(
    `select id from (
      select id, start_at, max(end_at) over (
        partition by door_id order by start_at, id rows between unbounded preceding and 1 preceding) as taken_until
      from appointment) as placed
    where start_at < taken_until`,
  )
  return {
    lost: [...confirmed].flatMap(([reference, id]) => (ids.get(reference)?.includes(id) ? [] : [reference])),
    doubleBookings: overlaps.map(({ id }) => id),
    duplicates: [...duplicates, ...[...ids].flatMap(([reference, { length }]) => (length > 1 ? [reference] : []))],
  }
}
