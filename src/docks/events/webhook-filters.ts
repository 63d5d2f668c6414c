import type { CliBinding } from '../../kernel'
import { FacilityName, Name } from '../schemas'
import { EventTypes } from './schemas'

/** Which events a webhook gets, as the calls that add and change one accept it. */
export const webhookFilters = {
  events: EventTypes.nullable().optional().describe('Only events of these types; null for all'),
  facility: FacilityName.nullable().optional().describe('Only events of this facility: its ID or code; null for all'),
  carrierName: Name.nullable().optional().describe('Only events of this carrier; null for all'),
}

/** The flags of a webhook. A flag cannot be null, so these say nothing of it. */
export const webhookFlags = {
  events: { name: 'event', value: 'type', about: 'Only events of this type' },
  facility: { about: 'Only events of this facility: its ID or code' },
  carrierName: { name: 'carrier', about: 'Only events of this carrier' },
  bodyTemplate: { value: 'text' },
  authorization: { value: 'value', about: 'Value of the header Authorization of each request. It is never shown' },
} satisfies CliBinding['flags']
