import * as z from 'zod'
import { Text } from '../rules/text'
import { Instant } from '../schemas'
import { eventTypes } from './rules/event-types'
import { CONTACTS } from './rules/mail-recipients'
import { formatVariable } from './rules/template-text'
import { findBodyError } from './rules/text-message'

export const WebhookId = z.guid().toLowerCase().describe('Webhook ID')

const MailTarget = z
  .string()
  .startsWith('mailto:')
  .refine((url) => z.email().safeParse(url.slice('mailto:'.length)).success)

export const WebhookAddress = z
  .union(
    [z.url({ protocol: /^https?$/ }), MailTarget, z.literal(CONTACTS)],
    'must be an https address, mailto: and an e-mail address, or contacts',
  )
  .refine((url) => url.length <= 2_000, 'must have at most 2000 characters')
  .describe(
    'Where the events go: an https address on the public Internet, mailto:name@example.com, or contacts for the contacts of each appointment',
  )

export const BodyTemplate = Text.min(1)
  .max(5000)
  .overwrite((text) => text.replace(/\r\n?/g, '\n'))
  .superRefine((template, context) => {
    const error = findBodyError(template)
    if (error !== null) context.addIssue({ code: 'custom', message: error })
  })
  .describe(
    `Sends text messages: the body of each request, JSON or a form, with ${formatVariable('phone')} or ${formatVariable('phone_digits')}, ${formatVariable('text')}, and the variables of one line that mails have`,
  )

export const Authorization = z
  .string()
  .trim()
  .min(1)
  .max(4000)
  .refine((value) => /^[\x20-\x7e]*$/.test(value), 'must have only printable ASCII characters')
  .describe(
    'Value of the header Authorization of each request, such as Bearer or Basic and a credential. It is never shown',
  )

/** In any order; each counts once. */
export const EventTypes = z.array(z.enum(eventTypes)).min(1).max(eventTypes.length)

export const previousSecretUntil = Instant.nullable().describe(
  'Until when events are signed with the previous secret too; null if they are not',
)

export const webhookFields = {
  id: z.string(),
  url: z.string(),
  facilityId: z.string().nullable().describe('Only events of this facility; null for all'),
  carrierName: z.string().nullable().describe('Only events of this carrier; null for all'),
  events: EventTypes.nullable().describe('Only events of these types; null for all'),
  bodyTemplate: z.string().nullable().describe('Body of the text messages; null if it gets the events themselves'),
  hasAuthorization: z.boolean().describe('Whether its requests have the header Authorization'),
  createdAt: Instant,
  previousSecretUntil,
}

export const WebhookKey = z.object({
  ...webhookFields,
  secret: z.string().nullable().describe('Checks the signature of events. It is shown only now; null for e-mail'),
})

export const Webhook = z.object({
  ...webhookFields,
  pending: z.int().describe('Events that are not accepted yet'),
  dead: z.int().describe('Events that were given up after the last attempt'),
  stoppedAt: Instant.nullable().describe(
    'When it was stopped because its receiver is gone; null while events are sent',
  ),
  stopReason: z.string().nullable(),
})
