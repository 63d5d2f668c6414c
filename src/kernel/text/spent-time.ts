const SECONDS = { w: 5 * 8 * 3600, d: 8 * 3600, h: 3600, m: 60 } as const

/** The seconds of a time such as `1h 30m`, `45m` or `2d`: a day is 8 hours, a week 5 days. Null if it is none. */
export function parseSpentTime(text: string): number | null {
  const units = text
    .toLowerCase()
    .replace(/[wdhm]/g, '$& ')
    .trim()
    .split(/\s+/)
  let seconds = 0
  for (const unit of units) {
    const [, count, name] = /^(\d{1,6}(?:\.\d{1,2})?)([wdhm])$/.exec(unit) ?? []
    if (count === undefined) return null
    seconds += Number(count) * SECONDS[name as keyof typeof SECONDS]
  }
  return seconds >= 60 ? Math.round(seconds) : null
}

/** `1h 30m`: in hours and minutes, which mean the same everywhere. */
export function formatSpentTime(seconds: number): string {
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.round((seconds % 3600) / 60)]
  return [hours > 0 ? `${hours}h` : '', minutes > 0 || hours === 0 ? `${minutes}m` : ''].filter(Boolean).join(' ')
}
