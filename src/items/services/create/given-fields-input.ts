import * as z from 'zod'
import type { ExtraFlag } from '../../../kernel'
import { parseFieldPairs } from '../../rules/update-fields'

/** The input of operations that set fields by their names. */
export const givenFieldsInput = {
  updates: z.record(z.string(), z.unknown()).optional().describe('Values by field'),
  fields: z.record(z.string(), z.unknown()).optional().describe('Like updates, which overrides it for the same field'),
}

export const TagInput = z
  .array(z.string().min(2).max(256))
  .min(1)
  .max(100)
  .describe('Tags to add and to remove, such as +ready and -blocked; all other tags stay')

/** The flag that gives `tags`. */
export const tagFlag: ExtraFlag = {
  flag: '--tag <changes>',
  about: `Tags to add and to remove, all others stay: +ready,-blocked; one with a comma in quotes: '-"a, b"'; can be repeated`,
  repeatable: true,
  standsFor: ['tags'],
}

/** The input for what was typed with the flag. */
export function parseTagFlag({ tag, ...typed }: Record<string, unknown>): Record<string, unknown> {
  if (tag === undefined) return typed
  return { ...typed, tags: (tag as string[]).flatMap(splitTagChanges) }
}

/** The changes of one list. A tag in quotes may have commas: `+ready,-"a, b"`. */
function splitTagChanges(list: string): string[] {
  const changes: string[] = []
  for (let at = 0; at < list.length; ) {
    const [sign = ''] = /^\s*[+-]\s*(?=")/.exec(list.slice(at, at + 16)) ?? []
    const end = sign === '' ? -1 : list.indexOf('"', at + sign.length + 1)
    const comma = list.indexOf(',', end === -1 ? at : end)
    const next = comma === -1 ? list.length : comma
    const isQuoted = end !== -1 && list.slice(end + 1, next).trim() === ''
    if (isQuoted) changes.push(`${sign.trim()[0]}${list.slice(at + sign.length + 1, end)}`)
    else changes.push(...list.slice(at, next).split(','))
    at = next + 1
  }
  return changes.map((change) => change.trim()).filter((change) => change !== '')
}

/** The flag that gives `updates`. */
export const setFlag: ExtraFlag = {
  flag: '--set <Field=Value>',
  about: 'A field and its value, or =@file for the text of a file; can be repeated',
  readsFiles: true,
  repeatable: true,
  standsFor: ['updates', 'fields'],
}

/** The input for what was typed with the flag. */
export function parseSetFlag({ set, ...typed }: Record<string, unknown>): Record<string, unknown> {
  return set === undefined ? typed : { ...typed, updates: parseFieldPairs(set as string[]) }
}
