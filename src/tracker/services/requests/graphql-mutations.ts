import * as z from 'zod'
import type { Rejection } from '../../item-changes'
import { type ChangeResult, readChangeResult, toFailedResult } from '../change-result'
import type { GraphqlClient } from './graphql-client'
import type { HttpResponse } from './http-client'
import { cleanText } from './response-errors'
import type { TrackerError } from './tracker-error'

const Answer = z.object({
  data: z.record(z.string(), z.unknown()).nullish(),
  errors: z
    .array(
      z.object({
        type: z.string().optional(),
        message: z.string().default(''),
        path: z.array(z.union([z.string(), z.number()])).optional(),
      }),
    )
    .optional(),
})
type Answer = z.output<typeof Answer> & {
  /** Why the tracker stopped before it had run all steps; absent if it ran them. */
  stop?: TrackerError
}

const UNEXPECTED = { kind: 'unknown', message: 'The response of the tracker has an unexpected shape.' } as const

type Sending = Promise<{ response: HttpResponse; error: TrackerError | null }>

/** One of the mutations of a request, which the tracker runs one after another. */
export interface Step {
  name: string
  input: Record<string, unknown>
  /** Selects the fields of its result, for a server that may not have all of them. */
  select?(): string
}

/**
 * Sends the steps of several changes in one request. Returns the result of each change, with the results of its steps. The tracker runs
 * the other steps if one fails.
 */
export async function sendSteps(
  changes: readonly (readonly Step[])[],
  graphql: Pick<GraphqlClient, 'mutate'>,
  signal: AbortSignal,
): Promise<ChangeResult<unknown[]>[]> {
  const steps = changes.flat()
  if (steps.length === 0) return changes.map(() => ({ kind: 'done', data: [] }))
  const declarations = steps.map(({ name }, i) => `$input${i}: ${name[0]!.toUpperCase()}${name.slice(1)}Input!`)
  const select = ({ name, select = () => 'clientMutationId' }: Step, i: number) =>
    `step${i}: ${name}(input: $input${i}) { ${select()} }`
  const write = () => `mutation(${declarations.join(', ')}) { ${steps.map(select).join(' ')} }`
  const variables = Object.fromEntries(steps.map(({ input }, i) => [`input${i}`, input]))
  const sent = await readAnswer(graphql.mutate(write, variables, signal))
  let first = 0
  return changes.map((own): ChangeResult<unknown[]> => {
    const aliases = own.map((_, i) => `step${first + i}`)
    first += own.length
    if (own.length === 0) return { kind: 'done', data: [] }
    const result = sent.kind === 'done' ? judgeAliases(sent.data, aliases) : sent
    return result.kind === 'done' ? { kind: 'done', data: aliases.map((alias) => result.data[alias]) } : result
  })
}

/** Sends one step. Its result has the given shape. */
export async function sendStep<Shape extends z.ZodType>(
  step: Step,
  shape: Shape,
  graphql: Pick<GraphqlClient, 'mutate'>,
  signal: AbortSignal,
): Promise<ChangeResult<z.output<Shape>>> {
  const [result] = await sendSteps([[step]], graphql, signal)
  if (result!.kind !== 'done') return result!
  const parsed = shape.safeParse(result!.data[0])
  return parsed.success ? { kind: 'done', data: parsed.data } : UNEXPECTED
}

function readAnswer(sending: Sending): Promise<ChangeResult<Answer>> {
  return readChangeResult(sending, (response, error) => {
    const answer = (response.status < 300 && Answer.safeParse(response.json).data) || {}
    if (error === null) return { kind: 'done', data: answer }
    if (error.code === 'tracker_throttled') return { kind: 'done', data: { ...answer, stop: error } }
    const isForbidden = error.code === 'tracker_forbidden' && answer.data == null
    const isOfValues = (answer.errors ?? []).length > 0 && error.effect !== 'unknown' && !isForbidden
    return isOfValues ? { kind: 'done', data: answer } : toFailedResult(error)
  })
}

/** The result of the mutations with these aliases. An error without a path concerns all of them. */
function judgeAliases(
  { data, errors = [], stop }: Answer,
  aliases: readonly string[],
): ChangeResult<Record<string, unknown>> {
  const own = errors.filter(({ path }) => !path?.length || aliases.includes(String(path[0])))
  if (own.length === 0)
    return aliases.every((alias) => data?.[alias] != null) ? { kind: 'done', data: data! } : UNEXPECTED
  const text = own.map(({ message }) => cleanText(message)).join(' ')
  if (aliases.some((alias) => data?.[alias] != null))
    return { kind: 'unknown', message: `The tracker applied only a part of the change: ${text}` }
  if (stop) return { kind: 'refused', error: stop }
  const code = own.map(({ type = '' }) => CODES[type]).find(Boolean)
  return { kind: 'rejected', message: text, ...(code && { code }) }
}

/** The errors that do not concern the values of a mutation, by their type. */
const CODES: Readonly<Record<string, Rejection['code']>> = { NOT_FOUND: 'not_found', FORBIDDEN: 'tracker_forbidden' }
