import type { ErrorDetail, Hint, StudioError } from '../../kernel'
import { mapValues } from '../../kernel/json'
import { toArgument } from '../../kernel/text/item-reference'
import type { Database } from '../../storage'
import { FIRST_LOCAL_NUMBER, findItemNames, type NameOf } from '../queries'

const NUMBER = /#?\b(\d{1,15})\b/g
/** Where an error says that a number is an item. Other small numbers may be counts or times. */
const ITEM_NUMBER = /\bwork item #?(\d{1,15})\b/gi

/**
 * The error with the references of items in place of numbers that no one has seen in a tracker: of local numbers, and of IDs of issues of
 * Jira.
 */
export async function nameItemsInError(
  db: Database,
  error: StudioError,
  given: ReadonlyMap<number, string>,
): Promise<StudioError> {
  const { message, hint, details } = error
  const text = JSON.stringify([message, hint, details])
  const locals = listNumbers(text, NUMBER).filter((id) => id >= FIRST_LOCAL_NUMBER && id < 2 * FIRST_LOCAL_NUMBER)
  const ids = new Set([...locals, ...listNumbers(text, ITEM_NUMBER)])
  if (ids.size === 0) return error
  const names = await db.read((tx) => findItemNames(tx, ids, given))
  const nameOf = (id: number) => (ids.has(id) ? names(id) : `#${id}`)
  const replace = (text: string) => text.replace(NUMBER, (all, id) => replaceNumber(all, Number(id), nameOf))
  return error.copyWith({
    message: replace(message),
    hint: hint && nameInHint(hint, replace, nameOf),
    details: details.map(
      (detail) => mapValues(detail, (value) => (typeof value === 'string' ? replace(value) : value)) as ErrorDetail,
    ),
  })
}

function listNumbers(text: string, pattern: RegExp): number[] {
  return [...text.matchAll(pattern)].map(([, digits]) => Number(digits))
}

/** A number that no item has stays as it is. */
function replaceNumber(text: string, id: number, nameOf: NameOf): string {
  const name = nameOf(id)
  return name === `#${id}` ? text : name
}

function nameInHint(hint: Hint, replace: (text: string) => string, nameOf: NameOf): Hint {
  if (typeof hint === 'string') return replace(hint)
  return hint.map((part) => {
    if (typeof part === 'string') return replace(part)
    const nameValue = (value: string | number | boolean) =>
      typeof value === 'number' && nameOf(value) !== `#${value}` ? toArgument(nameOf(value)) : value
    return { ...part, input: mapValues(part.input, nameValue) }
  })
}
