import type { AlignType } from 'mdast'

const alignments = { none: '---', left: ':--', center: ':-:', right: '--:' }

/** Writes the row that separates the header of a table from its body. */
export function writeDelimiterRow(columns: readonly AlignType[]): string {
  return `| ${columns.map((align) => alignments[align ?? 'none']).join(' | ')} |`
}
