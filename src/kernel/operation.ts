import type { z } from 'zod'
import type { Access } from './access'
import type { RecordingTime } from './call-recorder'
import type { Context } from './context'
import type { ErrorCode } from './errors'
import type { ListOrder, ListWindow } from './input/list-order'
import type { OperationId } from './operation-id'
import { planInput, planOutput } from './plan'

/** A part of a streamed answer; `event` names its kind. An error after the first part is thrown, and every surface reports it last. */
export interface StreamEvent {
  event: string
  [field: string]: unknown
}

/** How an operation streams its answer in parts. */
export interface Streaming<In extends z.ZodObject = z.ZodObject, Needs extends Context = Context> {
  /** The shape of a part. */
  event: z.ZodType<StreamEvent>
  /** True if a caller gets the parts unless it asks for the whole answer. */
  byDefault?: true
  /** The input field that takes the `id` of the last event that the reader has seen, to continue after it. */
  resumeAt?: Extract<keyof z.output<In>, string>
  /** Ends early and releases everything when the reader stops reading or the context's signal is aborted. */
  open(ctx: Needs, input: z.output<In>): AsyncIterable<StreamEvent>
}

/**
 * What an operation changes.
 * `read` changes nothing; `mirror` changes only the local copy of what the tracker has; `write` changes drafts, docks or the tracker.
 */
export type Effect = 'read' | 'mirror' | 'write'

export interface HttpBinding {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete'
  /** OpenAPI form: `/api/devops/items/{id}`. A name in braces is a field of the input. */
  path: string
  /** Query parameters whose name on the wire differs from the input's field: `{ facility_id: 'facilityId' }`. */
  query?: Record<string, string>
  /** True for a route that the documents do not name. */
  extension?: true
  /** Timeout of a call in milliseconds, if it may take minutes. */
  withinMs?: number
  /** True if it writes in several transactions, and a repeated call continues what an interrupted one has begun. */
  inParts?: true
  /** True if the answer has a secret. It is not stored, so that a call with an Idempotency-Key is not answered again. */
  hasSecret?: true
  /** The largest body, if a call may send more than `MAX_BODY_BYTES`. */
  maxBodyBytes?: number
  /** True if the answer is sent as the file that it has: its `content` in Base64, with its `type` and `name`. */
  answersFile?: true
  /** An input for the API's description, if no example of the command line gives one. */
  example?: Record<string, unknown>
  /** For a read whose answer depends only on the stored rows, the caller and the input: it is valid until a row changes. */
  cacheable?(input: Record<string, unknown>): boolean
  /** For a read whose answer may be this old, in milliseconds, whatever has changed since. */
  cacheForMs?: number
  /** Fields of the answer, such as the time of the call, that do not make it another version. */
  volatile?: readonly string[]
}

export interface FlagBinding {
  /** The long name without dashes, if it differs from the field in kebab case. */
  name?: string
  /** The name of the value in help: `iso date`; by default derived from the schema. */
  value?: string
  /** Replaces the field's description in help. */
  about?: string
  /** True if the flag can be repeated. The field is text and gets the values separated by commas. */
  repeatable?: true
}

export interface CliBinding {
  /** The words after `studio`: `item get`. */
  command: string
  /** Input fields by position. `itemIds...` takes all remaining words; a leading `-` there reads them from standard input. */
  args?: readonly string[]
  /** Names of arguments in help, if they differ from the field: `{ q: 'query' }`. */
  argumentNames?: Record<string, string>
  /** Set if operations share a command: the flag, or one of the flags (without dashes), chooses this one. */
  whenFlag?: string | readonly string[]
  /** True if operations share a command and several words, or `-` for standard input, choose this one. */
  whenSeveral?: true
  /** True if a word that starts with a dash is input, not a flag: `-draft` in a search. */
  dashWords?: true
  /** How a field is offered as a flag or an argument; `false` hides it. By default its flag is the field in kebab case. */
  flags?: Record<string, FlagBinding | false>
  /** Flags that do not correspond to one field, and how typed values become the input. */
  extraFlags?: readonly ExtraFlag[]
  toInput?(typed: Record<string, unknown>): Record<string, unknown>
  /**
   * `--file <path|->` reads the input as JSON, or with `parse`; typed flags override it. `parse` throws a StudioError; `modifiedAt` is
   * when the file was last changed (ISO 8601), or null for standard input.
   */
  file?: {
    about: string
    /** True if `--template <name>` reads such a file from the user's folder of templates. Typed flags and the file override it. */
    template?: true
    parse?(text: string, name: string, modifiedAt: string | null): Promise<Record<string, unknown>>
    /** Set if the file itself is sent: the field that gets its bytes in Base64, and the one that gets its name. */
    bytes?: { content: string; name: string; max: number }
  }
  /** `--out <file>` writes the result to a file. With `isFile`, it is required, and gets the `content` of the answer, which is in Base64. */
  out?: { about: string; isFile?: true }
  /** Command lines that work on the sandbox. */
  examples: readonly string[]
  /** Related commands, as typed. */
  seeAlso?: readonly string[]
  /** A notice about the result, for standard error. */
  notice?(output: any): string | null
  /** A next step that is offered after the result; null if there is none. */
  offer?(output: any): Offer | null
  /** The question to ask before it runs, or null. `--yes` answers it. */
  confirm?(input: Record<string, unknown>): string | null
  /**
   * The question to ask after a dry run (`dryRun: true`), or null. Without `--yes` the dry run is done and shown first. With `confirm` too,
   * a person at a terminal is asked this question, and `confirm` is for calls from scripts.
   */
  confirmDryRun?(answer: unknown): string | null
  /** Arguments that are a text: `@file` is the text of that file. `@@` begins a text that itself begins with an at sign. */
  texts?: readonly string[]
  /** Arguments that name a file, or `-` for standard input. Their value is its text. */
  contents?: readonly string[]
  /** Arguments that name files, which the operation reads. `-` is standard input. */
  paths?: readonly string[]
}

