/** `1 item`, `2.5 points`, `no items` */
export function count(n: number, noun: string): string {
  return `${n === 0 ? 'no' : number(n)} ${n === 1 ? noun : `${noun}s`}`
}

/** The verb that goes with a count. */
export function agreeing(n: number, singular: string, plural: string): string {
  return n === 1 ? singular : plural
}

/** `a`, `a and b`, `a, b and c` */
export function listed(words: readonly string[]): string {
  return words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}

export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Points to two decimals at most: `13`, `0.5`. */
export function number(n: number): string {
  return String(Math.round(n * 100) / 100)
}

/** What is begun shows at least 1%, and only what is done shows 100%. */
export function percent(share: number): string {
  if (share <= 0 || share >= 1) return share <= 0 ? '0%' : '100%'
  return `${Math.min(99, Math.max(1, Math.round(share * 100)))}%`
}
