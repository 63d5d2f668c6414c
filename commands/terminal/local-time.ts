/** A time as the user's clock shows it: `2026-11-23 09:41 GMT+1`. The zone is that of the environment (TZ). */
export function formatUserTime(instant: string): string {
  const at = new Date(instant)
  if (Number.isNaN(at.getTime())) return instant
  const date = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'short' }).format(at)
  const zone = new Intl.DateTimeFormat('en', { timeZoneName: 'short' })
    .formatToParts(at)
    .find(({ type }) => type === 'timeZoneName')
  return `${date} ${zone?.value ?? 'UTC'}`
}
