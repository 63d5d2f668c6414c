import { mergeSpans, type Span } from './spans'

/** The time for which an appointment holds its door. */
export interface BusySpan extends Span {
  doorId: string
}

/** What is taken a door, each sorted and merged. */
export function busyByDoor(busy: readonly BusySpan[]): Map<string, Span[]> {
  const byDoor = new Map<string, Span[]>()
  for (const span of busy) {
    const spans = byDoor.get(span.doorId)
    if (spans) spans.push(span)
    else byDoor.set(span.doorId, [span])
  }
  for (const [doorId, spans] of byDoor) byDoor.set(doorId, mergeSpans(spans))
  return byDoor
}

/** When at least `capacity` appointments are under way at one time; never for null. */
export function saturatedSpans(busy: readonly Span[], capacity: number | null): Span[] {
  if (capacity === null) return []
  const changes = busy.flatMap(({ from, to }) => [
    { at: from, by: 1 },
    { at: to, by: -1 },
  ])
  changes.sort((a, b) => a.at - b.at)
  const saturated: Span[] = []
  let count = 0
  for (const { at, by } of changes) {
    if (by > 0 && count + by === capacity) saturated.push({ from: at, to: at })
    if (by < 0 && count === capacity) saturated.at(-1)!.to = at
    count += by
  }
  return mergeSpans(saturated)
}
