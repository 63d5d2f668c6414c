import type { z } from 'zod'
import { pluralize } from '../../src/kernel/text'
import type { searchWorkspace } from '../../src/search/operations/search-workspace'
import type { Canvas } from '../layout'
import type { Paint } from '../paint'
import { printableLine } from '../printable'

type Answer = z.infer<typeof searchWorkspace.output>
type Hit = Answer['results'][number]

const kinds: Record<Hit['type'], string> = { devops: 'item', draft: 'draft', folder: 'folder' }

export function searchResults(answer: Answer, { paint }: Canvas): string {
  const hints = (answer.hints ?? []).map((hint) => `${printableLine(hint)}\n`).join('')
  if (answer.total === 0) {
    return `Nothing matches ${JSON.stringify(printableLine(answer.query))}. Try fewer words, or import more: studio import <featureId>\n${hints}`
  }
  const hits = answer.results.map((hit) => hitText(hit, paint))
  const shown = answer.results.length
  const count =
    shown < answer.total
      ? `${shown} of ${pluralize(answer.total, 'hit')} (--limit shows more)`
      : pluralize(answer.total, 'hit')
  return `${hits.join('\n')}\n\n${count}\n${hints}`
}

function hitText(hit: Hit, paint: Paint): string {
  const mark = `${kinds[hit.type]} ${hit.type === 'devops' ? '#' : ''}${hit.id}`
  const state = hit.state ? `  ${paint.accent(printableLine(hit.state))}` : ''
  const head = `${paint.faint(mark)}  ${paint.strong(printableLine(hit.title))}${state}`
  return hit.snippet ? `${head}\n    ${snippetText(hit, paint)}` : head
}

/** The snippet with its hits in colour. Each piece is made printable on its own, so the offsets stay true. */
function snippetText({ snippet, highlights }: Hit, paint: Paint): string {
  let text = ''
  let at = 0
  for (const [start, end] of highlights as [number, number][]) {
    text += plain(snippet.slice(at, start)) + paint.hit(plain(snippet.slice(start, end)))
    at = end
  }
  return text + plain(snippet.slice(at))
}

function plain(text: string): string {
  const folded = printableLine(`|${text}|`)
  return folded.slice(1, -1)
}
