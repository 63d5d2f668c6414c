/** The page of a facility's day, or a page below it. */
export function facilityPath(code: string, page = ''): string {
  return `/console/docks/${encodeURIComponent(code)}${page}`
}

export function appointmentPath(id: string): string {
  return `/console/appointments/${id}`
}
