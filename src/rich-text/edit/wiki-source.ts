import { decodeHTMLStrict } from 'entities'
import type { PhrasingContent, RootContent } from 'mdast'
import { writeWikiBlocks, writeWikiInline } from '../rules/wiki-markup'
import type { Place, SourceFormat, SourceToken } from './source'
import { boxOf, type Mark, splitText } from './tokens'

const MARKS: Readonly<Record<string, Mark | null>> = {
  '*': 'strong',
  _: 'emphasis',
  '-': 'delete',
  '+': null,
  '^': null,
  '~': null,
}

/** Blocks whose text is not read as markup. */
const VERBATIM = /^\{(code|noformat)(?::[^}\n]*)?\}/

/** What HTML calls a character reference: `&amp;`, `&#124;`. */
const REFERENCE = '&(?:#\\d{1,7}|#[xX][\\dA-Fa-f]{1,6}|[A-Za-z]{2,31});'

/** Longer links and marked words are read as their signs. In this order: an escape, a reference, a person, a link, an image, code, a macro, a mark in braces, and marks around words. */
const INLINE = new RegExp(
  [
    '\\\\(?<escaped>[!-/:-@[-`{-~])',
    `(?<reference>${REFERENCE})`,
    '\\[~(?<person>[^\\]\\n]{1,100})\\]',
    '\\[(?<link>[^\\]\\n]{1,300})\\]',
    '(?<![\\w!])!(?<image>[^\\s!|][^!\\n]{0,100}?)!',
    '\\{\\{(?<code>[^}\\n]{1,300})\\}\\}',
    '\\{(?<around>color)(?::[^}\\n]{0,100})?\\}(?<aroundText>[^\\n]{0,300}?)\\{\\k<around>\\}',
    '(?<macro>\\{[a-z]+(?::[^}\\n]{0,100})?\\})',
    '\\{(?<braced>[*_+^~-])\\}(?<bracedText>[^\\n]{1,300}?)\\{\\k<braced>\\}',
    '(?<![\\w\\\\])(?<mark>[*_+^~-])(?=\\S)(?<marked>[^\\n]{1,300}?)(?<=[^\\s\\\\])\\k<mark>(?!\\w)',
  ].join('|'),
  'g',
)

/** The references in code, and the text between them. */
const CODE_PARTS = new RegExp(`${REFERENCE}|[^&]+|&`, 'g')

/** A line that begins or ends a quotation or a panel. */
const BOX = /^\s*\{(quote|panel)(?::[^}\n]*)?\}\s*$/

