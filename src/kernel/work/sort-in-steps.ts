/** The number of entries that one step sorts. */
const STEP = 512

/** Sorts as `toSorted` does, and yields after each small step. */
export function* sortInSteps<T>(list: readonly T[], compare: (a: T, b: T) => number): Generator<void, T[]> {
  let runs: T[][] = []
  for (let at = 0; at < list.length; at += STEP) {
    runs.push(list.slice(at, at + STEP).sort(compare))
    yield
  }
  while (runs.length > 1) {
    const merged: T[][] = []
    for (let i = 0; i < runs.length; i += 2) merged.push(yield* merge(runs[i]!, runs[i + 1] ?? [], compare))
    runs = merged
  }
  return runs[0] ?? []
}

/** Of equal entries, those of `first` come first. */
function* merge<T>(first: readonly T[], second: readonly T[], compare: (a: T, b: T) => number): Generator<void, T[]> {
  const merged: T[] = []
  for (let i = 0, j = 0; i < first.length || j < second.length; ) {
    const takesFirst = j === second.length || (i < first.length && compare(first[i]!, second[j]!) <= 0)
    merged.push(takesFirst ? first[i++]! : second[j++]!)
    if (merged.length % STEP === 0) yield
  }
  return merged
}
