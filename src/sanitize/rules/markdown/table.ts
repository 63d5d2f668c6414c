import type { AlignType } from 'mdast'

const alignments = { none: '---', left: ':--', center: ':-:', right: '--:' }

/** The row that parts the header of a table from its body. */
export function writeDelimiterRow(columns: readonly AlignType[]): string {
  return `| ${columns.map((align) => alignments[align ?? 'none']).join(' | ')} |`
}
