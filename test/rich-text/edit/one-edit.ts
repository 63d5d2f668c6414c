import type fc from 'fast-check'
import { adfToMarkdown, readMarkdown, wikiToMarkdown } from '../../../src/rich-text'
import { editAdf, editWiki, type StoredEdit } from '../../../src/rich-text/edit/edit-atlassian'
import { type EditedSource, editStoredText } from '../../../src/rich-text/edit/edit-text'
import { listLeaves } from '../../../src/rich-text/edit/tokens'
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
  store(source: string, before: string, after: string): EditedSource
}

const edit = (format: 'html' | 'markdown') => (source: string, before: string, after: string) =>
  editStoredText({ format, source, before, after })
const documentOf = (blocks: string) => ({ version: 1, type: 'doc', content: JSON.parse(`[${blocks}]`) })

const withNotes = <Stored>(
  edited: EditedSource,
  { stored, isRewritten, losses }: StoredEdit<Stored>,
  write: (stored: Stored) => string,
): EditedSource => ({
  source: write(stored),
  undecided: isRewritten ? [...edited.undecided, 'the whole text'] : edited.undecided,
  losses: [...edited.losses, ...losses],
})

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
      const second = editAdf(documentOf(source), first.source)
      return withNotes(first, second, ({ content }) => JSON.stringify(content).slice(1, -1))
    },
  },
  'an issue of Jira Data Center': {
    items: wikiItems,
    separator: '\n\n',
    show: (text) => ({ format: 'markdown', text: wikiToMarkdown(text, parseWiki) }),
    store: (source, before, after) => {
      const faithful = wikiToMarkdown(source, parseWiki)
      const first = editStoredText({ format: 'markdown', source: faithful, before, after })
      const second = editWiki(source, first.source, (wiki) => wikiToMarkdown(wiki, parseWiki))
      return withNotes(first, second, (stored) => stored)
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

/** Makes edits in a clean copy of an item, and compares the item afterwards with what it was. */
export function check(
  tracker: Tracker,
  blocks: readonly RichBlock[],
  changes: readonly Edit[],
  apply = (copy: string) => applyEdits(copy, changes),
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
  if (after === null || after === copy) return outcome('skipped')
  const { source: result, undecided, losses } = tracker.store(source, copy, after)
  const isDeletion = changes.some(({ kind }) => kind.startsWith('delete '))
  if (undecided.length > 0 || (losses.length > 0 && !isDeletion))
    return outcome('noted', [...undecided, ...losses].join('; '), result)
  const [shown, wanted] = [copyOf(result), sanitizeText({ format: 'markdown', text: after }, context).markdown]
  if (spellOut(shown) !== spellOut(wanted) && losses.length > 0) return outcome('noted', losses.join('; '), result)
  if (spellOut(shown) !== spellOut(wanted)) return outcome('wrong text', `\n${shown}\n-- wanted\n${wanted}`, result)
  const isShown = (block: RichBlock) => after.includes(/\p{L}{2,}\d{3}/u.exec(block.source)![0])
  const touched = blocks.filter((block) => !result.includes(block.source) && isShown(block))
  const most = changes.reduce((sum, { kind }) => sum + (kind === 'join' ? 2 : 1), 0)
  const blocksIn = (parts: readonly RichBlock[]) =>
    readMarkdown(copyOf(parts.map((block) => block.source).join(tracker.separator))).children.length
  // Two lists right behind each other are shown as one.
  const isShownAsOne = (block: RichBlock, index: number) =>
    index > 0 &&
    blocks.indexOf(block) === blocks.indexOf(touched[index - 1]!) + 1 &&
    blocksIn([touched[index - 1]!, block]) < blocksIn([touched[index - 1]!]) + blocksIn([block])
  if (touched.length > most && touched.filter((block, index) => !isShownAsOne(block, index)).length > most)
    return outcome('other blocks', touched.map((block) => block.source).join(' // '), result)
  const lost = blocks.flatMap((block) => block.treasures).filter((one) => count(result, one) !== count(source, one))
  if (lost.length > 0 && !isDeletion) return outcome('lost part', lost.join(' // '), result)
  return outcome('exact', '', result)
}

/** A document with the marks of each word: whether a space between two bold words is bold, too, is not seen. */
function spellOut(markdown: string): string {
  const root = readMarkdown(markdown)
  for (const { path, tokens } of listLeaves(root))
    Object.assign(path.at(-1)!, { children: tokens.map(({ key, spaced, marks }) => [key, spaced, marks.toSorted()]) })
  return JSON.stringify(root)
}

function applyEdits(copy: string, changes: readonly Edit[]): string | null {
  const texts = changes.reduce((text, change) => applyEdit(text, change) ?? text, copy)
  return texts === copy ? null : texts
}
