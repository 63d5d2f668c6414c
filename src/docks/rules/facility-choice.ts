/** Whether a caller has named the facility, by its ID or its code. */
export function isFacilityGiven(asked: { facilityId?: string | null; facilityCode?: string | null }): boolean {
  return asked.facilityId != null || asked.facilityCode != null
}
