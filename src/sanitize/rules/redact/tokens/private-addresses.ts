import { type Finding, findWithin, type Run } from '../finding'

/** The form of an address that anyone who knows it can use, because a part of it is a secret. */
interface AddressForm {
  /** The pattern is tried only if the text contains this in lower case. */
  hint: string
  pattern: RegExp
}

const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'

/** Lists addresses whose secret part is shorter or more regular than those that `webhooks.ts` finds. */
const forms: readonly AddressForm[] = [
  form('hooks.zapier.com/', 'hooks\\.zapier\\.com/hooks/\\w{1,20}(?:/\\w{4,40}){2,4}/?'),
  form('maker.ifttt.com/', 'maker\\.ifttt\\.com/(?:trigger/[\\w-]{1,80}(?:/json)?/with/key|use)/[\\w-]{8,80}'),
  // n8n and others: the path of the hook is a UUID.
  form(
    '/webhook',
    `[\\w.-]{1,253}(?::\\d{1,5})?(?:/[\\w-]{1,40}){0,3}/webhook(?:-test|-waiting)?/${UUID}(?:/[\\w./-]{0,200})?`,
  ),
  form('webhook.site', `(?:${UUID}\\.)?(?:email)?webhook\\.site/(?:#!/)?(?:view/)?${UUID}(?:/[\\w./-]{0,200})?`),
  form('.webhook.site', `${UUID}\\.(?:email)?webhook\\.site`),
  form('pagerduty.com/', 'events(?:\\.eu)?\\.pagerduty\\.com/integration/[0-9a-z]{16,64}(?:/\\w{1,20})?'),
  form(
    '/calendar/ical/',
    'calendar\\.google\\.com/calendar/ical/[\\w.@%+-]{1,200}/private-[0-9a-f]{16,64}/[\\w.-]{1,40}',
  ),
  form(
    '/owa/calendar/',
    'outlook\\.(?:office365|office|live)\\.com/owa/calendar/[\\w.@%+-]{1,200}/[\\w-]{16,80}/[\\w./-]{1,80}',
  ),
  form('caldav.icloud.com/', 'p\\d{1,3}-caldav\\.icloud\\.com/published/\\d/[\\w-]{16,300}'),
  form('hc-ping.com/', `hc-ping\\.com/(?:${UUID}|[\\w-]{16,40}/[\\w-]{1,80})(?:/\\w{1,20})?`),
  form('.pipedream.net', '[0-9a-z]{12,40}\\.m\\.pipedream\\.net(?:/[\\w./-]{0,200})?'),
]

function form(hint: string, body: string): AddressForm {
  return { hint, pattern: new RegExp(`(?<![\\w.@-])(?:(?:https?|webcal)://)?${body}`, 'gi') }
}

/** Finds private addresses: hooks of automation services, feeds of calendars, pings of monitors. They are removed whole. */
export function findPrivateAddresses(runs: readonly Run[]): Finding[] {
  const addresses = runs.filter(({ text }) => text.includes('.') && /[/.](?:webhook|\w)/.test(text))
  if (addresses.length === 0) return []
  const lower = addresses.map(({ text }) => text.toLowerCase()).join(' ')
  return forms.flatMap(({ hint, pattern }) => (lower.includes(hint) ? findWithin(addresses, pattern, 'token') : []))
}
