import { describe, expect, it } from 'vitest'
import { addMember } from '../../../src/access/operations/add-member'
import { type SessionBrowser, verifySession } from '../../../src/access/services/console-sessions'
import type { IdentityProvider, ProvidedPerson } from '../../../src/access/services/people/identity-provider'
import { createPeople } from '../../../src/access/services/people/people'
import { createTokenSealer } from '../../../src/access/services/people/seal-tokens'
import { StudioError } from '../../../src/kernel'
import { openAccessOffice } from '../access-fixtures'

const browser: SessionBrowser = { address: '192.0.2.7', userAgent: 'Firefox', replaces: null }
const START = Date.parse('2026-11-16T14:00:00Z')
const MINUTE = 60_000

/** A provider in memory: who signs in, and what it answers when it is asked again. */
async function openPeople({ clientSecret = 'secret' } = {}) {
  const office = await openAccessOffice()
  const ann: ProvidedPerson = {
    subject: 'ann',
    session: 's1',
    claims: { sub: 'ann', roles: ['staff'] },
    tokens: { idToken: 'id', accessToken: 'access', refreshToken: 'refresh-0' },
  }
  const asked: string[] = []
  const state = { confirm: (): Partial<ProvidedPerson> | null => ({ claims: ann.claims }), finished: 0 }
  const provider: IdentityProvider = {
    begin: async () => ({ secrets: { state: 's', nonce: 'n', codeVerifier: 'v' }, url: 'https://login.example.com' }),
    async finish() {
      state.finished++
      return ann
    },
    async confirm(_subject, tokens) {
      asked.push(tokens.refreshToken!)
      const answer = state.confirm()
      return answer && { ...ann, ...answer, tokens: { ...tokens, refreshToken: `refresh-${asked.length}` } }
    },
    endSessionUrl: async () => null,
    verifyLogout: async () => ({ subject: 'ann', session: null, at: office.clock.now() }),
  }
  const rules = { label: 'Example', rolesClaim: 'roles', roles: { reader: ['staff'] as const }, allowedDomains: null }
  const create = (secret: string) =>
    createPeople({
      ...office.as({ kind: 'anonymous' }),
      provider,
      sealer: createTokenSealer(secret),
      rules,
    })
  const people = create(clientSecret)
  const signIn = async () => (await people.finish((await people.begin('/console')).secret, '', browser)).session
  const sessionOf = (secret: string) => verifySession(office.db, secret, office.clock.now())
  const wait = (ms: number) => office.clock.set(new Date(START + ms).toISOString())
  return { office, people, create, signIn, sessionOf, wait, state, asked, ann }
}

const unavailable = () => {
  throw new StudioError('unavailable', 'The provider for signing in cannot be reached.')
}

describe('an attempt to sign in', () => {
  it('is used once, also when two requests end it together', async () => {
    const { people, state } = await openPeople()
    const { secret } = await people.begin('/console')
    const both = await Promise.allSettled([1, 2].map(() => people.finish(secret, '', browser)))
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(state.finished).toBe(1)
  })

  it('takes at most ten minutes', async () => {
    const { people, wait } = await openPeople()
    const { secret } = await people.begin('/console')
    wait(10 * MINUTE)
    await expect(people.finish(secret, '', browser)).rejects.toMatchObject({ code: 'unauthenticated' })
  })

  it('needs the secret of the browser that began', async () => {
    const { people } = await openPeople()
    await people.begin('/console')
    for (const secret of [null, '', 'x'.repeat(40)])
      await expect(people.finish(secret, '', browser)).rejects.toMatchObject({ code: 'unauthenticated' })
  })
})

