import type { FlagBinding } from '../../kernel'
import { mapFields, placingKeys } from '../rules/load-fields'

/** The flags of a load. */
export const loadFlags = mapFields(({ flag, flagValue, unit }): FlagBinding => {
  const value = flagValue ?? unit
  return { name: flag, ...(value !== undefined && { value }) }
})

/** The flags of what decides about the place. */
export const placingFlags = mapFields((_, key) => loadFlags[key], placingKeys)

/** The flags of a change: on the command line an empty text removes a value. */
export const loadChangeFlags = mapFields(({ kind, about }, key): FlagBinding => {
  return kind === 'text' ? { ...loadFlags[key], about: `${about}; "" removes it` } : loadFlags[key]
})
