import type fc from 'fast-check'
import { adfToMarkdown, wikiToMarkdown } from '../../../src/rich-text'
import { editAdf, editWiki } from '../../../src/rich-text/edit/edit-atlassian'
import { editStoredText } from '../../../src/rich-text/edit/edit-text'
import { parseWiki } from '../../../src/rich-text/parse-wiki'
import { sanitizeText } from '../../../src/sanitize'
import { applyEdit, type Edit } from './edits'
import { adfItems, githubItems, htmlItems, markdownItems, type RichBlock, wikiItems } from './rich-items'

export interface Tracker {
  items: fc.Arbitrary<RichBlock[]>
  separator: string
  /** What a person reads of the item. */
  show(source: string): { format: 'html' | 'markdown'; text: string }
  /** The source after the text that is shown was changed. */
  store(source: string, before: string, after: string): { source: string; undecided: string[]; losses: string[] }
}

const edit = (format: 'html' | 'markdown') => (source: string, before: string, after: string) =>
  editStoredText({ format, source, before, after })
const documentOf = (blocks: string) => ({ version: 1, type: 'doc', content: JSON.parse(`[${blocks}]`) })

export const trackers: Record<string, Tracker> = {
  'an item in HTML': {
    items: htmlItems,
    separator: '',
    show: (text) => ({ format: 'html', text }),
    store: edit('html'),
  },
  'an item in Markdown': {
    items: markdownItems,
    separator: '\n\n',
    show: (text) => ({ format: 'markdown', text }),
    store: edit('markdown'),
  },
  'an issue of GitHub': {
    items: githubItems,
    separator: '\n\n',
    show: (text) => ({ format: 'markdown', text }),
    store: edit('markdown'),
  },
  'an issue of Jira Cloud': {
    items: adfItems,
    separator: ',',
    show: (text) => ({ format: 'markdown', text: adfToMarkdown(documentOf(text)) }),
    store: (source, before, after) => {
      const faithful = adfToMarkdown(documentOf(source))
      const first = editStoredText({ format: 'markdown', source: faithful, before, after })
      return { ...first, source: JSON.stringify(editAdf(documentOf(source), first.source).stored.content).slice(1, -1) }
    },
  },
  'an issue of Jira Data Center': {
    items: wikiItems,
    separator: '\n\n',
    show: (text) => ({ format: 'markdown', text: wikiToMarkdown(text, parseWiki) }),
    store: (source, before, after) => {
      const faithful = wikiToMarkdown(source, parseWiki)
      const first = editStoredText({ format: 'markdown', source: faithful, before, after })
      return { ...first, source: editWiki(source, first.source, (wiki) => wikiToMarkdown(wiki, parseWiki)).stored }
    },
  },
}

const context = { trackerHosts: ['tracker.example.com'], people: ['Wei Chen', 'Jane Doe', 'Amy Smith'] }
const count = (text: string, part: string) => text.split(part).length - 1

export interface Outcome {
  /** `exact` if only the edited block differs and has all that it should have; `noted` if the edit was announced as undecided or lossy. */
  kind: 'exact' | 'skipped' | 'noted' | 'wrong text' | 'other blocks' | 'lost part'
  detail: string
  source: string
  copy: string
  after: string
  result: string
}

/** Makes one edit in a clean copy of an item, and compares the item afterwards with what it was. */
export function check(
  tracker: Tracker,
  blocks: readonly RichBlock[],
  change: Edit,
  apply = (copy: string) => applyEdit(copy, change),
): Outcome {
  const source = blocks.map((block) => block.source).join(tracker.separator)
  const copyOf = (stored: string) => sanitizeText(tracker.show(stored), context).markdown
  const copy = copyOf(source)
  const after = apply(copy)
  const outcome = (kind: Outcome['kind'], detail = '', result = ''): Outcome => ({
    kind,
    detail,
    source,
    copy,
    after: after ?? '',
    result,
  })
  if (after === null) return outcome('skipped')
  const { source: result, undecided, losses } = tracker.store(source, copy, after)
  if (undecided.length > 0 || (losses.length > 0 && !change.kind.startsWith('delete ')))
    return outcome('noted', [...undecided, ...losses].join('; '), result)
  const [shown, wanted] = [copyOf(result), sanitizeText({ format: 'markdown', text: after }, context).markdown]
  if (shown !== wanted) return outcome('wrong text', `\n${shown}\n-- wanted\n${wanted}`, result)
  const isShown = (block: RichBlock) => after.includes(/[a-z]{4,}\d{3}/.exec(block.source)![0])
  const touched = blocks.filter((block) => !result.includes(block.source) && isShown(block))
  if (touched.length > 1) return outcome('other blocks', touched.map((block) => block.source).join(' // '), result)
  const lost = blocks.flatMap((block) => block.treasures).filter((one) => count(result, one) !== count(source, one))
  if (lost.length > 0 && !change.kind.startsWith('delete ')) return outcome('lost part', lost.join(' // '), result)
  return outcome('exact', '', result)
}
