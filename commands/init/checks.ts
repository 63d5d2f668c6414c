import * as z from 'zod'
import type { Settings } from '../../src/config'
import { asStudioError } from '../../src/kernel'
import { openStudio } from '../../src/studio'
import type { StudioContext } from '../../src/studio-context'
import { detectTrackerKind } from '../../src/tracker/services/tracker-kind'
import type { Invocation } from '../invocation'
import type { Answers } from './questions'

export const TrackerCheck = z.object({ name: z.string(), types: z.array(z.string()) })
export type TrackerCheck = z.infer<typeof TrackerCheck>

/** `problem` says why the server could not be asked. */
export const ModelCheck = z.object({ host: z.string(), models: z.array(z.string()), problem: z.string().nullable() })
export type ModelCheck = z.infer<typeof ModelCheck>

/** Calls the tracker with the answers, before they are written; null for the sandbox. */
export async function checkTracker(answers: Answers, invocation: Invocation): Promise<TrackerCheck | null> {
  if (answers.choosesSandbox) return null
  return withAnswers(answers, invocation, async (context, { tracker: { url } }) => {
    if (url === null) return null
    const tracker = await context.tracker()
    const { types } = await tracker.describeProcess(invocation.signal)
    return { name: tracker.name, types: types.map(({ name }) => name) }
  })
}

/** Asks which models are installed. A missing model is not an error, because everything else works without one. */
export async function checkModel(answers: Answers, invocation: Invocation): Promise<ModelCheck> {
  return withAnswers(answers, invocation, async (context, { llm: { host } }) => {
    try {
      const model = await context.model()
      const installed = await model.listModels(AbortSignal.any([invocation.signal, AbortSignal.timeout(3_000)]))
      return {
        host,
        models: installed.filter(({ canAnswer: answers }) => answers).map(({ name }) => name),
        problem: null,
      }
    } catch (error) {
      if (invocation.signal.aborted) throw error
      return { host, models: [], problem: asStudioError(error).message.replace(/\.$/, '') }
    }
  })
}

/** The kind of the tracker that the answers name; null if they name none. */
export function findTrackerKind({ trackerKind, trackerUrl }: Answers): string | null {
  return trackerKind ?? (trackerUrl === undefined ? null : detectTrackerKind(trackerUrl))
}

function withAnswers<R>(answers: Answers, invocation: Invocation, work: Work<R>): Promise<R> {
  const given = {
    STUDIO_TRACKER_KIND: findTrackerKind(answers) ?? undefined,
    STUDIO_TRACKER_URL: answers.trackerUrl,
    STUDIO_TRACKER_PROJECT: answers.trackerProject,
    STUDIO_TRACKER_TOKEN: answers.token ?? undefined,
    STUDIO_LLM_HOST: answers.llmHost,
    STUDIO_LLM_MODEL: answers.llmModel,
    STUDIO_LLM_API: answers.llmApi,
  }
  const set = Object.fromEntries(Object.entries(given).filter(([, value]) => value))
  return withEnvironment({ ...invocation.terminal.env, ...set }, invocation, work)
}

type Work<R> = (context: StudioContext, settings: Settings) => Promise<R>

/** Does `work` with the settings of an environment. */
export async function withEnvironment<R>(
  env: NodeJS.ProcessEnv,
  { terminal, flags, signal }: Invocation,
  work: Work<R>,
): Promise<R> {
  const studio = openStudio({ env, cwd: terminal.cwd, flags: { tenant: flags.tenant ?? undefined } })
  try {
    const actor = { kind: 'terminal', tenant: studio.settings.tenant } as const
    return await work(studio.context({ actor, signal }), studio.settings)
  } finally {
    await studio.close()
  }
}
