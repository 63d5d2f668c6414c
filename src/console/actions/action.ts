import type { OperationId } from '../../kernel'
import type { Studio } from '../../studio'
import type { Basis } from '../conflicts/own-changes'
import type { PageRequest } from '../console-page'
import type { Fields } from '../forms/form'
import type { Html } from '../html'
import type { ToPageHtml } from '../rich-text'

/** Runs an operation by its ID, as the caller. */
export type RunById = PageRequest['run']

/** How the console runs an operation for a form, and what it shows of the answer. */
export interface Action {
  /** The message after it is done. */
  done: string
  /** What is shown of the answer, once. Others only lead to the next page, as does one without an answer to show. */
  show?(answer: any, fields: Fields): Html | null | Promise<Html | null>
  /** The page that it leads to, where the form names none. */
  page?(answer: any): string
  /** The input out of the fields, where they are not the same. */
  toInput?(fields: Fields, studio: Studio): Fields
  /** For a form of something that exists: what it was drawn with, and what is there now. */
  basis?(run: RunById, fields: Fields): Promise<Basis>
  /** A field that may name several things: the operation runs for each. */
  each?: string
  /** For a form that is saved while it is written: the new values of its fields, and parts of the page. */
  refresh?(
    answer: any,
    toPageHtml: ToPageHtml,
  ): Promise<{ values: Record<string, string>; parts: Record<string, string> }>
  /** For an answer that comes in parts: what the page shows until it is complete. */
  progress?(part: any): { text: string } | { message: string } | null
}

export type Actions = { [Id in OperationId]?: Action }
