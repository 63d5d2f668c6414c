import type { ResultOf } from '../../../src/catalog'
import { formatByteSize } from '../../../src/kernel/files/byte-size'
import { pluralize } from '../../../src/kernel/text/text'
import type { Colors } from '../../terminal/layout'
import { type Canvas, facts } from '../../terminal/layout'
import { printableLine } from '../../terminal/printable'

type Answer = ResultOf<'search.fast'>
type Hit = Answer['results'][number]

const kinds: Record<Hit['type'], string> = { devops: 'item', draft: 'draft', folder: 'folder' }

export function renderSearchResults(answer: Answer, { colors }: Canvas): string {
  const hints = (answer.hints ?? []).map((hint) => `${printableLine(hint)}\n`).join('')
  if (answer.total === 0) {
    return `Nothing matches ${JSON.stringify(printableLine(answer.query))}. Try fewer words, or import more: studio import <featureId>\n${hints}`
  }
  const hits = answer.results.map((hit) => renderHit(hit, colors))
  const shown = answer.results.length
  const count =
    shown < answer.total
      ? `${shown} of ${pluralize(answer.total, 'hit')} (--limit shows more)`
      : pluralize(answer.total, 'hit')
  return `${hits.join('\n')}\n\n${count}\n${hints}`
}

function renderHit(hit: Hit, colors: Colors): string {
  const name = hit.type === 'devops' ? (hit.reference ?? `#${hit.id}`) : String(hit.id)
  const mark = `${kinds[hit.type]} ${printableLine(name)}`
  const state = hit.state ? `  ${colors.accent(printableLine(hit.state))}` : ''
  const head = `${colors.faint(mark)}  ${colors.strong(printableLine(hit.title))}${state}`
  return hit.snippet ? `${head}\n    ${renderSnippet(hit, colors)}` : head
}

/** The snippet with its matches in color. Each piece is made printable by itself, so that the offsets stay correct. */
function renderSnippet({ snippet, highlights }: Hit, colors: Colors): string {
  let text = ''
  let at = 0
  for (const [start, end] of highlights as [number, number][]) {
    text += plain(snippet.slice(at, start)) + colors.hit(plain(snippet.slice(start, end)))
    at = end
  }
  return text + plain(snippet.slice(at))
}

function plain(text: string): string {
  const line = printableLine(`|${text}|`)
  return line.slice(1, -1)
}

type Stats = ResultOf<'search.stats'>

export function renderIndexStats(stats: Stats, canvas: Canvas): string {
  const { devops, draft, folder } = stats.entities
  return facts(canvas, [
    [
      'Entities',
      `${stats.total}: ${pluralize(devops, 'item')}, ${pluralize(draft, 'draft')}, ${pluralize(folder, 'folder')}`,
    ],
    ['Words', String(stats.terms)],
    ['Last indexed', stats.lastIndexedAt ?? 'never'],
    [
      'Stored',
      {
        files: `beside the database, ${formatByteSize(stats.bytes)}`,
        database: `in the database, ${formatByteSize(stats.bytes)}`,
        memory: 'in memory, for one command at a time',
      }[stats.kept],
    ],
  ])
}

export function renderRebuiltIndex(rebuilt: ResultOf<'search.reindex'>, canvas: Canvas): string {
  const seconds = (rebuilt.durationMs / 1_000).toFixed(1)
  return `${canvas.colors.good('✓')} The search index was rebuilt in ${seconds} s.\n${renderIndexStats(rebuilt, canvas)}`
}
