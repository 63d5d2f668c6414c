import { describe, expect, it } from 'vitest'
import type { AccessTables } from '../../../src/access/migrations'
import { addPerson } from '../../../src/access/operations/add-person'
import { createTenantKey } from '../../../src/access/operations/create-tenant-key'
import { listPeople } from '../../../src/access/operations/list-people'
import { listSessions } from '../../../src/access/operations/list-sessions'
import { removePerson } from '../../../src/access/operations/remove-person'
import { revokeSession } from '../../../src/access/operations/revoke-session'
import { updatePerson } from '../../../src/access/operations/update-person'
import { findPerson } from '../../../src/access/queries/people'
import { getPersonName } from '../../../src/access/schemas'
import {
  createMailedLink,
  openSession,
  redeemSessionLink,
  verifySession,
} from '../../../src/access/services/console-sessions'
import { verifyTenantKey } from '../../../src/access/services/verify-credential'
import type { PersonTable } from '../../../src/access/tables'
import { DAY_MS } from '../../../src/kernel/time'
import { tables } from '../../../src/storage'
import { openAccessOffice } from '../access-fixtures'

const email = 'ana@example.com'
const browser = { address: '192.0.2.7', userAgent: 'Firefox', replaces: null }

const toMailed = (person: PersonTable) => ({ email, name: getPersonName(person), role: person.role })

/** Ana is an editor. Nothing sends her mails: a test takes the links. */
async function open() {
  const office = await openAccessOffice()
  const ctx = office.as({ kind: 'terminal', tenant: 'default' })
  await office.run(addPerson, { email: 'Ana@Example.com', role: 'editor' })
  const link = async () =>
    (await office.db.write(async (tx) => createMailedLink(ctx, tx, toMailed((await findPerson(tx, email))!)))).secret
  const redeem = (secret: string, replaces: string | null = null) =>
    redeemSessionLink(ctx, secret, { ...browser, replaces })
  const signIn = async (replaces: string | null = null) => (await redeem(await link(), replaces))!
  const find = (secret: string) => verifySession(office.db, secret, office.clock.now())
  return { ...office, ctx, link, redeem, signIn, find }
}

describe('a person', () => {
  it('is added once, in any letter case, and listed by address', async () => {
    const { run, refusal } = await open()
    await run(addPerson, { email: 'lee@example.com', name: 'Lee' })
    expect(await refusal(addPerson, { email: 'ANA@example.com' })).toMatchObject({ code: 'conflict' })
    expect(await run(listPeople, {})).toMatchObject([
      { email, name: null, role: 'editor' },
      { email: 'lee@example.com', name: 'Lee', role: 'reader' },
    ])
  })

  it.each([updatePerson, removePerson])('must be there for $id', async (op) => {
    const { refusal } = await open()
    expect(
      await refusal(op, { email: 'lee@example.com', ...(op === updatePerson && { role: 'reader' }) }),
    ).toMatchObject({ code: 'not_found' })
  })

  it('is changed in what the call names alone, of which there must be something', async () => {
    const { run, refusal } = await open()
    expect(await run(updatePerson, { email, name: 'Ana' })).toMatchObject({ name: 'Ana', role: 'editor' })
    expect(await run(updatePerson, { email, role: 'reader' })).toMatchObject({ name: 'Ana', role: 'reader' })
    expect(await refusal(updatePerson, { email })).toMatchObject({ code: 'invalid' })
  })

  it.each([addPerson, listPeople, updatePerson, removePerson])('$id is for administrators alone', async (op) => {
    const { refusal, as } = await open()
    expect(await refusal(op, {}, as({ kind: 'local' }))).toMatchObject({ code: 'unauthenticated' })
  })
})

describe('a session of a person', () => {
  it('has the present name and role of the person, in lists too, as have links that were not opened', async () => {
    const { run, link, redeem, signIn, find } = await open()
    const [early, session] = [await link(), await signIn()]
    expect(await find(session)).toMatchObject({ user: { name: email, role: 'editor', personId: email } })
    await run(updatePerson, { email, role: 'admin', name: 'Ana' })
    expect(await find(session)).toMatchObject({ user: { name: 'Ana', role: 'admin', personId: email } })
    expect((await run(listSessions, {})).map(({ kind, name, role }) => [kind, name, role]).sort()).toEqual([
      ['link', 'Ana', 'admin'],
      ['session', 'Ana', 'admin'],
    ])
    expect(await find((await redeem(early))!)).toMatchObject({ user: { name: 'Ana', role: 'admin' } })
  })

  it('ends with the person, and does not come back if the address is added again', async () => {
    const { run, link, redeem, signIn, find } = await open()
    const [unused, session] = [await link(), await signIn()]
    await run(removePerson, { email })
    expect(await run(listSessions, {})).toEqual([])
    expect([await redeem(unused), await find(session)]).toEqual([null, null])
    await run(addPerson, { email, role: 'admin' })
    expect([await redeem(unused), await find(session)]).toEqual([null, null])
  })

  it('is opened by one of two browsers that open a link together', async () => {
    const { link, redeem } = await open()
    const shared = await link()
    const both = await Promise.all([redeem(shared), redeem(shared)])
    expect(both.filter((secret) => secret !== null)).toHaveLength(1)
  })

  it('is opened together with a dock key, whichever comes first', async () => {
    const { run, ctx, db, signIn, find, clock } = await open()
    const { key } = await run(createTenantKey, { scope: 'write' })
    const found = (await verifyTenantKey(db, key, clock.now()))!
    const addKey = (replaces: string | null) => openSession(ctx, { dock: found }, { ...browser, replaces })
    for (const secret of [await addKey(await signIn()), await signIn(await addKey(null))]) {
      expect(await find(secret)).toMatchObject({ user: { personId: email }, dock: { role: 'manager' } })
    }
    await run(removePerson, { email })
    expect(await run(listSessions, {})).toEqual([])
  })

  it('is revoked by its ID, as is a link', async () => {
    const { run, link, redeem, signIn, find } = await open()
    const [unused, session] = [await link(), await signIn()]
    for (const { id } of await run(listSessions, {})) await run(revokeSession, { id })
    expect([await redeem(unused), await find(session)]).toEqual([null, null])
  })
})

it('links that are requested for weeks, and never opened, do not fill the database', async () => {
  const { db, clock, link } = await open()
  const first = clock.now()
  for (let day = 0; day < 30; day++) {
    clock.set(new Date(first + day * DAY_MS).toISOString())
    await link()
  }
  const rows = await db.read((tx) => tables<AccessTables>(tx).selectFrom('console_session').select('id').execute())
  expect(rows).toHaveLength(8)
})
