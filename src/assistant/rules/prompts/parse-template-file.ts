import { findStrayBraces, type Target, type Template, targets } from './template'

/** A template file that cannot be used, and why. */
export interface FileProblem {
  problem: string
}

const ID = /^[a-z0-9][a-z0-9-]{0,63}$/
const KEYS = ['name', 'description', 'target'] as const

/**
 * Parses a user's template: `key: value` lines between two lines of three dashes, then the text. Only `target` is required. The default name
 * is that of the file.
 */
export function parseTemplateFile(fileName: string, text: string): Template | FileProblem {
  const id = fileName.replace(/\.md$/, '')
  if (!ID.test(id)) return { problem: 'its name must consist of lowercase letters, digits and dashes, and end in .md' }
  const parts = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)([\s\S]*)$/.exec(text)
  if (!parts) return { problem: 'it must begin with a line ---, then target: …, then a line ---' }
  const header = parseHeader(parts[1]!)
  if ('problem' in header) return header
  const template = parts[2]!.replace(/\r\n/g, '\n').trim()
  if (template === '') return { problem: 'it has no text after its header' }
  const stray = findStrayBraces(template)
  if (stray !== null) return { problem: `"${stray}" is not a variable: write {{name}}, with only letters and digits` }
  const { target, name = id, description = '' } = header
  if (!isTarget(target)) return { problem: `target must be one of ${targets.join(', ')}` }
  return { id, name, description, target, template }
}

type Header = Partial<Record<(typeof KEYS)[number], string>>

function parseHeader(text: string): Header | FileProblem {
  const header: Header = {}
  for (const line of text.split(/\r?\n/)) {
    if (line.trim() === '' || line.startsWith('#')) continue
    const pair = /^([a-z]+)\s*:(.*)$/s.exec(line)
    if (!pair) return { problem: `its header has a line that is not "key: value": ${line.slice(0, 40)}` }
    const key = KEYS.find((known) => known === pair[1])
    if (!key) return { problem: `${pair[1]} is not a key of the header; the keys are ${KEYS.join(', ')}` }
    header[key] = pair[2]!.trim().replace(/^(["'])(.*)\1$/, '$2')
  }
  return header
}

function isTarget(text: string | undefined): text is Target {
  return (targets as readonly (string | undefined)[]).includes(text)
}
