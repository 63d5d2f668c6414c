import { describe, expect, it } from 'vitest'
import { createTenant } from '../../../src/access/operations/create-tenant'
import { inviteCarrier } from '../../../src/access/operations/invite-carrier'
import { listInvitations } from '../../../src/access/operations/list-invitations'
import { revokeInvitation } from '../../../src/access/operations/revoke-invitation'
import { redeemInvitationLink, verifyPortalSession } from '../../../src/access/services/portal-sessions'
import { tables } from '../../../src/storage'
import { dockCaller } from '../../dock-caller'
import { startMailServer } from '../../mail/mail-server'
import { openAccessOffice } from '../access-fixtures'

const BLUE = 'Blue Freight'

/** An admin of the docks of acme, who invites carriers of a service with a public address. */
async function open(settings: { mail?: object; publicUrl?: string | null } = {}) {
  const office = await openAccessOffice()
  const { mail = { url: null, from: null }, publicUrl = 'https://studio.example.com' } = settings
  const acme = await office.run(createTenant, { name: 'acme' })
  const other = await office.run(createTenant, { name: 'other' })
  const as = (...given: Parameters<typeof office.as>) => ({
    ...office.as(...given),
    mail,
    findPublicUrl: () => publicUrl,
  })
  const admin = as(dockCaller({ tenantId: acme.id, role: 'admin' }))
  const otherAdmin = as(dockCaller({ tenantId: other.id, role: 'admin' }))
  const invite = (input: object = {}, ctx = admin): Promise<any> =>
    office.run(inviteCarrier as never, { carrier: BLUE, ...input }, ctx)
  const refusal = (input: object, ctx = admin) =>
    office.refusal(inviteCarrier as never, { carrier: BLUE, ...input }, ctx)
  const redeem = (link: string, replaces: string | null = null) =>
    redeemInvitationLink(admin, link.split('#')[1]!, { replaces })
  const find = (secret: string | null) => verifyPortalSession(office.db, secret!, office.clock.now())
  return { ...office, as, acme, admin, otherAdmin, invite, refuse: refusal, redeem, find }
}

