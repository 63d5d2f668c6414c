import type { ErrorDetail, Hint, StudioError } from '../../kernel'
import { toArgument } from '../../kernel/item-reference'
import { mapValues } from '../../kernel/json'
import type { Database } from '../../storage'
import { FIRST_LOCAL_NUMBER, findItemNames, type NameOf } from '../queries'

const LOCAL_NUMBER = /#?\b(1\d{9})\b/g

/** The error with what people call items in place of local numbers, which no one has seen in a tracker. */
export async function nameItemsInError(db: Database, error: StudioError): Promise<StudioError> {
  const { message, hint, details } = error
  const numbers = JSON.stringify([message, hint, details]).match(/\b1\d{9}\b/g) ?? []
  const ids = numbers.map(Number).filter((id) => id >= FIRST_LOCAL_NUMBER)
  if (ids.length === 0) return error
  const nameOf = await db.read((tx) => findItemNames(tx, ids))
  const replace = (text: string) => text.replace(LOCAL_NUMBER, (all, id) => replaceNumber(all, Number(id), nameOf))
  return error.copyWith({
    message: replace(message),
    hint: hint && nameInHint(hint, replace, nameOf),
    details: details.map(
      (detail) => mapValues(detail, (value) => (typeof value === 'string' ? replace(value) : value)) as ErrorDetail,
    ),
  })
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
      typeof value === 'number' && value >= FIRST_LOCAL_NUMBER ? toArgument(nameOf(value)) : value
    return { ...part, input: mapValues(part.input, nameValue) }
  })
}
