import { describe, expect, it } from 'vitest'
import type { Scope } from '../../src/kernel'
import { type ConsoleServed, openFacility, servedConsole } from './console-fixtures'

type Kind = 'link' | 'token' | 'key'
type Credential = `${Kind} ${Scope}`

const scopes: readonly Scope[] = ['read', 'write', 'admin']
const credentials = (['link', 'token', 'key'] as const).flatMap((kind) =>
  scopes.map((scope): Credential => `${kind} ${scope}`),
)

/** Calls that are refused for their empty input if they are allowed. */
const areas = {
  stories: ['drafts.save', 'tokens.create'],
  docks: ['appointments.book', 'facilities.create'],
} as const
type Area = keyof typeof areas

const opens: Record<Kind, readonly Area[]> = { link: ['stories', 'docks'], token: ['stories'], key: ['docks'] }

function kindOf(credential: Credential): Kind {
  return credential.split(' ')[0] as Kind
}

/** Which of two credentials decides about an area, if a browser signs in with one after the other. */
function decides(area: Area, first: Credential, second: Credential): Credential {
  if (kindOf(first) === 'link' || opens[kindOf(second)].includes(area)) return second
  return kindOf(second) !== 'link' && opens[kindOf(first)].includes(area) ? first : second
}

async function issue({ run, token }: ConsoleServed, credential: Credential): Promise<string> {
  const [kind, scope] = credential.split(' ') as [Kind, Scope]
  if (kind === 'token') return token([scope])
  if (kind === 'key') return (await run('tenants.create-key', { scope })).key
  return (await run('sessions.create-link', { scope })).path.split('#')[1]
}

describe('the rights of a session', () => {
  it('are those of one credential for each call, whatever the browser signed in with before', async () => {
    const service = await servedConsole({ local: false, env: { STUDIO_RATE_LIMIT: '0' } })
    const { send, signIn } = service
    const attempt = async (area: Area, cookie: string) =>
      Promise.all(areas[area].map(async (id) => (await send(`/console/run/${id}`, {}, cookie)).status))
    const keys = new Map<Credential, string>()
    // A link works once, so each use needs its own.
    const secretOf = async (credential: Credential) => {
      if (kindOf(credential) === 'link') return issue(service, credential)
      if (!keys.has(credential)) keys.set(credential, await issue(service, credential))
      return keys.get(credential)!
    }
    const alone: Record<string, number[]> = {}
    for (const credential of credentials) {
      const cookie = await signIn(await secretOf(credential))
      for (const area of ['stories', 'docks'] as const) alone[`${area}: ${credential}`] = await attempt(area, cookie)
    }
    expect(alone).toMatchObject({
      'stories: link read': [403, 403],
      'docks: link read': [403, 403],
      'stories: token write': [200, 403],
      'docks: token write': [401, 401],
      'stories: key admin': [403, 403],
      'docks: key write': [400, 400],
      'docks: link admin': [400, 400],
    })
    for (const first of credentials)
      for (const second of credentials) {
        const cookie = await signIn(await secretOf(second), await signIn(await secretOf(first)))
        for (const area of ['stories', 'docks'] as const)
          expect([first, second, area, await attempt(area, cookie)]).toEqual([
            first,
            second,
            area,
            alone[`${area}: ${decides(area, first, second)}`],
          ])
      }
  })

  it('book nothing with a link that only reads, and a token that writes stories', async () => {
    const service = await servedConsole({ local: false })
    const { date } = await openFacility(service)
    const reader = await service.signIn(await issue(service, 'link read'))
    const joined = await service.signIn(await service.token(['write']), reader)
    const booking = { facilityCode: 'DC1', type: 'pickup', carrierName: 'Acme', referenceNumber: 'A', targetDate: date }
    expect((await service.send('/console/run/appointments.book', booking, joined)).status).toBe(401)
    expect((await service.open('/console/docks', reader)).status).toBe(401)
    expect(await service.run('appointments.list', { facilityCode: 'DC1', referenceNumber: 'A' })).toEqual([])
  })

  it('end with either credential', async () => {
    const service = await servedConsole({ local: false })
    const token = await service.run('tokens.create', { name: 'x', scopes: ['read'] })
    const key = await service.run('tenants.create-key', {})
    const cookie = await service.signIn(key.key, await service.signIn(token.token))
    expect((await service.open('/console/docks', cookie)).status).toBe(200)
    await service.run('tokens.revoke', { id: token.id })
    expect((await service.open('/console/docks', cookie)).status).toBe(401)
  })

  it('name the link in the history of an appointment that a link booked', async () => {
    const service = await servedConsole()
    const { date } = await openFacility(service)
    const cookie = await service.signIn(await issue(service, 'link write'))
    const booking = { facilityCode: 'DC1', type: 'pickup', carrierName: 'Acme', referenceNumber: 'A', targetDate: date }
    expect((await service.send('/console/run/appointments.book', booking, cookie)).status).toBe(200)
    const [booked] = await service.run('appointments.list', { facilityCode: 'DC1', referenceNumber: 'A' })
    expect((await service.run('appointments.history', { id: booked.id }))[0]).toMatchObject({ by: 'terminal' })
  })
})
