/** An iteration with its first and last day, ISO 8601; null if it has no dates. */
interface DatedIteration {
  path: string
  startDate: string | null
  finishDate: string | null
}

/** The iterations that the day is in. Of a quarter and a sprint in it, the sprint; of two teams, the sprint of each. */
export function findCurrentIterations(iterations: readonly DatedIteration[], day: string): string[] {
  const isCurrent = ({ startDate: start, finishDate: finish }: DatedIteration) =>
    start !== null && finish !== null && start.slice(0, 10) <= day && day <= finish.slice(0, 10)
  const paths = iterations.filter(isCurrent).map(({ path }) => path)
  return paths.filter((path) => !paths.some((other) => other.startsWith(`${path}\\`)))
}

/** The day in the time zone of this machine: `2026-11-23`. */
export function formatDay(epochMs: number): string {
  const date = new Date(epochMs)
  const [month, day] = [date.getMonth() + 1, date.getDate()].map((number) => String(number).padStart(2, '0'))
  return `${date.getFullYear()}-${month}-${day}`
}