/** A next step that a person may agree to. */
export interface Offer {
  question: string
  /** The operation that runs if the person agrees, and its input. */
  operation: OperationId
  input: Record<string, unknown>
  /** The message after it is done. */
  done: string
  /** The message if no one can be asked. */
  otherwise: string
}

export interface ExtraFlag {
  /** `--queue <window>` */
  flag: string
  about: string
  repeatable?: boolean
  /** True if `Name=@path` is `Name=` and the text of that file. `=@@` begins a value that itself begins with an at sign. */
  readsFiles?: true
  /** The fields that it gives, so that an error names the flag; the main one comes first. */
  standsFor?: readonly string[]
}

/** Capabilities by field. */
export type FieldNeeds = Readonly<Record<string, string>>

/** An operation, declared once. The command line, the HTTP API and its description are views of it. */
export interface Operation<
  In extends z.ZodObject = z.ZodObject,
  Out extends z.ZodType = z.ZodType,
  Needs extends Context = Context,
> {
  /** `noun.verb`, stable: `appointments.book`. */
  id: string
  /** One line, imperative, without a full stop. */
  summary: string
  /** Details for callers, in Markdown. */
  description?: string
  effect: Effect
  access: Access
  /** True if it changes items in a tracker, for which a user needs the role publisher. */
  changesTracker?: true
  input: In
  output: Out
  /**
   * Fields that need a capability of a tracker, such as `link:related`; a dot leads into an object. They are hidden where no tracker of the
   * settings has it.
   */
  fieldNeeds?: FieldNeeds
  /**
   * True if a call may take a second or more of a processor, of the tracker or of the language model. Over HTTP, one caller may have only a
   * few such calls under way.
   */
  isExpensive?: true
  /** True if the answer has the long texts of many things. Over HTTP, callers take turns with such calls. */
  hasLargeAnswer?: true
  /** For how long the operation may compute, in milliseconds; by default as long as it may take, or `DEFAULT_COMPUTING_MS`. */
  computingMs?: number
  /** Error codes of this operation, besides `invalid`, `internal` and those of its access. */
  errors: readonly ErrorCode[]
  http?: HttpBinding
  cli?: CliBinding
  /** The order of the list that it returns, if it can be read in pages: every list over HTTP. */
  listOrder?(input: z.output<In>): ListOrder<Out extends z.ZodArray<infer Entry> ? z.output<Entry> : never>
  /** Reads the part of a long list that a page needs. `total` is the length of the list. If absent, pages are cut from the whole list. */
  readWindow?(ctx: Needs, input: z.output<In>, window: ListWindow): Promise<{ entries: z.input<Out>; total: number }>
  /** True if a part of a batch was not applied: exit code 8. */
  isPartial?(output: z.output<Out>): boolean
  /** When the audit gets the entry of a call; by default `in-transaction`, and `from-start` for `mirror`. */
  recorded?: RecordingTime | ((input: z.output<In>) => RecordingTime)
  /** Set if the answer can also be streamed; `run` returns it as a whole. */
  stream?: Streaming<In, Needs>
  run(ctx: Needs, input: z.output<In>): Promise<z.input<Out>>
}

/** Declares an operation, so that its types are inferred. One with a dry run also gets the fields of a plan. */
export function operation<Needs extends Context, In extends z.ZodObject, Out extends z.ZodType>(
  declared: Operation<In, Out, Needs>,
): Operation<In, Out, Needs> {
  if (!('dryRun' in declared.input.shape)) return declared
  const { input, output, errors, cli }: AnyOperation = declared
  const planFlag: FlagBinding = { name: 'plan', value: 'id' }
  return {
    ...declared,
    ...(cli && { cli: { ...cli, flags: { ...cli.flags, planId: planFlag } } }),
    input: input.safeExtend(planInput),
    output: output.safeExtend(planOutput),
    errors: [...errors, 'plan_changed'],
  }
}

/** An operation of any type, as in the catalog. */
export type AnyOperation<Needs extends Context = any> = Operation<any, any, Needs>

/** When a call with this checked input is recorded. What only reads, and a dry run, is not. */
export function recordingTimeOf({ effect, recorded }: AnyOperation, input: Record<string, unknown>): RecordingTime {
  if (effect === 'read' || input['dryRun'] === true) return 'none'
  const time = typeof recorded === 'function' ? recorded(input) : recorded
  return time ?? (effect === 'mirror' ? 'from-start' : 'in-transaction')
}

/** Whether calls are recorded, also those that are refused. */
export function isRecorded(op: AnyOperation): boolean {
  return recordingTimeOf(op, {}) !== 'none'
}
