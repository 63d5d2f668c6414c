/** `1 item`, `2.5 points`, `no items` */
export function formatCount(n: number, noun: string): string {
  return `${n === 0 ? 'no' : formatNumber(n)} ${n === 1 ? noun : `${noun}s`}`
}

/** The singular or plural form that goes with a count: `inflect(2, 'is', 'are')`. */
export function inflect(n: number, singular: string, plural: string): string {
  return n === 1 ? singular : plural
}

/** `a`, `a and b`, `a, b and c` */
export function joinList(words: readonly string[]): string {
  return words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}

/** Points to two decimals at most: `13`, `0.5`. */
export function formatNumber(n: number): string {
  return String(Math.round(n * 100) / 100)
}

/** Started work shows at least 1%, and only completed work shows 100%. */
export function formatPercent(share: number): string {
  if (share <= 0 || share >= 1) return share <= 0 ? '0%' : '100%'
  return `${Math.min(99, Math.max(1, Math.round(share * 100)))}%`
}

/** These change the direction of a text and could make a title read differently. */
const DIRECTION_CONTROLS = /[\u202A-\u202E\u2066-\u2069]/g

/** Converts a text from the tracker into one line of Markdown without any markup, link, table cell, HTML or line break of its own. */
export function escapeMarkdown(text: string): string {
  const line = text
    .replace(DIRECTION_CONTROLS, '')
    .replace(/\p{Cs}/gu, '\uFFFD')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
  return line.replace(/[\\`*_[\]<>|~&]/g, '\\$&')
}

/** How a text names a work item: `#101 One log-in`. */
export function nameInMarkdown({ reference, title }: { reference: string; title: string }): string {
  return `${escapeMarkdown(reference)} ${escapeMarkdown(title)}`
}

const BAR_CELLS = 10

/** `██████░░░░` as inline code, so that all rows have the same width. Full only when all is completed. */
export function renderProgressBar(share: number): string {
  const filled = share >= 1 ? BAR_CELLS : Math.min(BAR_CELLS - 1, Math.round(share * BAR_CELLS))
  return `\`${'█'.repeat(filled)}${'░'.repeat(BAR_CELLS - filled)}\``
}

export function renderTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}
