import type { z } from 'zod'
import { pluralize } from '../../src/kernel/text'
import type { searchWorkspace } from '../../src/search/operations/search-workspace'
import type { Colors } from '../colors'
import type { Canvas } from '../layout'
import { printableLine } from '../printable'

type Answer = z.infer<typeof searchWorkspace.output>
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
  const mark = `${kinds[hit.type]} ${hit.type === 'devops' ? '#' : ''}${hit.id}`
  const state = hit.state ? `  ${colors.accent(printableLine(hit.state))}` : ''
  const head = `${colors.faint(mark)}  ${colors.strong(printableLine(hit.title))}${state}`
  return hit.snippet ? `${head}\n    ${renderSnippet(hit, colors)}` : head
}

/** The snippet with its hits in colour. Each piece is made printable on its own, so the offsets stay true. */
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
  const folded = printableLine(`|${text}|`)
  return folded.slice(1, -1)
}
