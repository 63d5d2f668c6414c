import { readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { Command, Option } from 'commander'
import { loadSettings } from '../../src/config'
import {
  type AnyOperation,
  argumentField,
  type Field,
  type Flag,
  fieldsOf,
  flagsOf,
  isRecordField,
  mapErrorFields,
  StudioError,
  textToValues,
  toCamelCase,
} from '../../src/kernel'
import { isRecord } from '../../src/kernel/json'
import { addOperationHelp } from '../start/help'
import type { InputFile, Invocation } from '../start/invocation'
import { describeLiteralBreaks } from '../terminal/literal-breaks'
import type { TextFile } from '../terminal/text-file'
import { writeNotice } from '../terminal/write-message'
import { getOperationUi } from './operation-ui'
import { addFormatFlag, addListFlags } from './output-flags'
import { watchOption } from './watch'

/** The commander command of one operation, or of several that share a command and are chosen by a flag. Help omits the hidden flags. */
export function commandFor(operations: readonly AnyOperation[], hidden: ReadonlySet<string> = new Set()): Command {
  const [main, ...variants] = operations as [AnyOperation, ...AnyOperation[]]
  const cli = main.cli!
  const command = new Command(cli.command).description(main.summary)
  const optional = variants.length > 0
  const takesSeveral = variants.some((op) => op.cli!.whenSeveral)
  for (const arg of cli.args ?? []) {
    command.argument(argumentText(main, takesSeveral ? `${arg}...` : arg, optional), aboutOf(main, arg))
  }
  const seen = new Set<string>()
  for (const op of operations) {
    for (const option of optionsOf(op)) {
      if (seen.has(option.long!)) continue
      seen.add(option.long!)
      command.addOption(hidden.has(option.long!) ? option.hideHelp() : option)
    }
  }
  addListFlags(command, main)
  addFormatFlag(command, main)
  if (getOperationUi(main.id).canWatch) command.addOption(watchOption)
  return addOperationHelp(command, operations, hidden)
}

function argumentText(op: AnyOperation, arg: string, optional: boolean): string {
  const name = argumentField(arg)
  const shown = `${op.cli!.argumentNames?.[name] ?? name}${arg.endsWith('...') ? '...' : ''}`
  const hasFlag = op.cli!.extraFlags?.some((flag) => flag.standsFor?.includes(name)) ?? false
  return optional || hasFlag || fieldNamed(op, name)?.required === false ? `[${shown}]` : `<${shown}>`
}

function aboutOf(op: AnyOperation, arg: string): string {
  const name = argumentField(arg)
  const binding = op.cli!.flags?.[name] || undefined
  return binding?.about ?? fieldNamed(op, name)?.about ?? ''
}

function fieldNamed(op: AnyOperation, name: string): Field | undefined {
  return fieldsOf(op.input).find((field) => field.name === name)
}

function optionsOf(op: AnyOperation): Option[] {
  const cli = op.cli!
  const flags = flagsOf(op).filter(({ key }) => key !== 'tenant')
  const file = cli.file ? [new Option('--file <path>', `${cli.file.about}; - reads standard input`)] : []
  const template = cli.file?.template
    ? [new Option('--template <name>', 'Start from <name>.md in the folder templates of your settings')]
    : []
  const out = cli.out ? [new Option('--out <file>', cli.out.about)] : []
  return [
    ...flags.map((flag) => optionFor(flag, { hasFile: cli.file !== undefined, isStored: op.effect === 'write' })),
    ...file,
    ...template,
    ...out,
  ]
}

/** Flags are not required if a file can give their fields. Who writes a text must know how long it may be. */
function optionFor(
  { name, takes, field, binding, extra }: Flag,
  { hasFile, isStored }: { hasFile: boolean; isStored: boolean },
): Option {
  if (field === null) {
    const option = new Option(extra!.flag, extra!.about)
    return extra!.repeatable ? option.argParser(collect) : option
  }
  const required = field.required && !hasFile ? ' (required)' : ''
  const length = isStored && field.maxLength !== null ? ` (up to ${field.maxLength} characters)` : ''
  const about = `${binding.about ?? field.about}${required}${length}`
  if (takes === 'nothing') return new Option(field.default === true ? `--no-${name}` : `--${name}`, about)
  const value = binding.value ?? (field.type === 'integer' || field.type === 'number' ? 'n' : 'text')
  const option = new Option(`--${name} <${takes === 'many' ? `${value}...` : value}>`, about)
  if (binding.repeatable)
    option.argParser((given, previous?: string) => (previous === undefined ? given : `${previous},${given}`))
  if (field.choices) option.choices(field.choices)
  // The schema applies the default; here it is only shown.
  if (field.default !== undefined && field.default !== null && !isEmptyList(field.default))
    option.description = `${about} (default: ${JSON.stringify(field.default)})`.trim()
  return option
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0
}

function collect(value: string, previous: string[] = []): string[] {
  return [...previous, value]
}

export interface Typed {
  operation: AnyOperation
  input: Record<string, unknown>
  /** Null if no file gives fields of the input. */
  inputFile: InputFile | null
}

/** The operation that the arguments mean, and its input. */
export async function inputFrom(
  command: Command,
  operations: readonly AnyOperation[],
  invocation: Invocation,
): Promise<Typed> {
  const options = command.opts() as Record<string, unknown>
  const meant = operations.filter((variant) => meaningFlag(variant, options) !== undefined)
  const several = operations.find((variant) => variant.cli!.whenSeveral)
  const [op = (several && isSeveral(command) ? several : undefined) ?? operations[0]!, other] = meant
  if (other) {
    const flags = [op, other].map((variant) => `--${meaningFlag(variant, options)}`)
    throw new StudioError('invalid', `Specify either ${flags.join(' or ')}, not both.`, {
      hint: `See: studio ${op.cli!.command} --help`,
    })
  }
  refuseBoth(op, operations[0]!, command)
  refuseForeignFlags(op, operations, command)
  // The command takes several words for one of its operations, and each other takes one.
  const given = several && op !== several ? command.processedArgs.map((arg) => [arg].flat()[0]) : command.processedArgs
  const typed: Record<string, unknown> = { ...(await positionals(op, given, invocation)) }
  for (const { name, key, field, extra } of flagsOf(op)) {
    const option = options[toCamelCase(name)]
    const value = extra?.readsFiles ? await readNamedFiles(option, invocation) : option
    if (value !== undefined && !(field?.type === 'boolean' && value === field.default)) typed[key] = value
  }
  const breaks = describeLiteralBreaks(op, { options, args: command.args })
  if (breaks !== null) writeNotice(invocation, breaks)
  if (invocation.flags.tenant !== null && 'tenant' in op.input.shape) typed['tenant'] = invocation.flags.tenant
  const input = op.cli!.toInput ? op.cli!.toInput(typed) : typed
  const [path, template] = op.cli!.file ? [options['file'], options['template']] : []
  if (typeof path !== 'string' && typeof template !== 'string')
    return { operation: op, input: textToValues(op.input, input), inputFile: null }
  const records = [
    typeof template === 'string' ? await readTemplate(op, template, invocation) : {},
    typeof path === 'string' ? await readRecord(op, path, invocation) : {},
  ]
  const name = typeof path !== 'string' ? `the template ${template}` : path === '-' ? 'standard input' : path
  const inputFile = op.cli!.file?.bytes ? null : { name, typed: new Set(Object.keys(input)) }
  return { operation: op, input: mergeInputs(...records, textToValues(op.input, input)), inputFile }
}

/** Later values override earlier ones, also inside of `fields`. */
function mergeInputs(...inputs: Record<string, unknown>[]): Record<string, unknown> {
  const fields = inputs.flatMap((input) => (isRecord(input['fields']) ? [input['fields']] : []))
  return Object.assign({}, ...inputs, fields.length > 0 ? { fields: Object.assign({}, ...fields) } : {})
}

function isSeveral({ args }: Command): boolean {
  return args.length > 1 || args[0] === '-'
}

/** Names the fields in an error as the user typed them: `--carrier`, `<featureId>`. */
export function nameInFlags(error: unknown, op: AnyOperation, file: InputFile | null = null): unknown {
  if (!(error instanceof StudioError) || !op.cli) return error
  const isInFile = (path: string) => file !== null && !file.typed.has(path.split('.')[0]!)
  const help = `See: studio ${op.cli!.command} --help`
  const isOfFile = file !== null && error.details.some(({ path }) => isInFile(path))
  return mapErrorFields(error, {
    nameOf: (path) => (isInFile(path) ? nameInFile(path) : typedName(op, path)),
    hint: isOfFile ? `Correct ${file.name}. ${help}` : help,
  })
}

/** `queues[0].start`, for the path `queues.0.start`. */
function nameInFile(path: string): string {
  return path.replace(/\.(\d+)(?=\.|$)/g, '[$1]')
}

function typedName(op: AnyOperation, path: string): string {
  const name = path.split('.')[0]!
  if (op.cli!.file?.bytes?.content === name) return '--file'
  if (op.cli!.args?.some((arg) => argumentField(arg) === name)) return `<${op.cli!.argumentNames?.[name] ?? name}>`
  const flags = flagsOf(op)
  const flag =
    flags.find(({ key, extra }) => extra !== null && path === `criteria.${key}`) ??
    flags.find(({ extra }) => extra?.standsFor?.includes(name)) ??
    flags.find(({ field }) => field?.name === name)
  if (!flag) return path
  const key = path.slice(name.length + 1)
  const takesPairs = flag.field !== null ? isRecordField(flag.field) : flag.extra?.flag.endsWith('Field=Value>')
  const isPair = takesPairs && key !== ''
  if (!isPair) return `--${flag.name}`
  return /[^\w.@-]/.test(key) ? `--${flag.name} "${key}=…"` : `--${flag.name} ${key}=…`
}

/** Rejects an argument of the main operation if a flag chose another one: it must not be ignored silently. */
function refuseBoth(op: AnyOperation, main: AnyOperation, command: Command): void {
  if (op === main || op.cli!.whenSeveral || command.args.length <= (op.cli!.args ?? []).length) return
  throw new StudioError('invalid', `Specify either <${main.cli!.args?.[0]}> or --${flagsThatMean(op)[0]}, not both.`, {
    hint: `See: studio ${main.cli!.command} --help`,
  })
}

/** Rejects a flag of another operation of the command, which would be ignored silently: `--dry-run` above all. */
function refuseForeignFlags(op: AnyOperation, operations: readonly AnyOperation[], command: Command): void {
  const own = new Set(optionsOf(op).map(({ long }) => long))
  for (const other of operations) {
    const stray = optionsOf(other).find(
      (option) => !own.has(option.long) && command.getOptionValueSource(option.attributeName()) === 'cli',
    )
    const [meant] = flagsThatMean(other)
    if (!stray) continue
    throw new StudioError(
      'invalid',
      meant === undefined
        ? `${stray.long} cannot be used with --${flagsThatMean(op)[0]}.`
        : `Use ${stray.long} with --${meant}.`,
      { hint: `See: studio ${op.cli!.command} --help` },
    )
  }
}

function flagsThatMean({ cli }: AnyOperation): readonly string[] {
  return [cli?.whenFlag ?? []].flat()
}

/** The typed flag that chooses this operation of those that share a command. */
function meaningFlag(op: AnyOperation, options: Record<string, unknown>): string | undefined {
  return flagsThatMean(op).find((flag) => options[toCamelCase(flag)] !== undefined)
}

async function positionals(
  op: AnyOperation,
  given: readonly unknown[],
  invocation: Invocation,
): Promise<Record<string, unknown>> {
  const values: Record<string, unknown> = {}
  const readsFiles = op.cli!.extraFlags?.some((flag) => flag.readsFiles) ?? false
  for (const [i, arg] of (op.cli!.args ?? []).entries()) {
    const value = readsFiles ? await readNamedFiles(given[i], invocation) : given[i]
    if (value === undefined || (Array.isArray(value) && value.length === 0)) continue
    const name = argumentField(arg)
    const beside = Array.isArray(value) && value[0] === '-' ? value.slice(1) : null
    if (op.cli!.paths?.includes(name)) values[name] = value
    else if (op.cli!.contents?.includes(name)) values[name] = await readContents(value as string, invocation)
    else if (op.cli!.texts?.includes(name) && AT_FILE.test(value as string))
      values[name] = await readContents((value as string).slice(1), invocation)
    else if (op.cli!.texts?.includes(name) && (value as string).startsWith('@@'))
      values[name] = (value as string).slice(1)
    else if (value === '-' && fieldNamed(op, name)?.type === 'string')
      values[name] = await invocation.terminal.readInput(invocation.signal)
    else values[name] = beside ? [...words(await invocation.terminal.readInput(invocation.signal)), ...beside] : value
  }
  return values
}

/** A text of several words may begin with the name of a person. */
const AT_FILE = /^@[^@\s]\S*$/

/** Words after an at sign that are values, not names of files. */
const AT_VALUES = /^@(?:me|current|today)$/i

/** `Description=@story.md` becomes `Description=` and the text of the file. `Title=@@home` is the value `@home`. */
async function readNamedFiles(given: unknown, invocation: Invocation): Promise<unknown> {
  if (!Array.isArray(given)) return given
  const pairs: string[] = []
  for (const pair of given as string[]) {
    const [, name, value] = /^([^=]+=)(@.*)$/s.exec(pair) ?? []
    if (name === undefined || value === undefined || AT_VALUES.test(value)) pairs.push(pair)
    else if (value.startsWith('@@')) pairs.push(name + value.slice(1))
    else pairs.push(name + (await readContents(value.slice(1), invocation)))
  }
  return pairs
}

function words(text: string): string[] {
  return text.split(/[\s,]+/).filter(Boolean)
}

async function readContents(path: string, invocation: Invocation): Promise<string> {
  return path === '-' ? invocation.terminal.readInput(invocation.signal) : (await textFile(path, path, invocation)).text
}

async function readRecord(op: AnyOperation, path: string, invocation: Invocation): Promise<Record<string, unknown>> {
  const isInput = path === '-'
  if (op.cli!.file!.bytes) return readContent(op.cli!.file!.bytes, path, invocation)
  const { text, modifiedAt } = isInput
    ? { text: await invocation.terminal.readInput(invocation.signal), modifiedAt: null }
    : await textFile(path, `--file ${path}`, invocation)
  const name = isInput ? 'Standard input' : path
  const { parse } = op.cli!.file!
  if (parse) return parse(text, name, modifiedAt)
  let record: unknown
  try {
    record = JSON.parse(text)
  } catch (error) {
    throw new StudioError('invalid', `${name} is not JSON: ${(error as Error).message}`, { cause: error })
  }
  if (isRecord(record)) return record
  throw new StudioError('invalid', `${name} must contain one JSON object.`)
}

/** The file itself as a field, with its name unless it is typed. */
async function readContent(
  { content, name, max }: NonNullable<NonNullable<AnyOperation['cli']>['file']>['bytes'] & object,
  path: string,
  { terminal, signal }: Invocation,
): Promise<Record<string, unknown>> {
  if (path === '-') return { [content]: (await terminal.readInputBytes(signal, max)).toString('base64') }
  const { readFileBytes } = await import('../terminal/text-file')
  const { bytes } = await readFileBytes(path, { name: `--file ${path}`, signal, max })
  return { [content]: bytes.toString('base64'), [name]: basename(path) }
}

async function readTemplate(op: AnyOperation, name: string, invocation: Invocation): Promise<Record<string, unknown>> {
  const { env, cwd } = invocation.terminal
  const folder = join(loadSettings({ env, cwd }).paths.config, 'templates')
  const names = (await readdir(folder).catch(() => [])).flatMap((file) => /^(.+)\.md$/.exec(file)?.[1] ?? [])
  if (names.includes(name)) return readRecord(op, join(folder, `${name}.md`), invocation)
  throw new StudioError('not_found', `There is no template "${name}".`, {
    hint:
      names.length > 0
        ? `Use one of: ${names.sort().join(', ')}`
        : `Save it as ${join(folder, `${name}.md`)}: front matter with type and title, then the description.`,
  })
}

async function textFile(path: string, name: string, { signal }: Invocation): Promise<TextFile> {
  const { readTextFile } = await import('../terminal/text-file')
  return readTextFile(path, name, signal)
}