describe('the session of a person', () => {
  it('is confirmed every two minutes, by one of the calls that come together', async () => {
    const { people, signIn, sessionOf, wait, asked } = await openPeople()
    const secret = await signIn()
    const confirm = async () => people.confirm((await sessionOf(secret))!)
    wait(2 * MINUTE - 1)
    await confirm()
    expect(asked).toEqual([])
    wait(2 * MINUTE)
    const session = (await sessionOf(secret))!
    const all = await Promise.all(Array.from({ length: 20 }, () => people.confirm(session)))
    expect(all.every((each) => each?.user?.role === 'reader')).toBe(true)
    expect(asked).toEqual(['refresh-0'])
    wait(4 * MINUTE)
    await confirm()
    expect(asked).toEqual(['refresh-0', 'refresh-1'])
  })

  it.each([
    ['the provider no longer vouches for the person', () => null],
    ['no rule gives a role any more', () => ({ claims: { sub: 'ann', roles: [] } })],
  ])('ends when %s', async (_why, answer) => {
    const { people, signIn, sessionOf, wait, state } = await openPeople()
    const secret = await signIn()
    wait(3 * MINUTE)
    state.confirm = answer
    expect(await people.confirm((await sessionOf(secret))!)).toBe(null)
    expect(await sessionOf(secret)).toBe(null)
  })

  it('acts for the tenants on whose staff its verified address is', async () => {
    const { office, people, signIn, sessionOf, wait, state, ann } = await openPeople()
    await office.run(addMember, { email: 'ann@example.com', name: 'Ann', role: 'gate' })
    ann.claims = { sub: 'ann', email: 'Ann@example.com', email_verified: true }
    const secret = await signIn()
    const confirm = async () => people.confirm((await sessionOf(secret))!)
    expect(await confirm()).toMatchObject({ user: { role: null }, dock: { role: 'gate', credential: { name: 'Ann' } } })
    wait(3 * MINUTE)
    state.confirm = () => ({ claims: ann.claims })
    expect(await confirm()).toMatchObject({ dock: { role: 'gate' } })
    wait(6 * MINUTE)
    state.confirm = () => ({ claims: { ...ann.claims, email_verified: false } })
    expect(await confirm()).toBe(null)
    expect(await sessionOf(secret)).toBe(null)
  })

  it('stays for the stories without the membership, if the provider no longer reports the address as verified', async () => {
    const { office, people, signIn, sessionOf, wait, state, ann } = await openPeople()
    await office.run(addMember, { email: 'ann@example.com' })
    ann.claims = { sub: 'ann', roles: ['staff'], email: 'ann@example.com', email_verified: true }
    const secret = await signIn()
    wait(3 * MINUTE)
    state.confirm = () => ({ claims: { sub: 'ann', roles: ['staff'], email: 'ann@example.com' } })
    const left = { user: { role: 'reader' }, dock: null, memberships: [] }
    expect(await people.confirm((await sessionOf(secret))!)).toMatchObject(left)
    expect(await sessionOf(secret)).toMatchObject(left)
  })

  it.each([{ email: 'ann@example.com' }, { email: 'ann@example.com', email_verified: 'true' }, {}])(
    'is not opened for a membership with the claims %j',
    async (claims) => {
      const { office, signIn, ann } = await openPeople()
      await office.run(addMember, { email: 'ann@example.com' })
      ann.claims = { sub: 'ann', ...claims }
      await expect(signIn()).rejects.toMatchObject({ code: 'forbidden' })
    },
  )

  it('is refused ten minutes after the last confirmation, and goes on when the provider answers again', async () => {
    const { people, signIn, sessionOf, wait, state } = await openPeople()
    const secret = await signIn()
    const confirm = async () => (await people.confirm((await sessionOf(secret))!))?.user?.name
    state.confirm = unavailable
    for (const minutes of [3, 6, 9]) {
      wait(minutes * MINUTE)
      expect(await confirm()).toBe('ann')
    }
    wait(12 * MINUTE)
    await expect(confirm()).rejects.toMatchObject({ code: 'unavailable' })
    wait(12 * MINUTE + 1)
    await expect(confirm()).rejects.toMatchObject({ code: 'unavailable' })
    state.confirm = () => ({})
    wait(15 * MINUTE)
    expect(await confirm()).toBe('ann')
  })

  it('ends when the secret of the client was replaced, because its tokens cannot be read', async () => {
    const { create, signIn, sessionOf, wait, asked } = await openPeople()
    const secret = await signIn()
    wait(3 * MINUTE)
    expect(await create('another secret').confirm((await sessionOf(secret))!)).toBe(null)
    expect([await sessionOf(secret), asked]).toEqual([null, []])
  })

  it('is no session of another kind', async () => {
    const { people, office } = await openPeople()
    const other = {
      id: 'x',
      user: { kind: 'user', name: 'ci', role: 'admin', tokenId: 't' },
      dock: null,
      memberships: [],
      isScreen: false,
      provider: null,
    } as const
    office.clock.set('2026-12-16T14:00:00Z')
    expect(await people.confirm(other)).toBe(other)
  })
})

describe('sealed tokens', () => {
  const tokens = { idToken: 'i', accessToken: 'a', refreshToken: null }

  it('are read with the same secret alone, and only unchanged', () => {
    const sealer = createTokenSealer('secret')
    const sealed = sealer.seal(tokens)
    expect(sealer.unseal(sealed)).toEqual(tokens)
    expect(sealer.seal(tokens)).not.toBe(sealed)
    expect(createTokenSealer('other').unseal(sealed)).toBe(null)
    const bytes = Buffer.from(sealed, 'base64')
    for (let at = 0; at < bytes.length; at++) {
      const changed = Buffer.from(bytes)
      changed[at]! ^= 1
      expect(sealer.unseal(changed.toString('base64'))).toBe(null)
    }
    for (const text of ['', 'x', sealed.slice(0, 30)]) expect(sealer.unseal(text)).toBe(null)
  })
})
