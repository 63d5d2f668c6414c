/** A half-open span of time in epoch milliseconds: `from` is included, `to` is not. */
export interface Span {
  from: number
  to: number
}

/** Sorts the spans, merges those that overlap or touch, and removes empty ones. */
export function mergeSpans(spans: readonly Span[]): Span[] {
  const sorted = spans.filter((span) => span.from < span.to).sort((a, b) => a.from - b.from)
  const merged: Span[] = []
  for (const { from, to } of sorted) {
    const last = merged.at(-1)
    if (last && from <= last.to) last.to = Math.max(last.to, to)
    else merged.push({ from, to })
  }
  return merged
}

/** `spans` without `holes`; both must be merged. */
export function subtractSpans(spans: readonly Span[], holes: readonly Span[]): Span[] {
  const left: Span[] = []
  for (const span of spans) {
    let from = span.from
    for (let index = findFirstEndingAfter(holes, from); index < holes.length && holes[index]!.from < span.to; index++) {
      const hole = holes[index]!
      if (from < hole.from) left.push({ from, to: hole.from })
      from = hole.to
    }
    if (from < span.to) left.push({ from, to: span.to })
  }
  return left
}

export function isOverlapping(a: Span, b: Span): boolean {
  return a.from < b.to && b.from < a.to
}

export function containsSpan(outer: Span, inner: Span): boolean {
  return outer.from <= inner.from && inner.to <= outer.to
}

/** The index of the first merged span that ends after `instant`, by binary search. */
export function findFirstEndingAfter(spans: readonly Span[], instant: number): number {
  let low = 0
  let high = spans.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (spans[middle]!.to <= instant) low = middle + 1
    else high = middle
  }
  return low
}
