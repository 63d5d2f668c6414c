import { expect, it, vi } from 'vitest'
import { formatCredential } from '../../src/access/services/credential'
import { servedConsole } from './console-fixtures'

const unknownCookie = (n: number) => `studio_session=${formatCredential('studio_ses_', String(n).padStart(30, 'z'))}`
const unknownToken = (n: number) => formatCredential('studio_pat_', String(n).padStart(30, 'z'))

async function openService() {
  const service = await servedConsole({ local: false })
  const read = vi.spyOn(service.studio.db, 'read')
  const countReads = async (send: () => Promise<unknown>) => {
    read.mockClear()
    await send()
    return read.mock.calls.length
  }
  return { ...service, read, countReads }
}

it('a wrong session counts as a failed credential of its address, and is refused like one', async () => {
  const { open, call } = await openService()
  for (let n = 0; n < 10; n++) {
    const { status, headers } = await open('/console/drafts', unknownCookie(n))
    expect([status, String(headers['set-cookie'])]).toEqual([401, expect.stringContaining('Max-Age=0')])
  }
  const refused = await open('/console/drafts', unknownCookie(10))
  expect(refused.status).toBe(429)
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(1)
  // The next request of that browser comes without it.
  expect(String(refused.headers['set-cookie'])).toContain('Max-Age=0')
  expect((await open('/console/drafts')).status).toBe(401)
  const bearer = { headers: { authorization: `Bearer ${unknownToken(0)}` } }
  expect((await call('GET', '/api/stories/saved', bearer)).status).toBe(429)
})

it('is looked up while few others of its address are, once too many were wrong', async () => {
  const { open, read } = await openService()
  const begun = Date.now()
  for (let n = 0; n < 10; n++) await open('/console/drafts', unknownCookie(n))
  read.mockClear()
  let openGate = () => {}
  const gate = new Promise<void>((resolve) => {
    openGate = resolve
  })
  read.mockImplementation(async () => {
    await gate
    return null as never
  })
  let answered = 0
  const flood = Array.from({ length: 50 }, async (_, n) => {
    const { status } = await open('/console/drafts', unknownCookie(n))
    answered++
    return status
  })
  await expect.poll(() => answered + read.mock.calls.length).toBeGreaterThanOrEqual(50)
  const looked = read.mock.calls.length
  // On a busy machine the minute in which the failures count may be over.
  const counted = Date.now() - begun < 60_000
  openGate()
  const statuses = new Set(await Promise.all(flood))
  if (counted) expect([looked, statuses]).toEqual([4, new Set([429])])
})

it('costs the database nothing if its checksum is wrong', async () => {
  const { open, signIn, token, countReads } = await openService()
  const cookie = await signIn(await token(['read']))
  // The service has work in the background, which may read meanwhile. More attempts than these would be refused unread.
  await expect.poll(() => countReads(() => open('/console/sign-in'))).toBe(0)
  const reads: number[] = []
  for (const end of ['w', 'x', 'y', 'z'].filter((one) => !cookie.endsWith(one)))
    reads.push(await countReads(() => open('/console/sign-in', `${cookie.slice(0, -1)}${end}`)))
  expect(Math.min(...reads)).toBe(0)
})

it('keeps no one else of the same address out', async () => {
  const { open, call, signIn, token } = await openService()
  const cookie = await signIn(await token(['read']))
  for (let n = 0; n < 12; n++)
    await call('GET', '/api/stories/saved', { headers: { authorization: `Bearer ${unknownToken(n)}` } })
  expect((await open('/console/drafts', unknownCookie(0))).status).toBe(429)
  expect((await open('/console/drafts', cookie)).status).toBe(200)
  const another = await signIn(await token(['read']))
  expect((await open('/console/drafts', another)).status).toBe(200)
})
