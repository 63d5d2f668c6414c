import * as z from 'zod'
import type { ExtraFlag } from '../../../kernel'
import { parseFieldPairs } from '../../rules/update-fields'

/** The input of operations that set fields by their names. */
export const givenFieldsInput = {
  updates: z.record(z.string(), z.unknown()).optional().describe('Values by field'),
  fields: z.record(z.string(), z.unknown()).optional().describe('Like updates, which overrides it for the same field'),
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
