import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findRedactions } from '../../src/sanitize/rules/redact/find'
import { indexPeople } from '../../src/sanitize/rules/redact/people/mentions'
import { printFigure } from './figures'
import { readGoExamples } from './gitleaks-examples'

const rules = { people: indexPeople([]), also: new Set<never>() }

/**
 * How much is found that is no secret and no person, and how much of what is one. `--texts <folder>` names texts in which nothing is
 * to be found: its `.jsonl` files hold a text a line, all others are one text. `--gitleaks <folder>` names a checkout of gitleaks, whose rules have
 * examples of secrets and of texts that look similar. `--show` prints what is found in the texts, and what is missed in the examples.
 */
export async function run(args: string[]): Promise<void> {
  const folders = args.flatMap((arg, at) => (arg === '--texts' ? [args[at + 1] ?? ''] : []))
  const gitleaks = args.includes('--gitleaks') ? (args[args.indexOf('--gitleaks') + 1] ?? '') : null
  const show = args.includes('--show') ? (text: string) => console.log(text) : () => {}
  if (folders.length === 0 && gitleaks === null) console.log('  name folders: --texts <folder>, --gitleaks <folder>')
  for (const folder of folders) printFindings(folder, show)
  if (gitleaks !== null) printExamples(join(gitleaks, 'cmd/generate/config/rules'), show)
}

function printFindings(folder: string, show: (text: string) => void): void {
  const kinds = new Map<string, number>()
  let characters = 0
  for (const text of textsIn(folder)) {
    characters += text.length
    for (const { kind, start, end } of findIn(text)) {
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
      show(
        `${kind.padEnd(12)} ${JSON.stringify(text.slice(Math.max(0, start - 30), end + 10))} ${text.slice(start, end)}`,
      )
    }
  }
  for (const kind of ['password', 'token', 'private-key', 'account', 'email', 'phone'])
    printFigure({
      name: `${folder}: ${kind} in ${(characters / 1e6).toFixed(1)} MB`,
      value: kinds.get(kind) ?? 0,
      unit: '',
      decimals: 0,
    })
}

/** The rules are tried as in prose and as in code, because either may be the place of a text. */
function findIn(text: string) {
  const found = [false, true].flatMap((isCode) => findRedactions({ text, isCode: () => isCode }, rules))
  return [...new Map(found.map((finding) => [finding.start, finding])).values()]
}

function* textsIn(folder: string): Generator<string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  for (const { parentPath, name } of files) {
    const text = readFileSync(join(parentPath, name), 'utf8')
    if (!name.endsWith('.jsonl')) yield text
    else
      for (const line of text.split('\n').filter(Boolean)) {
        const { title = '', text: body = '' } = JSON.parse(line) as { title?: string; text?: string }
        yield `${title}\n${body}`
      }
  }
}

function printExamples(folder: string, show: (text: string) => void): void {
  const examples = readdirSync(folder)
    .filter((name) => name.endsWith('.go'))
    .flatMap((name) => readGoExamples(readFileSync(join(folder, name), 'utf8')).map((found) => ({ name, ...found })))
  for (const isSecret of [true, false]) {
    const own = examples.filter((example) => example.isSecret === isSecret)
    const found = own.filter(({ text }) => findIn(text).some(({ kind }) => !/^(?:account|email|phone)$/.test(kind)))
    for (const { name, text } of own.filter((example) => found.includes(example) !== isSecret))
      show(`${isSecret ? 'missed' : 'found'} ${name} ${JSON.stringify(text)}`)
    printFigure({
      name: `gitleaks: found of ${own.length} ${isSecret ? 'secrets' : 'texts that look similar'}`,
      value: found.length,
      unit: '',
      decimals: 0,
    })
  }
}
