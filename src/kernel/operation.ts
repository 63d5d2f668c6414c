import type { z } from 'zod'
import type { Context } from './context'
import type { ErrorCode } from './errors'
import type { ListOrder, ListWindow } from './list-order'
import type { OperationId } from './operation-id'

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
  /** Ends early and releases everything when the reader stops reading or the context's signal is aborted. */
  open(ctx: Needs, input: z.output<In>): AsyncIterable<StreamEvent>
}

/**
 * What an operation does to the world.
 * `read` changes nothing; `mirror` changes only the local copy of what the tracker has; `write` changes drafts, docks or the tracker.
 */
export type Effect = 'read' | 'mirror' | 'write'

/**
 * Who may call it. `public`: anybody. `workspace`: the story studio's users. `tenant`: a tenant, by its dock key or the terminal.
 * `admin`: the person at the terminal, or a token that allows it; being at this machine is not enough.
 */
export type Access = 'public' | 'workspace' | 'tenant' | 'admin'

export interface HttpBinding {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete'
  /** OpenAPI form: `/api/devops/items/{id}`. A name in braces is a field of the input. */
  path: string
  /** Query parameters whose name on the wire differs from the input's field: `{ facility_id: 'facilityId' }`. */
  query?: Record<string, string>
  /** True for a route that the documents do not name. */
  extension?: true
  /** How long a call may last, in milliseconds, where it waits for what takes minutes. */
  withinMs?: number
  /** An input for the API's description, where no example of the command line gives one. */
  example?: Record<string, unknown>
  /** For a read whose answer depends on the stored rows, the caller and the input alone: it is valid until a row changes. */
  cacheable?(input: Record<string, unknown>): boolean
  /** Fields of the answer that tell when one looked, not what was seen: an answer that differs in them alone is the same version. */
  volatile?: readonly string[]
}

export interface FlagBinding {
  /** The long name without dashes, where it differs from the field in kebab case. */
  name?: string
  /** What stands for the value in help: `<iso date>`; taken from the schema where absent. */
  value?: string
  /** Replaces the field's description in help. */
  about?: string
}

export interface CliBinding {
  /** The words after `studio`: `item get`. */
  command: string
  /** Input fields given by position, in order. `itemIds...` takes all that remain; a leading `-` there reads them from standard input. */
  args?: readonly string[]
  /** What an argument is called in help where the field's name would not do: `{ q: 'query' }`. */
  argumentNames?: Record<string, string>
  /** Set where operations share a command: this one is meant when the flag, or one of them (without dashes), is given. */
  whenFlag?: string | readonly string[]
  /** True where a word that begins with a dash is input, not a flag: `-draft` in a search. */
  dashWords?: true
  /** How a field is offered as a flag, or by position; `false` hides it. Fields not named are offered in kebab case. */
  flags?: Record<string, FlagBinding | false>
  /** Flags that stand for no single field, and how what was typed becomes the input. */
  extraFlags?: readonly ExtraFlag[]
  toInput?(typed: Record<string, unknown>): Record<string, unknown>
  /**
   * `--file <path|->` reads the input as JSON, or as `parse` does; flags that are typed win over it. `parse` throws a StudioError;
   * `modifiedAt` is when the file was last changed, ISO 8601, or null where it is no file.
   */
  file?: {
    about: string
    parse?(text: string, name: string, modifiedAt: string | null): Promise<Record<string, unknown>>
  }
  /** `--out <file>` writes what would be shown into a file instead. */
  out?: { about: string }
  /** Command lines that work on the sandbox. */
  examples: readonly string[]
  /** Related commands, as typed. */
  seeAlso?: readonly string[]
  /** What a person should know of the result besides; told on standard error. */
  notice?(output: any): string | null
  /** What is offered to a person once the result is shown; null where there is nothing to offer. */
  offer?(output: any): Offer | null
  /** The question to ask before it runs, or null where none is needed. Answered by `--yes`. */
  confirm?(input: Record<string, unknown>): string | null
  /** The question that the answer of a dry run (`dryRun: true`) raises, or null. The dry run is done and shown first, without `--yes`. */
  confirmDryRun?(answer: unknown): string | null
  /** Positional fields whose word is a file's path, or `-` for standard input, and whose value is the text in it. */
  contents?: readonly string[]
}

/** A step that a person may take next, on a yes. */
export interface Offer {
  question: string
  /** The id of the operation that a yes runs, and its input. */
  operation: OperationId
  input: Record<string, unknown>
  /** What is said once it is done. */
  done: string
  /** What is said where nobody can be asked. */
  otherwise: string
}

export interface ExtraFlag {
  /** `--queue <window>` */
  flag: string
  about: string
  repeatable?: boolean
  /** The fields that it gives, so that a refusal of one names the flag; the one that is mostly meant comes first. */
  standsFor?: readonly string[]
}

/** One thing that studio can do, declared once. The command line, the HTTP API and its description are views of it. */
export interface Operation<
  In extends z.ZodObject = z.ZodObject,
  Out extends z.ZodType = z.ZodType,
  Needs extends Context = Context,
> {
  /** `slice.verb`, stable: `appointments.book`. */
  id: string
  /** One line, imperative, without a full stop. */
  summary: string
  /** What a caller should know beyond the summary; Markdown. */
  description?: string
  effect: Effect
  access: Access
  input: In
  output: Out
  /** Error codes that are this operation's own, beyond `invalid`, `internal` and what its access gives. */
  errors: readonly ErrorCode[]
  http?: HttpBinding
  cli?: CliBinding
  /** How the list that it answers with is ordered, where it can be read in pages: every list that is offered over HTTP. */
  listOrder?(input: z.output<In>): ListOrder<Out extends z.ZodArray<infer Entry> ? z.output<Entry> : never>
  /** Reads a part of a long list for a page of it. `total` is the length of the whole list. Absent: a page is cut from the whole list. */
  readWindow?(ctx: Needs, input: z.output<In>, window: ListWindow): Promise<{ entries: z.input<Out>; total: number }>
  /** True where the result stands for a batch of which a part was not applied: exit code 8. */
  isPartial?(output: z.output<Out>): boolean
  /** Set where the answer can also be had in parts, as they come; `run` gives the whole. */
  stream?: Streaming<In, Needs>
  run(ctx: Needs, input: z.output<In>): Promise<z.input<Out>>
}

/** Declares an operation; there only so that types are inferred. */
export function operation<Needs extends Context, In extends z.ZodObject, Out extends z.ZodType>(
  declared: Operation<In, Out, Needs>,
): Operation<In, Out, Needs> {
  return declared
}

/** An operation whose types do not matter to the holder: an entry of the catalog. */
export type AnyOperation<Needs extends Context = any> = Operation<any, any, Needs>
