/** An instant on the clock of a zone: `2027-03-01 06:00`. */
export function clockText(instant: string, timeZone: string): string {
  return formatFor(timeZone).format(new Date(instant))
}

const known = new Map<string, Intl.DateTimeFormat>()

/** Swedish dates are ISO's. */
function formatFor(timeZone: string): Intl.DateTimeFormat {
  const format =
    known.get(timeZone) ??
    new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short', hourCycle: 'h23' })
  known.set(timeZone, format)
  return format
}
