/** The name that was probably meant: the nearest within a third of its length. */
export function findNearest(typed: string, names: readonly string[]): string | null {
  let best: string | null = null
  let least = Math.floor(Math.max(typed.length, 3) / 3) + 1
  for (const name of names) {
    const distance = editDistance(typed, name)
    if (distance < least) [best, least] = [name, distance]
  }
  return best
}

function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const current = [i]
    for (let j = 1; j <= b.length; j++) {
      const change = previous[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      current.push(Math.min(change, previous[j]! + 1, current[j - 1]! + 1))
    }
    previous = current
  }
  return previous[b.length]!
}
