import { describe, expect, it } from 'vitest'
import { createTenant } from '../../../src/access/operations/create-tenant'
import { addAttachment } from '../../../src/docks/attachments/operations/add-attachment'
import { getAttachment } from '../../../src/docks/attachments/operations/get-attachment'
import { listAttachments } from '../../../src/docks/attachments/operations/list-attachments'
import { bookAppointment } from '../../../src/docks/booking/operations/book-appointment'
import { cancelAppointment } from '../../../src/docks/booking/operations/cancel-appointment'
import { getAppointment } from '../../../src/docks/booking/operations/get-appointment'
import { rescheduleAppointment } from '../../../src/docks/booking/operations/reschedule-appointment'
import { deleteFacility } from '../../../src/docks/facilities/operations/delete-facility'
import { getFacility } from '../../../src/docks/facilities/operations/get-facility'
import { createGateLink } from '../../../src/docks/gate/operations/create-gate-link'
import { listGateLinks } from '../../../src/docks/gate/operations/list-gate-links'
import { revokeGateLink } from '../../../src/docks/gate/operations/revoke-gate-link'
import { findTruck, openGateLink } from '../../../src/docks/gate/services/gate-access'
import { checkInAppointment } from '../../../src/docks/visits/operations/check-in-appointment'
import { recordStep } from '../../../src/docks/visits/operations/record-step'
import { tables } from '../../../src/storage'
import { dockCaller } from '../../dock-caller'
import { load, NOW, officeWith } from '../dock-fixtures'

async function office(publicUrl: string | null = 'https://docks.example.com') {
  const opened = await officeWith()
  const ctx = { ...opened.ctx, findPublicUrl: () => publicUrl }
  const create = (input: object = {}): Promise<any> => opened.run(createGateLink, { id: 'DC1', ...input }, ctx as never)
  const list = () => opened.run(listGateLinks, { facilityCode: 'DC1' })
  const open = ({ link }: { link: string }, now = NOW) => openGateLink(opened.db, link.split('#')[1]!, now)
  return { ...opened, ctx, create, list, open }
}

