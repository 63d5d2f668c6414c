import * as z from 'zod'
import { type ChangeResult, parseResult } from '../services/change-result'
import { type Step, sendSteps } from '../services/requests/graphql-mutations'
import { cleanText } from '../services/requests/response-errors'
import type { ProjectClient } from './project-client'

const Payload = z.object({ errors: z.array(z.string()).default([]) })

/** Sends the steps of several changes in one request. GitLab reports errors of values in the result of each step. */
export async function sendChanges(
  changes: readonly (readonly Step[])[],
  graphql: ProjectClient,
  signal: AbortSignal,
): Promise<ChangeResult<unknown[]>[]> {
  const withErrors = changes.map((steps) =>
    steps.map((step): Step => ({ ...step, select: () => `errors ${step.select?.() ?? ''}` })),
  )
  return (await sendSteps(withErrors, graphql, signal)).map((result) => {
    if (result.kind !== 'done') return result
    const problems = result.data.map((payload) => Payload.safeParse(payload).data?.errors ?? [])
    const text = cleanText(problems.flat().join(' '))
    if (text === '') return result
    return problems.every((own) => own.length > 0)
      ? { kind: 'rejected', message: text }
      : { kind: 'unknown', message: `The tracker applied only a part of the change: ${text}` }
  })
}

/** Sends one step. Its result has the given shape. */
export async function sendChange<Shape extends z.ZodType>(
  step: Step,
  shape: Shape,
  graphql: ProjectClient,
  signal: AbortSignal,
): Promise<ChangeResult<z.output<Shape>>> {
  const [result] = await sendChanges([[step]], graphql, signal)
  return parseResult(result!, ([payload]) => shape.parse(payload))
}
