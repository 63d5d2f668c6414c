import type { ResultOf } from '../../src/catalog'
import { pluralize } from '../../src/kernel/text'
import { type Canvas, facts, printableLine, table } from '../layout'

export function renderNewWebhook({ id, url, secret }: ResultOf<'webhooks.add'>, canvas: Canvas): string {
  const rows: [string, string][] = [
    ['URL', printableLine(url)],
    ['Secret', canvas.colors.strong(secret)],
    ['ID', id],
  ]
  return `${facts(canvas, rows)}Copy the secret now: it is not shown again. Send a test event: studio webhook test ${id}\n`
}

export function renderWebhooks(webhooks: ResultOf<'webhooks.list'>, canvas: Canvas): string {
  if (webhooks.length === 0) return 'There are no webhooks. Add one: studio webhook add <url>\n'
  return table(canvas, webhooks, [
    { title: 'URL', text: ({ url }) => printableLine(url) },
    { title: 'PENDING', text: ({ pending }) => String(pending) },
    { title: 'DEAD', text: ({ dead }) => String(dead) },
    { title: 'ID', text: ({ id }) => id, below: true },
  ])
}

export function renderDeadLetters(letters: ResultOf<'webhooks.dead-letters'>, canvas: Canvas): string {
  if (letters.length === 0) return 'There are no dead letters.\n'
  return table(canvas, letters, [
    { title: 'EVENT', text: ({ eventId }) => String(eventId) },
    { title: 'KIND', text: ({ event }) => event },
    { title: 'GIVEN UP', text: ({ deadAt }) => `${deadAt.slice(0, 16)}Z` },
    { title: 'WHY', text: ({ error, attempts }) => `${printableLine(error ?? '')}, ${pluralize(attempts, 'attempt')}` },
  ])
}

export function renderDelivery({ delivered, failed, dead }: ResultOf<'webhooks.deliver'>): string {
  return `${pluralize(delivered, 'event')} delivered, ${failed} to be tried again, ${dead} given up.\n`
}
