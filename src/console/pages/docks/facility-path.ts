/** The page of a facility's day, or a page below it. */
export function facilityPath(code: string, page = ''): string {
  return `/console/docks/${encodeURIComponent(code)}${page}`
}

export function seriesPath(id: string): string {
  return `/console/series/${id}`
}

export function trailerPath(id: string): string {
  return `/console/trailers/${id}`
}

export function appointmentPath(id: string): string {
  return `/console/appointments/${id}`
}
