import { isRecord } from '../kernel/json'

/** Whether a value says nothing to a model: null, an empty text, an empty list or an object without fields. */
export function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return true
  return Array.isArray(value) ? value.length === 0 : isRecord(value) && Object.keys(value).length === 0
}
