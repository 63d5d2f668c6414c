import type { ResultOf } from '../../../src/catalog'
import { type Canvas, printableLine, table } from '../../terminal/layout'

export function renderGateLinks(list: ResultOf<'facilities.list-gate-links'>, canvas: Canvas): string {
  if (list.length === 0) return 'The facility has no gate links. Create one: studio facility gate-link <code>\n'
  return table(canvas, list, [
    { title: 'NAME', text: ({ name }) => printableLine(name), shrink: 'cut' },
    { title: 'FOR', text: ({ kiosk }) => (kiosk ? 'kiosk' : 'phones') },
    { title: 'STATE', text: ({ state }) => state },
    { title: 'CREATED', text: ({ createdAt }) => createdAt.slice(0, 10) },
    { title: 'LAST USED', text: ({ lastUsedAt }) => lastUsedAt?.slice(0, 16).replace('T', ' ') ?? 'never' },
    { title: 'EXPIRES', text: ({ expiresAt }) => expiresAt?.slice(0, 10) ?? 'never' },
    { title: 'ID', text: ({ id }) => id, below: true },
  ])
}
