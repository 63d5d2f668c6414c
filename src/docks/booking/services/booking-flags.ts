import type { FlagBinding } from '../../../kernel'
import { mapFields } from '../rules/load-fields'

const loadFlags = mapFields(({ flag, flagValue, unit }): FlagBinding => {
  const value = flagValue ?? unit
  return { name: flag, ...(value !== undefined && { value }) }
})

/** The flags of a booking, and of everything that takes some of its fields. Another flag names the facility. */
export const bookingFlags = {
  facilityId: false,
  facilityCode: false,
  carrierName: { name: 'carrier', value: 'name' },
  referenceNumber: { name: 'reference', value: 'ref' },
  references: {
    value: 'number=pallets/pieces',
    about:
      'All references of the load, with their pallets and pieces if known: PO-1 PO-2=10/200. --reference comes first',
  },
  targetDate: { name: 'date', value: 'YYYY-MM-DD' },
  durationMinutes: { name: 'duration', value: 'minutes' },
  startTime: { name: 'at', value: 'time' },
  doorId: { name: 'door', value: 'name|id' },
  notBefore: { value: 'HH:MM' },
  notAfter: { value: 'HH:MM' },
  slotId: { name: 'slot', value: 'id' },
  ...loadFlags,
  trailerId: false,
} as const

/** The flags of a change: on the command line an empty text removes a value. */
export const loadChangeFlags = mapFields(({ kind, about }, key): FlagBinding => {
  return kind === 'text' ? { ...loadFlags[key], about: `${about}; "" removes it` } : loadFlags[key]
})
