import type { Command } from 'commander'
import type { OperationId, StreamEvent, StudioError } from '../../src/kernel'
import type { HelpText } from '../start/help'
import type { Invocation } from '../start/invocation'
import type { Canvas, Colors } from '../terminal/layout'

/** A command that is not an operation of the core, such as one that runs a server or other commands. */
export interface StandaloneCommand {
  /** Adds the arguments and flags, and returns the rest of the help. */
  define(command: Command): HelpText
  /** Resolves with the exit code. */
  run(command: Command, invocation: Invocation): Promise<number>
}

export type Load<Part> = () => Promise<Part>

/** A result as a person reads it, with its last line ended. */
export type View<Result = any> = (result: Result, canvas: Canvas, options: ViewOptions) => string

/** A result as the bytes of a file. */
export type FileView<Result = any> = (result: Result, canvas: Canvas, options: ViewOptions) => string | Uint8Array

/** Flags of a command that only its view reads. */
export interface ViewOptions {
  /** The columns of a list; null for those that it always has. */
  columns: readonly string[] | null
  /** The address of the organizer in a calendar; null or absent if no sender of mails is set. */
  organizer?: string | null
}

/**
 * Completes the input of a call, and decides what its view shows. `flags` and `words` are those that were typed. `alwaysPreview` shows what would be
 * done before it is done, also in scripts, because the input does not name it.
 */
export type Preparation = (
  input: Record<string, unknown>,
  flags: Record<string, unknown>,
  caller: { invocation: Invocation; run: RunOther; words?: readonly string[] },
) => Promise<{ input: Record<string, unknown>; options?: ViewOptions; alwaysPreview?: boolean }>

/** A part of a streamed answer as a person reads it: `out` belongs to the answer, `err` is about it. */
export type PartView = (event: StreamEvent, colors: Colors) => { out?: string; err?: string }

/** What a command does with its result besides printing it. `options` are its flags. */
export type AfterResult<Result = any> = (
  result: Result,
  options: Record<string, unknown>,
  invocation: Invocation,
) => Promise<void>

/** What a command does after an error, and the error that is reported then. */
export type ErrorHandler = (
  error: StudioError,
  input: Record<string, unknown>,
  invocation: Invocation,
) => Promise<StudioError>

/** Runs another operation as the same user. */
export type RunOther = (id: OperationId, input: Record<string, unknown>) => Promise<unknown>

/** How the terminal handles one operation. Each part is loaded when it is used. */
export interface OperationUi<Result = any> {
  /** Absent where a table or a list of facts will do. */
  view?: Load<View<Result>>
  /** The name of the view for `--format`, and the views of the other formats. */
  format?: string
  formats?: Record<string, Load<FileView<Result>>>
  part?: Load<PartView>
  prepare?: Load<Preparation>
  /**
   * Asks a person for the input where nothing was typed. If operations share the command, the one that takes the input runs.
   */
  askForInput?: Load<(run: RunOther) => Promise<Record<string, unknown>>>
  /** Asks a person for the rest of the input. */
  askForMissing?: Load<
    (given: Record<string, unknown>, invocation: Invocation, run: RunOther) => Promise<Record<string, unknown>>
  >
  /** Settles conflicts that a preview shows: the input to go on with, or null if there are none. */
  settleConflicts?: Load<
    (preview: Result, input: Record<string, unknown>, invocation: Invocation) => Promise<Record<string, unknown> | null>
  >
  /** Whether `--watch` shows the result again and again. */
  canWatch?: true
  /** Whether it shows cached items, so that it says why they are old if the sync of a service fails. */
  saysWhyOld?: true
  afterResult?: Load<AfterResult<Result>>
  handleError?: Load<ErrorHandler>
}
