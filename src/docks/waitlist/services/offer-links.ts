import { createHmac, timingSafeEqual } from 'node:crypto'
import { type Context, type DockCaller, StudioError } from '../../../kernel'
import type { StorageContext } from '../../../storage'
import type { WebhookTable } from '../../events/migrations'
import { type AnswerLinks, describeWaiting, type Fact, listFacts } from '../../events/rules/mail-content'
import { isTextTarget, listRecipients } from '../../events/rules/mail-recipients'
import { listSecrets } from '../../events/services/signed-requests'
import {
  findAnyWebhook,
  findFacility,
  findWaitlistEntry,
  findWaitlistEntryOfHold,
  type WaitlistEntry,
} from '../../queries'
import { restrictToCaller } from '../../services/tenant-access'
import { presentOffer, presentWaiting } from './waitlist-events'

type Mailer = Pick<WebhookTable, 'id' | 'secret'>

/** The reader of a mail or a text message, by address or number, and the hold of the offer that it is about. */
interface Addressed {
  holdId: string
  to: string
}

/**
 * The links of a mail about an offer. What authorizes is after `#`, where no server or log sees it. It is the same whenever the mail is
 * sent, is stored nowhere, and is good until the offer ends, or the webhook is removed or no longer gets the offer.
 */
export function createAnswerLinks(publicUrl: string, mailer: Mailer, addressed: Addressed): AnswerLinks {
  const { holdId, to } = addressed
  const token = [PREFIX, holdId, mailer.id, sign(mailer.secret, addressed), encode(to)].join('.')
  const page = `${publicUrl}/console/offer`
  return { accept: `${page}/accept#${token}`, decline: `${page}/decline#${token}` }
}

/** By which the script of a page knows a secret. */
const PREFIX = 'studio_offer_'
/** Longer than any token: an e-mail address has at most 254 characters. */
const MAX_TOKEN = 600

const encode = (text: string) => Buffer.from(text).toString('base64url')

function sign(secret: string, { holdId, to }: Addressed): string {
  return createHmac('sha256', secret).update(`offer\n${holdId}\n${to}`).digest('base64url')
}

/** What a link is good for. */
export interface LinkedOffer {
  /** The reader of the mail, who may answer this offer. */
  actor: DockCaller
  entryId: string
  holdId: string
  referenceNumber: string
  /** For people to read. */
  facts: Fact[]
}

/** Null if the offer has ended, or its carrier is no longer admitted. Throws `unauthenticated` for a link that no mail of the service had, or whose reader gets no mails any more. */
export async function findOfferOfLink(
  ctx: Pick<Context & StorageContext, 'db' | 'clock'>,
  token: string,
): Promise<LinkedOffer | null> {
  const [prefix, holdId = '', webhookId = '', signature = '', encoded = '', ...rest] =
    token.length > MAX_TOKEN ? [] : token.split('.')
  const to = Buffer.from(encoded, 'base64url').toString()
  return ctx.db.read(async (tx) => {
    const webhook = await findAnyWebhook(tx, webhookId)
    if (
      prefix !== PREFIX ||
      rest.length > 0 ||
      webhook === null ||
      !listSecrets(webhook, ctx.clock.now()).some((secret) => isSignature(signature, secret, { holdId, to }))
    )
      throw invalidLinkError()
    const held = await findWaitlistEntryOfHold(tx, holdId)
    const entry = held && (await findWaitlistEntry(tx, webhook.tenant_id, held.id))
    if (!entry?.offer || entry.offer.expiresAt <= ctx.clock.now()) return null
    if (!isReader(webhook, entry, to)) throw invalidLinkError()
    const { request } = entry
    const actor: DockCaller = {
      kind: 'dock',
      tenantId: webhook.tenant_id,
      role: 'clerk',
      carrier: entry.carrier,
      credential: {
        kind: 'offer',
        id: holdId,
        name: `${to} (${isTextTarget(webhook) ? 'text message' : 'mail'} of an offer)`,
      },
    }
    const found = await findFacility(tx, webhook.tenant_id, { id: entry.facilityId })
    const facility = found && restrictToCaller({ actor, clock: ctx.clock }, found)
    if (!facility) return null
    const shown = { ...presentWaiting(entry, facility), facilityName: facility.name, siteFields: null }
    const data = { entry: shown, offer: presentOffer(holdId, entry.offer), cause: null }
    const facts = listFacts(describeWaiting({ data }, null))
    return { actor, entryId: entry.id, holdId, referenceNumber: request.referenceNumber, facts }
  })
}

/** Whether the webhook, as it is now, would send the address a mail about the entry. */
function isReader(webhook: WebhookTable, { facilityId, request }: WaitlistEntry, address: string): boolean {
  const isOfFacility = webhook.facility_id === null || webhook.facility_id === facilityId
  const readers = listRecipients(webhook, { subject: request, changes: [] })
  return isOfFacility && readers.some(({ to, isLost }) => to === address && !isLost)
}

function isSignature(given: string, secret: string, addressed: Addressed): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(sign(secret, addressed))]
  return secret !== '' && a.length === b.length && timingSafeEqual(a, b)
}

function invalidLinkError(): StudioError {
  return new StudioError('unauthenticated', 'This link is not complete, or is no longer valid.', {
    hint: 'Open the link in the newest mail again, or ask the site.',
  })
}
