import { type ErrorDetail, StudioError } from '../../../kernel'
import { normalizeText } from '../../../kernel/text/normalize-text'
import { parseStoryFile } from '../../../rich-text'

/** A Markdown file with stories. */
export interface TreeFile {
  /** Identifies the file: what was published from it is found by it. */
  name: string
  text: string
}

/** An item of a file, before it has a type. */
export interface TreeNode {
  /** The name of the file, or what its front matter calls the tree. */
  tree: string
  /** The titles from the root. Of titles beside each other that differ at most in case, accents or the like, later ones have a number. */
  path: readonly string[]
  /** The name of its file. */
  file: string
  /** Where it is in the file, for messages: `stories.md:12`. */
  place: string
  title: string
  /** The index of its parent in the list; null for a root. */
  parent: number | null
  description: string | null
  acceptanceCriteria: string | null
  /** The lines below the heading in the form `name: value`, in lower case where they are no fields of the tracker. */
  attributes: ReadonlyMap<string, string>
}

export interface ParsedTree {
  nodes: TreeNode[]
  problems: ErrorDetail[]
}

export const MAX_TREE_NODES = 1_000
const MAX_TITLE_LENGTH = 255

/** Reads files whose headings and checkboxes are work items, parents before their children. Never throws: problems say what is wrong. */
export function parseTreeFiles(files: readonly TreeFile[]): ParsedTree {
  const parsed: ParsedTree = { nodes: [], problems: [] }
  const names = new Set<string>()
  for (const file of files) {
    const before = parsed.nodes.length
    try {
      new FileReader(file, parsed).read()
    } catch (error) {
      if (!(error instanceof StudioError)) throw error
      parsed.problems.push({ path: file.name, message: error.message })
    }
    const tree = parsed.nodes[before]?.tree ?? file.name
    if (names.has(tree)) parsed.problems.push({ path: file.name, message: `is the second file of the tree ${tree}` })
    names.add(tree)
    if (parsed.nodes.length === before)
      parsed.problems.push({ path: file.name, message: 'has no heading, so no story' })
    if (parsed.nodes.length <= MAX_TREE_NODES) continue
    const message = `has more items than can be published at once: ${MAX_TREE_NODES}`
    return {
      nodes: parsed.nodes.slice(0, MAX_TREE_NODES),
      problems: [...parsed.problems, { path: file.name, message }],
    }
  }
  return parsed
}

const HEADING = /^(#{1,6})[ \t]+([^ \t].*)$/
const BOX = /^([ \t]*)[-*+][ \t]+\[([ xX])\][ \t]+([^ \t].*)$/
const ATTRIBUTE = /^[ \t]*([A-Za-z][^:\n]{0,80}):[ \t]+([^ \t].*)$/
/** Backticks with another one behind them are code within a line. */
const FENCE = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,}(?!~))(.*)$/
const SECTIONS: Readonly<Record<string, 'description' | 'acceptanceCriteria'>> = {
  description: 'description',
  'acceptance criteria': 'acceptanceCriteria',
}

interface OpenNode {
  index: number
  /** The number of hashes; one more than its parent for a checkbox. */
  depth: number
  texts: Record<'description' | 'acceptanceCriteria', string[]>
  attributes: Map<string, string>
}

class FileReader {
  readonly #open: OpenNode[] = []
  readonly #counts = new Map<string, number>()
  #tree: string
  /** The heading of a section, and its depth; what is below it is text. */
  #section: { name: 'description' | 'acceptanceCriteria'; depth: number } | null = null
  /** Whether the next line may still be an attribute of the node. */
  #takesAttributes = false
  /** The column of the checkbox whose indented lines follow. */
  #box: number | null = null
  /** What has opened the code that the lines are in. */
  #fence: string | null = null
  #hasTextBefore = false

  constructor(
    private readonly file: TreeFile,
    private readonly parsed: ParsedTree,
  ) {
    this.#tree = file.name
  }

  read(): void {
    const text = this.file.text.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n')
    const matter = text.startsWith('---\n') ? text.indexOf('\n---', 3) : -1
    const end = matter < 0 ? 0 : text.indexOf('\n', matter + 1) + 1 || text.length
    let line = 1
    if (end > 0) {
      this.#readFrontMatter(text.slice(0, end))
      line += text.slice(0, end).split('\n').length - 1
    }
    for (const one of text.slice(end).split('\n')) {
      if (this.parsed.nodes.length > MAX_TREE_NODES) return
      this.#readLine(one, line)
      line += 1
    }
    this.#closeTo(0)
  }

