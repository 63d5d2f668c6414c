import type { ResultOf } from '../../../src/catalog'
import { type Canvas, facts, printableLine } from '../../terminal/layout'

export function renderTrackerHooks(answer: ResultOf<'tracker.hooks'>, canvas: Canvas): string {
  const { product, page, fields, events, registered, tested, receivedAt } = answer
  const rows: [string, string][] = [
    ...(page === null ? [] : [['Page', printableLine(page)] as [string, string]]),
    ...fields.map(({ name, value }): [string, string] => [name, printableLine(value)]),
    ['Events', events.join(', ')],
  ]
  const last =
    receivedAt === null ? 'No event has arrived yet.' : `The last event arrived at ${receivedAt.slice(0, 19)}Z.`
  const status = [
    ...(registered === null ? [] : [`The webhook was ${registered} in ${product}.`]),
    ...(tested ? ['The service accepted a test event.'] : []),
    last,
  ].join(' ')
  if (registered !== null) return `${status}\n`
  return `Enter this webhook in ${product}. Keep the secret as you keep a password.\n\n${facts(canvas, rows)}\n${status}\n`
}
