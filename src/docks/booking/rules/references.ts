import { inputError } from '../../../kernel'
import { parseJson } from '../../../kernel/json'
import { MAX_QUANTITY } from './load-fields'

/** A PO, BOL or shipment of an appointment, with its part of the load. */
export interface Reference {
  number: string
  pallets: number | null
  pieces: number | null
}

export const MAX_REFERENCES = 100

/** The parts of a request that its references decide. */
export interface RequestedReferences {
  referenceNumber?: string | undefined
  references?: readonly Reference[] | null | undefined
  palletCount?: number | null | undefined
  pieceCount?: number | null | undefined
}

interface KnownReferences {
  referenceNumber: string
  references: string | null
  palletCount: number | null
  pieceCount: number | null
}

const quantities = [
  ['palletCount', 'pallets'],
  ['pieceCount', 'pieces'],
] as const

/**
 * The request with what its references say: the first one is `referenceNumber`, and if all of them have pallets or pieces, their sum is the
 * number of the load. `known` is the appointment that the request changes. Throws `invalid` for a reference that is given twice, and for a
 * number of the load that contradicts the sum, or a sum that is no number of a load.
 */
export function resolveReferences<Request extends RequestedReferences>(
  request: Request,
  known: KnownReferences | null = null,
): Request & { references?: Reference[] | null } {
  const list = listRequested(request, known)
  if (list === null) return { ...request, ...(request.references === null && { references: null }) }
  const numbers = list.map(({ number }) => number)
  const repeated = numbers.findIndex((number, index) => numbers.indexOf(number) !== index)
  if (repeated >= 0) throw inputError([{ path: 'references', message: `has ${numbers[repeated]} twice` }])
  if (list.length > MAX_REFERENCES)
    throw inputError([{ path: 'references', message: `must be at most ${MAX_REFERENCES}, with referenceNumber` }])
  const resolved = { ...request, referenceNumber: numbers[0]!, references: list }
  for (const [count, part] of quantities) {
    const parts = list.map((reference) => reference[part])
    const sum = parts.reduce<number>((total, own) => total + (own ?? 0), 0)
    const isComplete = !parts.includes(null)
    const isOld = request[count] === undefined
    const total = isOld ? (known?.[count] ?? null) : request[count]
    if (sum > MAX_QUANTITY)
      throw inputError([{ path: 'references', message: `have more than ${MAX_QUANTITY} ${part}` }])
    // They would contradict a load without the number.
    if (isComplete && request[count] == null) resolved[count] = sum
    else if (total !== null && (isComplete ? total !== sum : total !== undefined && total < sum)) {
      const message = `must be ${isComplete ? '' : 'at least '}the sum of the references, ${sum}`
      throw inputError([{ path: count, message }])
    }
  }
  return resolved
}

/** The references after the request, the first one first; null if it has no list, and none is known. */
function listRequested({ referenceNumber, references }: RequestedReferences, known: KnownReferences | null) {
  if (references === null || (references === undefined && known?.references == null)) return null
  const list = references === undefined ? (JSON.parse(known!.references!) as Reference[]) : [...references]
  // Without a list, the request renames the first one.
  if (references === undefined)
    return list.map((one, i) => (i === 0 && referenceNumber ? { ...one, number: referenceNumber } : one))
  const first =
    referenceNumber ??
    (known && list.some(({ number }) => number === known.referenceNumber) ? known.referenceNumber : list[0]?.number)
  if (first === undefined) return null
  const own = list.find(({ number }) => number === first) ?? { number: first, pallets: null, pieces: null }
  return [own, ...list.filter((one) => one !== own)]
}

/** As an appointment stores them; null if they say no more than `referenceNumber`. */
export function storeReferences(references: readonly Reference[] | null | undefined): string | null {
  if (!references || references.length === 0) return null
  const [first, ...others] = references
  return others.length === 0 && first!.pallets === null && first!.pieces === null ? null : JSON.stringify(references)
}

/** All references of an appointment. */
export function readReferences({ referenceNumber, references, palletCount, pieceCount }: KnownReferences): Reference[] {
  if (references !== null) return JSON.parse(references)
  return [{ number: referenceNumber, pallets: palletCount, pieces: pieceCount }]
}

/** Their numbers, which no other scheduled appointment of the facility may have. */
export function listNumbers({
  referenceNumber,
  references,
}: {
  referenceNumber: string
  references: string | null
}): string[] {
  return references === null ? [referenceNumber] : (JSON.parse(references) as Reference[]).map(({ number }) => number)
}

/** `PO-2=10/200`: the number, its pallets and its pieces. A number that has `=` itself ends in one more: `A=5=`. */
const TEXT = /^(.*?)(?:=(\d{1,10})?(?:\/(\d{1,10}))?)?$/s

export function parseReference(text: string): unknown {
  const [, number, pallets, pieces] = TEXT.exec(text.trim())!
  const toNumber = (digits: string | undefined) => (digits === undefined ? null : Number(digits))
  return { number, pallets: toNumber(pallets), pieces: toNumber(pieces) }
}

export function formatReference({ number, pallets, pieces }: Reference): string {
  if (pallets === null && pieces === null) return number.includes('=') ? `${number}=` : number
  return `${number}=${pallets ?? ''}${pieces === null ? '' : `/${pieces}`}`
}

/** A cell of a table, which `parseReferenceList` reads again. */
export function formatReferenceList(references: readonly Reference[]): string {
  const isPlain = references.every(({ number }) => !/;|^\[/.test(number))
  return isPlain ? references.map(formatReference).join('; ') : JSON.stringify(references)
}

export function parseReferenceList(text: string): unknown {
  if (!text.startsWith('['))
    return text
      .split(';')
      .map((part) => part.trim())
      .filter((part) => part !== '')
  return parseJson(text) ?? text
}

/** `PO-1 (10 pallets), PO-2 (12 pallets, 200 pieces)` */
export function describeReferences(references: readonly Reference[]): string {
  return references
    .map(({ number, pallets, pieces }) => {
      const parts = [pallets !== null && `${pallets} pallets`, pieces !== null && `${pieces} pieces`].filter(Boolean)
      return parts.length === 0 ? number : `${number} (${parts.join(', ')})`
    })
    .join(', ')
}
