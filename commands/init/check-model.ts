import * as z from 'zod'
import type { Settings } from '../../src/config'
import { asStudioError } from '../../src/kernel'
import { openStudio } from '../../src/studio'
import type { StudioContext } from '../../src/studio-context'
import type { Invocation } from '../start/invocation'
import type { Answers } from './questions'

/** `problem` says why the server could not be asked. */
export const ModelCheck = z.object({ host: z.string(), models: z.array(z.string()), problem: z.string().nullable() })
export type ModelCheck = z.infer<typeof ModelCheck>

/**
 * Asks which models are installed. A missing model is not an error, because everything else works without one. A new token that the server
 * does not accept is one, so that it is not stored.
 */
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
      const { code, message } = asStudioError(error)
      if (invocation.signal.aborted) throw error
      if (answers.llmToken !== null && (code === 'llm_token' || code === 'invalid')) throw error
      return { host, models: [], problem: message.replace(/\.$/, '') }
    }
  })
}

function withAnswers<R>(
  { llmHost, llmModel, llmApi, llmToken }: Answers,
  invocation: Invocation,
  work: Work<R>,
): Promise<R> {
  const given = {
    STUDIO_LLM_HOST: llmHost,
    STUDIO_LLM_MODEL: llmModel,
    STUDIO_LLM_API: llmApi,
    STUDIO_LLM_TOKEN: llmToken,
  }
  const set = Object.entries(given).flatMap(([name, value]) => (value ? [[name, value] as const] : []))
  return withEnvironment({ ...invocation.terminal.env, ...Object.fromEntries(set) }, invocation, work)
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
