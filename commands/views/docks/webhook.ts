import type { ResultOf } from '../../../src/catalog'
import { nameEventType } from '../../../src/docks'
import { pluralize } from '../../../src/kernel/text/text'
import { type Canvas, facts, printableLine, table } from '../../terminal/layout'

export function renderNewWebhook(
  { id, url, secret, bodyTemplate, hasAuthorization }: ResultOf<'webhooks.add'>,
  canvas: Canvas,
): string {
  const rows: [string, string][] = [
    ['URL', printableLine(url)],
    ...(bodyTemplate === null ? [] : [['Body', printableLine(bodyTemplate)] as [string, string]]),
    ...(hasAuthorization ? [['Authorization', 'set'] as [string, string]] : []),
    ...(secret === null ? [] : [['Secret', canvas.colors.strong(secret)] as [string, string]]),
    ['ID', id],
  ]
  const what = secret === null ? 'mail' : bodyTemplate === null ? 'event' : 'message'
  const copy = secret === null ? '' : 'Copy the secret now: it is not shown again. '
  const phone = bodyTemplate === null ? '' : ' --phone <number>'
  return `${facts(canvas, rows)}${copy}Send a test ${what}: studio webhook test ${id}${phone}\n`
}

export function renderNewSecret(
  { id, secret, previousSecretUntil }: ResultOf<'webhooks.rotate-secret'>,
  canvas: Canvas,
): string {
  const previous = previousSecretUntil === null ? 'no longer valid' : `valid until ${previousSecretUntil}`
  const rows: [string, string][] = [
    ['New secret', canvas.colors.strong(secret)],
    ['Previous secret', previous],
  ]
  return `${facts(canvas, rows)}Copy the secret now: it is not shown again. Send a test event: studio webhook test ${id}\n`
}

export function renderWebhooks(webhooks: ResultOf<'webhooks.list'>, canvas: Canvas): string {
  if (webhooks.length === 0) return 'There are no webhooks. Add one: studio webhook add <url>\n'
  return table(canvas, webhooks, [
    {
      title: 'URL',
      text: ({ url, bodyTemplate }) => `${printableLine(url)}${bodyTemplate === null ? '' : ' (text messages)'}`,
    },
    { title: 'CARRIER', text: ({ carrierName }) => carrierName ?? '', shrink: 'cut' },
    {
      title: 'EVENTS',
      text: ({ events }) => events?.map(nameEventType).join(', ') ?? 'all',
      shrink: 'cut',
    },
    { title: 'PENDING', text: ({ pending }) => String(pending), align: 'right' },
    { title: 'DEAD', text: ({ dead }) => String(dead), align: 'right' },
    {
      title: 'STATE',
      text: ({ stopReason }) => (stopReason === null ? 'active' : `stopped: ${printableLine(stopReason)}`),
    },
    { title: 'ID', text: ({ id }) => id, below: true },
  ])
}

export function renderDeadLetters(letters: ResultOf<'webhooks.dead-letters'>, canvas: Canvas): string {
  if (letters.length === 0) return 'There are no dead letters.\n'
  return table(canvas, letters, [
    { title: 'EVENT', text: ({ eventId }) => eventId },
    { title: 'KIND', text: ({ event }) => event },
    { title: 'GIVEN UP', text: ({ deadAt }) => `${deadAt.slice(0, 16)}Z` },
    { title: 'WHY', text: ({ error, attempts }) => `${printableLine(error ?? '')}, ${pluralize(attempts, 'attempt')}` },
  ])
}

export function renderDelivery({ delivered, failed, dead, stopped }: ResultOf<'webhooks.deliver'>): string {
  const counts = `${pluralize(delivered, 'event')} delivered, ${failed} to be tried again, ${dead} given up.\n`
  return stopped === 0 ? counts : `${counts}${pluralize(stopped, 'webhook')} stopped: studio webhook list\n`
}
