// Acts as `security` of macOS, as the source of SecurityTool has it: how it splits lines, how long a line is, how it prints and exits.
const { existsSync, readFileSync, rmSync, writeFileSync } = require('node:fs')

const MAX_LINE = 4096
const NOT_FOUND = 44
const DUPLICATE = 45
const vault = process.env.SECURITY_VAULT
const items = existsSync(vault) ? JSON.parse(readFileSync(vault, 'utf8')) : {}

function* linesOf(text) {
  while (text !== '') {
    const end = text.indexOf('\n')
    if (end === -1) return // at the end of the input, an incomplete line is dropped
    if (end > MAX_LINE - 2) {
      yield text.slice(0, MAX_LINE - 1)
      text = text.slice(MAX_LINE - 1)
    } else {
      yield text.slice(0, end)
      text = text.slice(end + 1)
    }
  }
}

/** A backslash escapes the next character, also within quotes. A quote counts only at the start of a word. */
function split(line) {
  const words = []
  let word = null
  let quote = ''
  for (let i = 0; i < line.length; i++) {
    const char = line[i]
    if (word === null) {
      if (/\s/.test(char)) continue
      word = ''
      quote = char === '"' || char === "'" ? char : ''
      if (quote) continue
    }
    if (char === '\\') word += line[++i] ?? ''
    else if (quote ? char === quote : /\s/.test(char)) {
      words.push(word)
      word = null
    } else word += char
  }
  return word === null ? words : [...words, word]
}

function run([command, ...words]) {
  const options = {}
  for (let i = 0; i < words.length; i++) {
    if (words[i] === '-U' || (words[i] === '-w' && command !== 'add-generic-password')) options[words[i]] = true
    else options[words[i]] = words[++i]
  }
  const name = JSON.stringify([options['-s'], options['-a']])
  if (command === 'add-generic-password') {
    if (name in items && !options['-U']) return DUPLICATE
    items[name] = options['-w'] ?? ''
  } else if (!(name in items)) return NOT_FOUND
  else if (command === 'delete-generic-password') delete items[name]
  else {
    const bytes = Buffer.from(items[name])
    const isPrintable = bytes.every((byte) => byte >= 32 && byte < 127)
    process.stdout.write(`${isPrintable ? items[name] : bytes.toString('hex')}\n`)
  }
  writeFileSync(vault, JSON.stringify(items))
  return 0
}

const args = process.argv.slice(2)
if (args[0] === '-i') {
  for (const line of linesOf(readFileSync(0, 'utf8'))) process.exitCode = run(split(line))
} else process.exitCode = run(args)
if (Object.keys(items).length === 0) rmSync(vault, { force: true })
