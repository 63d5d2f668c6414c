import * as z from 'zod'
import { type Context, hint, inputError, operation, StudioError, suggest } from '../../kernel'
import { pluralize } from '../../kernel/text/text'
import { DAY_MS, formatInstant } from '../../kernel/time'
import { type MailSettings, openMailServer, refuseMail } from '../../mail'
import type { StorageContext } from '../../storage'
import { CarrierInvitation, toCarrierInvitation } from '../invitation-schemas'
import { countLiveInvitations, insertInvitation } from '../queries/invitations'
import { EmailAddress, ManagedTenant, oneLine } from '../schemas'
import { parseExpiry } from '../services/credential'
import { composePortalMail, formatPortalLink } from '../services/invitation-mail'
import { openManagedTenant } from '../services/managed-tenant'
import { createInvitationLink } from '../services/portal-sessions'

const MAX_DAYS = 366
/** Each of them may send mails. */
const MAX_LIVE = 50

type InviteContext = Context & StorageContext & { mail: MailSettings; findPublicUrl(): string | null }

export const inviteCarrier = operation({
  id: 'carriers.invite',
  summary: 'Invite a carrier to the portal, where it books without an API',
  description:
    'Creates a link that opens the portal in one browser, once. It shows the appointments of this carrier alone, at the facilities that admit it and within its limits there. With an e-mail address, the link is mailed and not shown, and its reader can request further links on the page `/portal/sign-in` until the invitation expires or is revoked. Without an address, or if the mail is not accepted, the link is shown once, and you send it. It is a path until the setting serve.publicUrl says where others reach the service.',
  effect: 'write',
  recorded: 'from-start',
  access: { docks: 'admin', serviceAdmins: true },
  input: z.strictObject({
    tenant: ManagedTenant,
    carrier: oneLine(200).describe('Name of the carrier, as written in its appointments'),
    email: EmailAddress.nullish().describe('Address that gets the link, and can request further ones'),
    expires: z
      .string()
      .default('90d')
      .describe('When the access ends: 30d, 8w, or an instant such as 2027-01-31T00:00:00Z; at most 366 days ahead'),
  }),
  output: CarrierInvitation.extend({
    link: z.string().nullable().describe('Opens the portal once; null if it was mailed. Only its hash is stored'),
    mailProblem: z.string().nullable().describe('Why the link was not mailed; null if it was, or without an address'),
  }),
  errors: ['not_found', 'conflict'],
  http: { method: 'post', path: '/api/carrier-invitations', extension: true, hasSecret: true },
  cli: {
    command: 'carrier invite',
    args: ['carrier'],
    flags: { expires: { value: '30d|instant' } },
    notice: () => 'It opens the facilities that admit the carrier: studio carrier admit <code> <carrier>',
    examples: [
      'studio carrier invite "Blue Freight" --email dispatch@bluefreight.example',
      'studio carrier invite "Blue Freight" --expires 30d --json --fields id,link',
    ],
    seeAlso: ['carrier admit', 'carrier invitation list', 'carrier invitation revoke', 'tenant key create'],
  },
  async run(ctx: InviteContext, { tenant: tenantName, carrier, email = null, expires }) {
    const now = ctx.clock.now()
    const expiry = parseExpiry(expires, now)
    if ('problem' in expiry) throw inputError([{ path: 'expires', message: expiry.problem }])
    if (expiry.at > now + MAX_DAYS * DAY_MS)
      throw inputError([{ path: 'expires', message: `must be at most ${MAX_DAYS} days ahead` }])
    const { tenant, row, secret } = await ctx.db.write(async (tx) => {
      const tenant = await openManagedTenant(ctx, tx, tenantName)
      if ((await countLiveInvitations(tx, { tenantId: tenant.id, carrier, now })) >= MAX_LIVE)
        throw new StudioError('conflict', `${carrier} has ${pluralize(MAX_LIVE, 'live invitation')}.`, {
          hint: hint`Revoke one first: ${suggest('carriers.list-invitations')}`,
        })
      const row = {
        id: ctx.ids.uuid(),
        tenant_id: tenant.id,
        carrier_name: carrier,
        email,
        created_at: now,
        expires_at: expiry.at,
        last_used_at: null,
        revoked_at: null,
      }
      await insertInvitation(tx, row)
      return { tenant: tenant.name, row, secret: await createInvitationLink(ctx, tx, row) }
    })
    const link = formatPortalLink(ctx.findPublicUrl(), secret)
    const mailProblem =
      email === null ? null : await mailLink(ctx, { id: row.id, tenant, carrier, email, link, expiresAt: expiry.at })
    const isMailed = email !== null && mailProblem === null
    return { ...toCarrierInvitation(tenant, row, now), link: isMailed ? null : link, mailProblem }
  },
})

/** Returns null if the mail server accepted the mail, or else why it was not sent. */
async function mailLink(
  { mail, findPublicUrl }: InviteContext,
  given: { id: string; tenant: string; carrier: string; email: string; link: string; expiresAt: number },
): Promise<string | null> {
  const refusal = refuseMail(mail)
  if (refusal !== null) return refusal
  if (findPublicUrl() === null) return 'the address of the service is not set (serve.publicUrl)'
  const server = openMailServer(mail)
  try {
    const works = `until ${formatInstant(given.expiresAt).slice(0, 10)}`
    const composed = composePortalMail({ ...given, works })
    return await server.send(given.email, composed, { senderName: 'studio', id: `invitation-${given.id}` })
  } finally {
    server.close()
  }
}
