/**
 * The local time of a zone at every minute of a span, computed by Intl. It shares neither library nor arithmetic with the rules
 * under test.
 */
export interface WallMinute {
  /** Epoch milliseconds. */
  at: number
  /** `2026-03-08` */
  date: string
  /** `03:00` */
  time: string
}

export interface WallClock {
  minutes: WallMinute[]
  /** `2026-03-08 03:00` to the indexes of the minutes that show it: none, one or two. */
  shown: Map<string, number[]>
}

const known = new Map<string, WallClock>()

/** From 2 days before the date to 7 after it, by UTC. */
export function wallClockAround(timeZone: string, date: string): WallClock {
  const key = `${timeZone} ${date}`
  const clock = known.get(key) ?? build(timeZone, Date.parse(`${date}T00:00:00Z`))
  known.set(key, clock)
  return clock
}

function build(timeZone: string, middle: number): WallClock {
  const minutes = minutesAround(timeZone, middle)
  const shown = new Map<string, number[]>()
  minutes.forEach(({ date, time }, index) => {
    shown.set(`${date} ${time}`, [...(shown.get(`${date} ${time}`) ?? []), index])
  })
  return { minutes, shown }
}

function minutesAround(timeZone: string, middle: number): WallMinute[] {
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  return Array.from({ length: 9 * 1440 }, (_, index) => {
    const at = middle + (index - 2 * 1440) * 60_000
    const [date, time] = format.format(at).split(' ') as [string, string]
    return { at, date, time }
  })
}
