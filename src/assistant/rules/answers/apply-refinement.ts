import type { Target } from '../prompts/template'
import type { Refinement } from './answer-forms'

/** The texts of a draft that a refinement can change. */
export interface DraftTexts {
  title: string
  description: string | null
  acceptanceCriteria: string | null
}

type DraftField = keyof DraftTexts

export interface TextChange {
  field: DraftField
  before: string | null
  after: string
}

const SECTION_TITLES = { 'test-cases': 'Test cases', diagram: 'Diagram', summary: 'Summary' } as const

/** Lists the texts of a draft that a refinement changes. The target decides which field. */
export function applyRefinement(draft: DraftTexts, target: Target, { title, markdown }: Refinement): TextChange[] {
  const after: Partial<Record<DraftField, string>> =
    target === 'acceptance-criteria'
      ? { acceptanceCriteria: markdown }
      : target === 'story'
        ? { ...(title === null ? {} : { title }), description: markdown }
        : { description: replaceSection(draft.description, SECTION_TITLES[target], markdown) }
  return (Object.entries(after) as [DraftField, string][])
    .filter(([field, text]) => text !== draft[field])
    .map(([field, text]) => ({ field, before: draft[field], after: text }))
}

/**
 * Replaces the section with the heading `## <title>`, or appends it. All other lines stay unchanged. High headings in `content` are lowered
 * so that they do not end the section.
 */
export function replaceSection(markdown: string | null, title: string, content: string): string {
  const section = [`## ${title}`, '', ...nestInSection(content.split('\n'))]
  const lines = markdown === null || markdown.trim() === '' ? [] : markdown.split('\n')
  const { headings, openFence } = parseOutline(lines)
  const at = headings.findIndex(({ level, text }) => level === 2 && text === title)
  if (at < 0) {
    const before = [...trimBlankEnd(lines), ...(openFence === null ? [] : [openFence])]
    return [...before, ...(before.length > 0 ? [''] : []), ...section].join('\n')
  }
  const start = headings[at]!.line
  const end = headings.slice(at + 1).find(({ level }) => level <= 2)?.line ?? lines.length
  const after = lines.slice(end)
  return [...lines.slice(0, start), ...section, ...(after.length > 0 ? [''] : []), ...after].join('\n')
}

interface Heading {
  line: number
  level: number
  text: string
}

/** Finds the `#` headings outside fenced blocks, and the mark that would close a block that is still open at the end. */
function parseOutline(lines: readonly string[]): { headings: Heading[]; openFence: string | null } {
  const headings: Heading[] = []
  let fence: string | null = null
  for (const [line, text] of lines.entries()) {
    const mark = /^ {0,3}(`{3,}|~{3,})(.*)$/s.exec(text)
    if (fence !== null) {
      if (mark && mark[1]!.startsWith(fence) && mark[2]!.trim() === '') fence = null
      continue
    }
    const opens = mark !== null && !(mark[1]!.startsWith('`') && mark[2]!.includes('`'))
    if (opens) fence = mark[1]!
    const heading = opens ? null : /^ {0,3}(#{1,6})(?=\s|$)/.exec(text)
    if (heading)
      headings.push({ line, level: heading[1]!.length, text: parseHeadingText(text.slice(heading[0].length)) })
  }
  return { headings, openFence: fence }
}

/** Removes closing hashes. */
function parseHeadingText(rest: string): string {
  return rest
    .trim()
    .replace(/(?<!\S)#+$/, '')
    .trimEnd()
}

/** Lowers headings that would end the section, and closes a block that would include the text after it. */
function nestInSection(lines: readonly string[]): string[] {
  const { headings, openFence } = parseOutline(lines)
  const high = new Set(headings.filter(({ level }) => level <= 2).map(({ line }) => line))
  const lowered = lines.map((text, line) => (high.has(line) ? text.replace(/#{1,2}/, '###') : text))
  return openFence === null ? lowered : [...lowered, openFence]
}

function trimBlankEnd(lines: readonly string[]): readonly string[] {
  let end = lines.length
  while (end > 0 && lines[end - 1]!.trim() === '') end--
  return lines.slice(0, end)
}
