/** Characters that steer a text's direction: with them a title could show other words than it has. */
const directionControls = /[\u202A-\u202E\u2066-\u2069]/g

/**
 * A text of the tracker's as one line of Markdown that shows just that text: no markup, link, table cell, HTML or line
 * of its own.
 */
export function asMarkdownText(text: string): string {
  const line = text
    .replace(directionControls, '')
    .replace(/\p{Cs}/gu, '\uFFFD')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
  return line.replace(/[\\`*_[\]<>|~&]/g, '\\$&')
}

const BAR_CELLS = 10

/** `██████░░░░`, in code marks so that it is as wide in every row. Full only when all is done. */
export function progressBar(share: number): string {
  const filled = share >= 1 ? BAR_CELLS : Math.min(BAR_CELLS - 1, Math.round(share * BAR_CELLS))
  return `\`${'█'.repeat(filled)}${'░'.repeat(BAR_CELLS - filled)}\``
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}
