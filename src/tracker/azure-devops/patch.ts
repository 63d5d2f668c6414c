import type { ItemChange } from '../tracker'
import { fieldNames, personValue } from './field-values'

export interface PatchOperation {
  op: 'test' | 'add' | 'replace' | 'remove'
  path: string
  value?: string | number | boolean
}

export const patchType = 'application/json-patch+json'

/** The patch document of a change. Its first operation makes the tracker refuse it on any other revision. */
export function patchOf(change: ItemChange): PatchOperation[] {
  const operations = Object.entries(change.fields).map(([name, value]) => operationOf(name, value))
  return [{ op: 'test', path: '/rev', value: change.rev }, ...operations]
}

/** `add` sets a field whether or not it has a value; on tags it would merge. `remove` clears and carries no value. */
function operationOf(name: string, value: string | number | boolean | null): PatchOperation {
  const path = `/fields/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
  if (value === null) return { op: 'remove', path }
  if (name === fieldNames.tags) return { op: 'replace', path, value }
  return { op: 'add', path, value: name === fieldNames.assignedTo ? accountOf(value) : value }
}

/** A display name may stand for several people, an account for one. */
function accountOf(value: string | number | boolean): string | number | boolean {
  return personValue(value)?.uniqueName ?? value
}