describe('a gate link', () => {
  it('is shown once; its secret is after the #, and only its hash is stored', async () => {
    const { create, list, db } = await office()
    const made = await create({ name: 'North gate', kiosk: true })
    expect(made).toMatchObject({ facilityCode: 'DC1', name: 'North gate', kiosk: true, state: 'live', expiresAt: null })
    const [address, secret] = made.link.split('#')
    expect(address).toBe('https://docks.example.com/gate')
    expect(secret).toMatch(/^studio_gat_\w{36}$/)
    expect(JSON.stringify(await list())).not.toContain(secret)
    const rows = await db.read((tx) => tables<any>(tx).selectFrom('gate_link').selectAll().execute())
    expect(JSON.stringify(rows)).not.toContain(secret)
    expect(rows).toMatchObject([{ hash: expect.stringMatching(/^[0-9a-f]{64}$/) }])
  })

  it('is a path where the address of the service is not set, and has the date as its name', async () => {
    const { create } = await office(null)
    expect(await create()).toMatchObject({ link: expect.stringMatching(/^\/gate#studio_gat_/), name: '2026-11-16' })
  })

  it('ends when it is revoked, when it expires, and with its facility', async () => {
    const { create, list, open, run } = await office()
    const [lasting, expiring, revoked] = [await create(), await create({ expires: '2h' }), await create()]
    expect(await run(revokeGateLink, { id: revoked.id })).toMatchObject({ state: 'revoked' })
    expect((await run(revokeGateLink, { id: revoked.id })).revokedAt).not.toBeNull()
    expect(await open(revoked)).toBeNull()
    expect(await open(expiring, NOW + 2 * 3_600_000 - 1)).not.toBeNull()
    expect(await open(expiring, NOW + 2 * 3_600_000)).toBeNull()
    expect(await open(lasting)).toMatchObject({ id: lasting.id, facilityName: 'North' })
    expect((await list()).map(({ state, lastUsedAt }) => [state, lastUsedAt !== null]).sort()).toEqual([
      ['live', true],
      ['live', true],
      ['revoked', false],
    ])
    await run(deleteFacility, { id: 'DC1' })
    expect(await open(lasting)).toBeNull()
  })

  it('replaces the others of its facility', async () => {
    const { create, list, open } = await office()
    const before = await create()
    const after = await create({ replace: true })
    expect([await open(before), (await open(after))?.id]).toEqual([null, after.id])
    expect((await list()).map(({ state }) => state).sort()).toEqual(['live', 'revoked'])
  })

  it('refuses an expiry that is none or is over, and a facility that there is not', async () => {
    const { create, refusal, ctx } = await office()
    for (const expires of ['soon', '2020-01-01T00:00:00Z', '0d'])
      await expect(create({ expires })).rejects.toMatchObject({ code: 'invalid' })
    expect((await refusal(createGateLink as never, { id: 'DC9' }, ctx)).code).toBe('not_found')
  })

  it('is not opened by a secret with another end, another kind or a wrong checksum', async () => {
    const { create, db } = await office()
    const secret = (await create()).link.split('#')[1]
    const wrong = [
      secret.replace('studio_gat_', 'studio_key_'),
      `${secret.slice(0, -1)}!`,
      secret.slice(0, -1),
      '',
      'x'.repeat(200),
    ]
    for (const one of wrong) expect(await openGateLink(db, one, NOW)).toBeNull()
  })

  it('needs a manager, and belongs to one tenant', async () => {
    const { create, run, refusal, as, ctx } = await office()
    const { id } = await create()
    await run(createTenant, { name: 'acme' })
    const acme = as({ kind: 'terminal', tenant: 'acme' })
    expect((await refusal(revokeGateLink, { id }, acme)).code).toBe('not_found')
    expect((await refusal(listGateLinks, { facilityCode: 'DC1' }, acme)).code).toBe('not_found')
    const clerk = { ...ctx, actor: dockCaller({ role: 'clerk' }) }
    for (const [op, input] of [
      [createGateLink, { id: 'DC1' }],
      [revokeGateLink, { id }],
      [listGateLinks, { facilityCode: 'DC1' }],
    ] as const)
      expect((await refusal(op as never, input, clerk)).code).toBe('forbidden')
  })
})

describe('the caller of a gate link', () => {
  it('checks in at its facility, under the name of the link, and may do nothing else', async () => {
    const { create, open, run, refusal, as } = await office()
    const driver = as((await open(await create({ name: 'North gate' })))!.caller)
    const { id } = (await run(bookAppointment, load({ targetDate: '2026-11-16' }))).data
    await run(checkInAppointment, { id }, driver)
    const { visit } = await run(getAppointment, { id })
    expect(visit).toMatchObject({ steps: [{ step: 'checked_in' }] })
    for (const [op, input] of [
      [recordStep, { id, step: 'departed' }],
      [getAppointment, { id }],
      [listAttachments, { id }],
      [addAttachment, { id, content: 'JVBERi0xLjQK' }],
      [getAttachment, { id }],
      [getFacility, { id: 'DC1' }],
      [bookAppointment, load()],
      [createGateLink, { id: 'DC1' }],
    ] as const)
      expect(await refusal(op as never, input, driver)).toMatchObject({
        code: 'forbidden',
        message: 'A gate link allows a check-in on its page and nothing else.',
      })
  })

  it.each([
    ['turned away', recordStep, { step: 'turned_away', note: 'No papers' }],
    ['moved to tomorrow', rescheduleAppointment, { targetDate: '2026-11-17' }],
    ['cancelled', cancelAppointment, {}],
  ])('checks in no truck that is %s after it was found', async (_, change, input) => {
    const { create, open, run, refusal, as, db } = await office()
    const link = (await open(await create()))!
    const { id } = (await run(bookAppointment, load({ referenceNumber: 'PO-1', targetDate: '2026-11-16' }))).data
    expect(await findTruck(db, link, { typed: 'PO-1', now: NOW })).toEqual({ id, isHere: false })
    await run(change as never, { id, ...input })
    expect((await refusal(checkInAppointment, { id }, as(link.caller))).code).toBe('invalid_state')
    const { visit } = await run(getAppointment, { id })
    expect(visit?.steps.map(({ step }: { step: string }) => step) ?? []).not.toContain('checked_in')
  })

  it('finds no appointment of another facility', async () => {
    const { create, open, run, refusal, as } = await office()
    const driver = as({ ...(await open(await create()))!.caller, facilityId: '00000000-0000-4000-8000-00000000ffff' })
    const { id } = (await run(bookAppointment, load())).data
    expect((await refusal(checkInAppointment, { id, early: true }, driver)).code).toBe('not_found')
  })
})