  /** With a title, the file is one item, and its headings are below it. */
  #readFrontMatter(source: string): void {
    const { fields } = parseStoryFile(source, this.file.name)
    const { title, tree, ...others } = fields
    if (typeof tree === 'string' && tree.trim() !== '') this.#tree = tree.trim()
    const attributes = new Map(
      Object.entries(others).flatMap(([name, value]): [string, string][] => {
        if (value === null || value === undefined) return []
        return [[name, Array.isArray(value) ? value.map(String).join('; ') : String(value)]]
      }),
    )
    if (title === undefined || title === null) {
      if (attributes.size > 0)
        this.#addProblem(
          1,
          `${[...attributes.keys()].join(', ')}: front matter without a title has only the name of the tree`,
        )
      return
    }
    this.#openNode(String(title), 0, 1)
    for (const [name, value] of attributes) this.#open[0]!.attributes.set(name, value)
    this.#takesAttributes = false
  }

  #readLine(line: string, number: number): void {
    const [, fence = null, rest = ''] = FENCE.exec(line) ?? []
    if (fence !== null && this.#fence === null) {
      if (!/^[ \t]/.test(line)) this.#closeBox()
      this.#fence = fence
    } else if (fence !== null && this.#fence !== null && fence.startsWith(this.#fence) && rest.trim() === '')
      this.#fence = null
    else if (this.#fence === null && this.#readStructure(line, number)) return
    this.#takesAttributes = false
    this.#addText(line, number)
  }

  /** Whether the line is a heading, a checkbox or an attribute. */
  #readStructure(line: string, number: number): boolean {
    const [, hashes, heading] = HEADING.exec(line) ?? []
    if (hashes !== undefined && heading !== undefined)
      return this.#readHeading(hashes.length, heading.trimEnd(), number)
    const [, indent, mark, title] = BOX.exec(line) ?? []
    if (indent !== undefined && title !== undefined && this.#section === null && this.#open.length > 0) {
      if (this.#box !== null && indent.length > this.#box) return false
      this.#closeBox()
      // A finished task is not created.
      if (mark === ' ') this.#openNode(title.trimEnd(), this.#open.at(-1)!.depth + 1, number)
      else this.#open.push(openNode(-1, this.#open.at(-1)!.depth + 1))
      this.#box = indent.length
      return true
    }
    if (this.#box !== null && line.trim() !== '' && !/^[ \t]/.test(line)) this.#closeBox()
    const [, name, value] = this.#takesAttributes ? (ATTRIBUTE.exec(line) ?? []) : []
    if (name === undefined || value === undefined) return false
    const { attributes } = this.#open.at(-1)!
    if (attributes.has(name.trim())) this.#addProblem(number, `${name.trim()} is given a second time`)
    attributes.set(name.trim(), value.trimEnd())
    return true
  }

  #readHeading(depth: number, heading: string, number: number): boolean {
    if (this.#section !== null && depth > this.#section.depth) return false
    const section = SECTIONS[heading.toLowerCase()]
    this.#closeBox()
    if (section && this.#open.length > 0) {
      this.#closeTo(depth)
      if (this.#open.length > 0) {
        this.#section = { name: section, depth }
        this.#takesAttributes = false
        return true
      }
    }
    this.#closeTo(depth)
    this.#openNode(heading, depth, number)
    return true
  }

  #openNode(title: string, depth: number, number: number): void {
    const parent = this.#open.findLast(({ index }) => index >= 0)?.index ?? null
    if (title.length > MAX_TITLE_LENGTH)
      this.#addProblem(number, `the title is longer than ${MAX_TITLE_LENGTH} characters`)
    const above = parent === null ? [] : this.parsed.nodes[parent]!.path
    // An item is found by its normalized titles: of two that are the same then, the second would replace the first.
    const same = JSON.stringify([...above, title].map(normalizeText))
    const count = (this.#counts.get(same) ?? 0) + 1
    this.#counts.set(same, count)
    const open = openNode(this.parsed.nodes.length, depth)
    this.parsed.nodes.push({
      tree: this.#tree,
      path: [...above, count === 1 ? title : `${title}\u0000${count}`],
      file: this.file.name,
      place: `${this.file.name}:${number}`,
      title,
      parent,
      description: null,
      acceptanceCriteria: null,
      attributes: open.attributes,
    })
    this.#open.push(open)
    this.#takesAttributes = true
  }

  #addText(line: string, number: number): void {
    const node = this.#open.at(-1)
    if (node === undefined) {
      if (line.trim() !== '' && !this.#hasTextBefore) this.#addProblem(number, 'the text is before the first heading')
      this.#hasTextBefore ||= line.trim() !== ''
      return
    }
    node.texts[this.#section?.name ?? 'description'].push(this.#box === null ? line : line.replace(/^[ \t]{1,4}/, ''))
  }

  #closeBox(): void {
    if (this.#box === null) return
    this.#box = null
    this.#close(this.#open.pop()!)
  }

  /** Closes the items and the section at this depth and below. */
  #closeTo(depth: number): void {
    this.#closeBox()
    if (this.#section !== null && depth <= this.#section.depth) this.#section = null
    while (this.#open.length > 0 && this.#open.at(-1)!.depth >= depth) this.#close(this.#open.pop()!)
  }

  #close({ index, texts }: OpenNode): void {
    const node = this.parsed.nodes[index]
    if (node === undefined) return
    node.description = trimLines(texts.description)
    node.acceptanceCriteria = trimLines(texts.acceptanceCriteria)
  }

  #addProblem(line: number, message: string): void {
    this.parsed.problems.push({ path: `${this.file.name}:${line}`, message })
  }
}

/** @param index -1 for a finished task, whose text is skipped. */
function openNode(index: number, depth: number): OpenNode {
  return { index, depth, texts: { description: [], acceptanceCriteria: [] }, attributes: new Map() }
}

function trimLines(lines: readonly string[]): string | null {
  let [from, to] = [0, lines.length]
  while (from < to && lines[from]!.trim() === '') from++
  while (from < to && lines[to - 1]!.trim() === '') to--
  return from === to ? null : lines.slice(from, to).join('\n').trimEnd()
}
