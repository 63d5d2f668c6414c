import fc from 'fast-check'
import { expect, it } from 'vitest'
import { formatSlotId, parseSlotId, SLOT_ID } from '../../../../src/docks/booking/rules/requested-slot'
import { MAX_APPOINTMENT_MINUTES } from '../../../../src/docks/facilities/rules/facility'

it('a slot ID gives the slot again', () => {
  const slot = fc.record({
    startAt: fc.integer({ min: 0, max: 4_000_000_000 }).map((minute) => minute * 60_000),
    minutes: fc.integer({ min: 1, max: MAX_APPOINTMENT_MINUTES }),
    type: fc.constantFrom('pickup' as const, 'delivery' as const),
    doorId: fc.uuid(),
  })
  fc.assert(
    fc.property(slot, (given) => {
      expect(formatSlotId(given)).toMatch(SLOT_ID)
      expect(parseSlotId(formatSlotId(given))).toEqual(given)
    }),
  )
})
