import { findStrayBraces, type Target, type Template, targets } from './template'

/** A template file that cannot be used, and why. */
export interface FileProblem {
  problem: string
}

const ID = /^[a-z0-9][a-z0-9-]{0,63}$/
const KEYS = ['name', 'description', 'target'] as const

/**
 * A template as a user writes it: a few `key: value` lines between two lines of three dashes, then the text.
 * Only `target` must be there; the name is else that of the file.
 */
export function parseTemplateFile(fileName: string, text: string): Template | FileProblem {
  const id = fileName.replace(/\.md$/, '')
  if (!ID.test(id)) return { problem: 'its name must be small letters, digits and dashes, and end in .md' }
  const parts = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)([\s\S]*)$/.exec(text)
  if (!parts) return { problem: 'it must begin with a line ---, then target: …, then a line ---' }
  const head = readHead(parts[1]!)
  if ('problem' in head) return head
  const template = parts[2]!.replace(/\r\n/g, '\n').trim()
  if (template === '') return { problem: 'it has no text below its head' }
  const stray = findStrayBraces(template)
  if (stray !== null) return { problem: `"${stray}" is no variable: write {{name}}, with letters and digits alone` }
  const { target, name = id, description = '' } = head
  if (!isTarget(target)) return { problem: `target must be one of ${targets.join(', ')}` }
  return { id, name, description, target, template }
}

type Head = Partial<Record<(typeof KEYS)[number], string>>

function readHead(text: string): Head | FileProblem {
  const head: Head = {}
  for (const line of text.split(/\r?\n/)) {
    if (line.trim() === '' || line.startsWith('#')) continue
    const pair = /^([a-z]+)\s*:(.*)$/s.exec(line)
    if (!pair) return { problem: `its head holds a line that is not "key: value": ${line.slice(0, 40)}` }
    const key = KEYS.find((known) => known === pair[1])
    if (!key) return { problem: `its head knows ${KEYS.join(', ')}, not ${pair[1]}` }
    head[key] = pair[2]!.trim().replace(/^(["'])(.*)\1$/, '$2')
  }
  return head
}

function isTarget(text: string | undefined): text is Target {
  return (targets as readonly (string | undefined)[]).includes(text)
}