describe('an invitation', () => {
  it('gives a link, which opens a session of the carrier and the tenant once', async () => {
    const { invite, redeem, find, acme } = await open()
    const { id, link, mailProblem, ...invited } = await invite()
    expect(invited).toMatchObject({ tenant: 'acme', carrier: BLUE, email: null, state: 'live', lastUsedAt: null })
    expect(mailProblem).toBeNull()
    expect(link).toMatch(/^https:\/\/studio\.example\.com\/portal\/sign-in#studio_inv_[0-9A-Za-z]{36}$/)
    const session = await find(await redeem(link))
    expect(session).toMatchObject({ tenant: 'acme', carrier: BLUE })
    expect(session!.dock).toEqual({
      kind: 'dock',
      tenantId: acme.id,
      role: 'clerk',
      carrier: BLUE,
      credential: { kind: 'invitation', id, name: 'portal: Blue Freight' },
    })
    expect(await redeem(link)).toBeNull()
  })

  it('opens one session of two that are begun with its link at once', async () => {
    const { invite, redeem } = await open()
    const { link } = await invite()
    const opened = await Promise.all([redeem(link), redeem(link), redeem(link)])
    expect(opened.filter((secret) => secret !== null)).toHaveLength(1)
  })

  it('has its secrets stored as hashes', async () => {
    const { invite, redeem, db } = await open()
    const { link } = await invite()
    const secret = (await redeem(link))!
    const rows = await db.read((tx) => tables<any>(tx).selectFrom('portal_credential').selectAll().execute())
    expect(rows).toHaveLength(2)
    for (const text of [link.split('#')[1]!, secret]) expect(JSON.stringify(rows)).not.toContain(text)
  })

  it('ends its link and its sessions when it expires, and when it is revoked', async () => {
    const { invite, redeem, find, clock, run, admin } = await open()
    const short = await invite({ expires: '1h' })
    const unopened = await invite({ expires: '1h' })
    const secret = await redeem(short.link)
    const revoked = await invite()
    const other = await redeem(revoked.link)
    expect(await run(revokeInvitation, { id: revoked.id }, admin)).toMatchObject({ state: 'revoked' })
    expect(await find(other)).toBeNull()
    expect(await find(secret)).not.toBeNull()
    clock.set('2026-11-16T15:00:00Z')
    expect(await find(secret)).toBeNull()
    expect(await redeem(unopened.link)).toBeNull()
  })

  it('names its address in what the carrier changes', async () => {
    const { invite, redeem, find } = await open()
    const { link, mailProblem } = await invite({ email: 'Ana@Blue.example' })
    expect(mailProblem).toBe('no mail server is set (STUDIO_SMTP_URL)')
    expect((await find(await redeem(link)))!.dock.credential.name).toBe('portal: Blue Freight <ana@blue.example>')
  })

  it('ends the session that the browser had before', async () => {
    const { invite, redeem, find } = await open()
    const first = await redeem((await invite()).link)
    const second = await redeem((await invite({ carrier: 'Acme' })).link, first)
    expect(await find(first)).toBeNull()
    expect(await find(second)).toMatchObject({ carrier: 'Acme' })
  })

  it('gives a path where the address of the service is not set', async () => {
    const { invite } = await open({ publicUrl: null })
    expect((await invite()).link).toMatch(/^\/portal\/sign-in#studio_inv_/)
  })
})

describe('a mailed invitation', () => {
  it('does not show its link to who invites, so that the history names who reads the mail', async () => {
    const mails = await startMailServer()
    const { invite } = await open({ mail: { url: mails.url(), from: 'docks@example.com' } })
    const invited = await invite({
      carrier: 'Blue <b> & Co',
      email: 'ana@blue.example',
      expires: '2026-12-24T00:00:00Z',
    })
    expect(invited).toMatchObject({ link: null, mailProblem: null })
    const [mail] = mails.received
    expect(mail).toMatchObject({ to: ['ana@blue.example'], subject: 'Book dock appointments for Blue <b> & Co' })
    expect(mail!.text).toMatch(/https:\/\/studio\.example\.com\/portal\/sign-in#studio_inv_[0-9A-Za-z]{36}/)
    expect(mail!.text).toContain('once, until 2026-12-24')
    expect(mail!.text).toContain('Blue &#60;b&#62; &#38; Co')
  })

  it('shows the link and why, if the mail server refuses the mail', async () => {
    const mails = await startMailServer(() => 550)
    const { invite } = await open({ mail: { url: mails.url(), from: 'docks@example.com' } })
    const invited = await invite({ email: 'ana@blue.example' })
    expect(invited.link).toContain('#studio_inv_')
    expect(invited.mailProblem).toContain('the mail server refused it')
  })
})

describe('invitations', () => {
  it('are listed newest first, with those that ended', async () => {
    const { invite, run, clock, admin } = await open()
    const a = await invite({ expires: '1h' })
    clock.set('2026-11-16T16:00:00Z')
    const b = await invite({ email: 'ana@blue.example' })
    expect(await run(listInvitations, {}, admin)).toMatchObject([
      { id: b.id, state: 'live', email: 'ana@blue.example' },
      { id: a.id, state: 'expired' },
    ])
    expect(JSON.stringify(await run(listInvitations, {}, admin))).not.toContain('studio_inv_')
  })

  it('of another tenant are neither listed nor revoked', async () => {
    const { invite, run, refusal, otherAdmin, admin } = await open()
    const { id } = await invite()
    expect(await run(listInvitations, {}, otherAdmin)).toEqual([])
    expect(await refusal(revokeInvitation, { id }, otherAdmin)).toMatchObject({ code: 'not_found' })
    expect(await run(listInvitations, {}, admin)).toMatchObject([{ state: 'live' }])
  })

  it.each([
    ['an expiry in the past', { expires: '2026-11-16T13:00:00Z' }, 'expires'],
    ['an expiry after more than 366 days', { expires: '367d' }, 'expires'],
    ['no address', { email: 'ana' }, 'email'],
    ['a line break in the name', { carrier: 'Blue\r\nBcc: x@example.com' }, 'carrier'],
  ])('are refused for %s', async (_, input, path) => {
    const { refuse } = await open()
    expect(await refuse(input)).toMatchObject({ code: 'invalid', details: [{ path }] })
  })

  it('are at most 50 of a carrier at a time', async () => {
    const { invite, refuse } = await open()
    for (let i = 0; i < 50; i++) await invite({ expires: '1h' })
    expect(await refuse({})).toMatchObject({ code: 'conflict', message: 'Blue Freight has 50 live invitations.' })
    expect((await invite({ carrier: 'Acme' })).state).toBe('live')
  })
})