/** Reads the tokens of wiki markup, line by line. */
export function readWikiTokens(source: string): SourceToken[] {
  const tokens: SourceToken[] = []
  let block: Place | null = null
  let box = null as Box | null
  let start = 0
  let verbatim = ''
  for (const line of source.split('\n')) {
    const range = { start, end: start + line.length }
    start += line.length + 1
    if (verbatim !== '') {
      if (line.trim() === `{${verbatim}}`) verbatim = ''
      else addCode(line, range, block!, tokens)
      if (block) block.end = range.end
      continue
    }
    const kindOfBox = BOX.exec(line)?.[1]
    if (kindOfBox !== undefined) {
      block = null
      const isEnd = box?.kind === kindOfBox && !line.includes(':')
      if (isEnd) {
        box!.place.end = range.end
        box = box!.outer
      } else
        box = { place: { ...range, kind: 'block', marks: [], parent: box?.place ?? null }, kind: kindOfBox, outer: box }
      if (!isEnd) addTitle(line, range.start, box!.place, tokens)
      continue
    }
    const opening = VERBATIM.exec(line.trim())
    if (opening && !line.trim().slice(opening[0].length).includes(`{${opening[1]}}`)) {
      verbatim = opening[1]!
      block = { ...range, kind: 'block', marks: [], parent: box?.place ?? null }
      continue
    }
    if (line.trim() === '') {
      block = null
      continue
    }
    const prefix = /^\s*(?:[*#-]+ |h[1-6]\. |bq\. )/.exec(line)?.[0] ?? ''
    if (/^\s*-{4,5}\s*$/.test(line)) {
      tokens.push({
        key: '---',
        ...range,
        spaced: false,
        marks: [],
        place: { ...range, kind: 'block', marks: [], parent: box?.place ?? null },
      })
      block = null
      continue
    }
    const kind = /^\s*[*#-]+ /.test(prefix) ? 'item' : 'block'
    if (/^\s*\|/.test(line)) {
      addRow(line, range, { tokens, parent: box?.place ?? null })
      block = null
      continue
    }
    if (prefix !== '' || block === null || block.kind !== 'block') {
      const parent: Place | null =
        (kind === 'item' ? itemAround(block, { depth: prefix.trim().length, source }) : null) ?? box?.place ?? null
      block = { ...range, kind, marks: [], parent }
    } else if (tokens.at(-1)?.place) {
      // A line end in a paragraph is a break.
      tokens.push({ key: '\n', start: range.start - 1, end: range.start, spaced: false, marks: [], place: block })
    }
    for (let place: Place | null = block; place && place !== box?.place; place = place.parent) place.end = range.end
    if (addTitle(line, range.start, block, tokens)) continue
    addInline(line.slice(prefix.length), range.start + prefix.length, block, tokens)
    if (/^h[1-6]/.test(prefix)) block = null
  }
  for (let open = box; open; open = open.outer) open.place.end = source.length
  return tokens
}

/** A quotation or a panel, and what it is in. */
interface Box {
  place: Place
  kind: string
  outer: Box | null
}

/** The title of a panel is words in bold. Returns whether the line has one. */
function addTitle(line: string, start: number, parent: Place | null, tokens: SourceToken[]): boolean {
  const title = /^\s*\{[a-z]+:(?:[^}\n]*\|)?title=(?<title>[^|}\n]+)/d.exec(line)?.indices?.groups?.['title']
  if (!title) return false
  const own: Place = { start: start + title[0], end: start + title[1], kind: 'inline', marks: ['strong'], parent }
  addInline(line.slice(...title), own.start, own, tokens)
  return true
}

/** The item that the next one is in, because it has fewer marks. */
function itemAround(last: Place | null, { depth, source }: { depth: number; source: string }): Place | null {
  let around = last
  while (around?.kind === 'item' && /[*#-]+/.exec(source.slice(around.start, around.end))![0].length >= depth)
    around = around.parent
  return around?.kind === 'item' ? around : null
}

function addCode(
  line: string,
  { start, end }: { start: number; end: number },
  place: Place,
  tokens: SourceToken[],
): void {
  if (tokens.at(-1)?.place === place)
    tokens.push({ key: '\n', start: start - 1, end: start, spaced: false, marks: [], place })
  for (const piece of splitText(line, true))
    tokens.push({ key: piece.key, start: start + piece.start, end: start + piece.end, spaced: false, marks: [], place })
  place.end = end
}

function addRow(
  line: string,
  range: { start: number; end: number },
  { tokens, parent }: { tokens: SourceToken[]; parent: Place | null },
): void {
  const row: Place = { ...range, kind: 'row', marks: [], parent }
  for (const { 0: cell, index } of line.matchAll(
    /(?:\\.|\[[^\]\n]{0,300}\]|\{[^}\n]{0,100}\}|![^!\s|][^!\n]{0,300}!|[^|\\])+/g,
  )) {
    if (cell.trim() === '') continue
    const place: Place = {
      start: range.start + index,
      end: range.start + index + cell.length,
      kind: 'cell',
      marks: [],
      parent: row,
    }
    addInline(cell, place.start, place, tokens)
  }
}

function addInline(text: string, offset: number, place: Place, tokens: SourceToken[]): void {
  const first = tokens.length
  const addText = (shown: string, range: { start: number; end: number }, inside: Place) => {
    const isPlain = shown.length === range.end - range.start
    const spaced = tokens.length > first && /\s/.test(text[range.start - offset - 1] ?? '')
    for (const piece of splitText(shown)) {
      const own = isPlain ? { start: range.start + piece.start, end: range.start + piece.end } : range
      tokens.push({
        key: piece.key,
        ...own,
        spaced: piece.spaced || (piece.start === 0 && spaced),
        marks: inside.marks,
        place: inside,
      })
    }
  }
  let from = 0
  for (const match of text.matchAll(INLINE)) {
    const { index, 0: whole, groups = {} } = match
    const plain = text.slice(from, index)
    if (plain.trim() !== '') addText(plain, { start: offset + from, end: offset + index }, place)
    from = index + whole.length
    const range = { start: offset + index, end: offset + from }
    const inside = (marks: readonly Mark[], kind: Place['kind'] = 'inline'): Place => ({
      ...range,
      kind,
      marks: [...place.marks, ...marks],
      parent: place,
      ...(marks.length === 0 ? { isStyled: true } : {}),
    })
    const content = (value: string) => offset + index + whole.indexOf(value, 1)
    if (groups['escaped'] !== undefined) addOne(groups['escaped'], range)
    else if (groups['reference'] !== undefined) addOne(decodeHTMLStrict(groups['reference']), range)
    else if (groups['aroundText'] !== undefined)
      addInline(groups['aroundText'], offset + index + whole.indexOf('}') + 1, inside([]), tokens)
    else if (groups['person'] !== undefined)
      addLocked(`@${groups['person'].replace(/^accountid:/, '')}`, range, inside([], 'locked'))
    else if (groups['link'] !== undefined) {
      const [label = '', url] = groups['link'].split('|')
      addInline(label, content(label), inside([`link:${url ?? label}`]), tokens)
    } else if (groups['code'] !== undefined) {
      const code = inside(['code'])
      for (const { 0: part, index: at } of groups['code'].matchAll(CODE_PARTS)) {
        const start = content(groups['code']) + at
        const shown = decodeHTMLStrict(part)
        if (shown === part) addText(part, { start, end: start + part.length }, code)
        else addOne(shown, { start, end: start + part.length }, code)
      }
    } else {
      const sign = groups['braced'] ?? groups['mark']
      const value = groups['bracedText'] ?? groups['marked']
      const mark = sign === undefined ? null : MARKS[sign]
      if (value !== undefined) {
        const at = groups['braced'] === undefined ? 1 : 3
        addInline(value, offset + index + at, inside(mark ? [mark] : []), tokens)
      }
    }
  }
  const rest = text.slice(from)
  if (rest.trim() !== '') addText(rest, { start: offset + from, end: offset + text.length }, place)

  function addOne(key: string, range: { start: number; end: number }, own = place): void {
    const spaced = tokens.length > first && /\s/.test(text[range.start - offset - 1] ?? '')
    tokens.push({ key, ...range, spaced, marks: own.marks, place: own })
  }
  function addLocked(shown: string, range: { start: number; end: number }, locked: Place): void {
    let at = range.start
    const pieces = splitText(shown)
    for (const [number, piece] of pieces.entries()) {
      const end = number === pieces.length - 1 ? range.end : at + 1
      tokens.push({ key: piece.key, start: at, end, spaced: piece.spaced, marks: place.marks, place: locked })
      at = end
    }
  }
}

function writeBeside(
  node: RootContent,
  { place, source, side }: { place: Place; source: string; side: 'before' | 'after' },
): string {
  const line = source.slice(place.start, place.end)
  if (node.type === 'tableCell') {
    const bar = source[place.start - 1] === '|' && source[place.start - 2] === '|' ? '||' : '|'
    const cell = writeWikiInline(node.children).replace(/\n/g, ' ') || ' '
    return side === 'after' ? `${bar}${cell}` : `${cell}${bar}`
  }
  const marker = /^\s*[*#-]+ /.exec(line)?.[0] ?? '* '
  const written =
    node.type === 'listItem'
      ? writeWikiBlocks([{ type: 'list', ordered: false, children: [node] }])
          .replace(/^\* /, marker)
          .replace(/\n[*#]+ /g, (found) => `\n${marker.trim()}${found.slice(2)}`)
      : node.type === 'tableRow'
        ? `|${node.children.map((cell) => writeWikiInline(cell.children).replace(/\n/g, ' ') || ' ').join('|')}|`
        : writeWikiBlocks([node])
  const between = node.type === 'listItem' || node.type === 'tableRow' ? '\n' : '\n\n'
  return side === 'after' ? `${between}${written}` : `${written}${between}`
}

/** The wiki markup of Jira Data Center. */
export const wikiFormat: SourceFormat = {
  read: readWikiTokens,
  writeInline: (nodes: PhrasingContent[]) => writeWikiInline(nodes),
  writeBlock: (node, beside) => {
    if (beside && beside.place.kind !== 'inline') return writeBeside(node, beside)
    const written = writeWikiBlocks([node])
    if (!beside) return written
    return beside.side === 'after' ? `\n\n${written}` : `${written}\n\n`
  },
  writeCode: (text) => text,
  writeBox: (isChecked) => boxOf(isChecked),
  widenBlock: (source, { start, end }) => {
    const from = source.lastIndexOf('\n', start - 1) + 1
    if (source.slice(from, start).trim() !== '') return { start, end }
    const isFirst = from === 0 || source.slice(source.lastIndexOf('\n', from - 2) + 1, from - 1).trim() === ''
    const blank = (isFirst ? /^[ \t]*(?:\n\s*\n|\n|$)/ : /^[ \t]*(?:\n|$)/).exec(source.slice(end))?.[0].length ?? 0
    return { start: from, end: end + blank }
  },
  joinLines: (words) => (words.includes('\n') ? null : words),
  separator: '\n\n',
}
