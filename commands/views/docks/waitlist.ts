import type { ResultOf } from '../../../src/catalog'
import { type Canvas, facts, printableLine, table } from '../../terminal/layout'
import { formatDateTimeAt, formatTimeAt, loadFacts } from './appointment'

type Entry = ResultOf<'waitlist.list'>[number]

export function renderWaitlistAnswer({ message, data }: ResultOf<'waitlist.add'>, canvas: Canvas): string {
  const details = facts(canvas, [
    ['Entry', data.id],
    ...loadFacts(data),
    ['Offered until', data.offer && `${formatDateTimeAt(data.offer.expiresAt, data.timeZone)} (${data.timeZone})`],
    ['Accept it', data.offer && `studio waitlist accept ${data.id}`],
  ])
  return `${canvas.colors.good('✓')} ${printableLine(message)}\n${details}`
}

export function renderWaitlist(list: readonly Entry[], canvas: Canvas): string {
  if (list.length === 0) return 'No one waits for a slot.\n'
  const rows = table(canvas, list, [
    { title: '#', text: ({ position }) => String(position), align: 'right' },
    { title: 'CARRIER', text: ({ carrierName }) => carrierName, shrink: 'cut' },
    { title: 'REFERENCE', text: ({ referenceNumber }) => referenceNumber, shrink: 'cut' },
    {
      title: 'DATES',
      text: ({ targetDate, lastDate }) => (targetDate === lastDate ? targetDate : `${targetDate}..${lastDate}`),
      shrink: 'wrap',
    },
    { title: 'OFFER', text: formatOffer, shrink: 'wrap', color: (text) => canvas.colors.accent(text) },
    { title: 'ID', text: ({ id }) => id, below: true },
  ])
  return `${rows}\n${list.length} waiting, times in ${list[0]!.timeZone}\n`
}

function formatOffer({ offer, timeZone }: Entry): string {
  if (offer === null) return ''
  const until = formatTimeAt(offer.expiresAt, timeZone)
  return `${formatDateTimeAt(offer.startTime, timeZone)} ${offer.doorName}, until ${until}`
}
